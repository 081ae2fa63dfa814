import type { UnixSeconds } from '../../platform/time/clock.ts';

/** The bytes of an attachment on its way to the chat. */
export interface StoredAttachment {
  size: number;
  /** To be read once, or cancelled. */
  open(): Promise<ReadableStream<Uint8Array> | null>;
}

/**
 * Attachments while they wait for delivery, and nowhere else. They lie in object storage because a deletion there is one:
 * databases of the platform can be wound back for weeks.
 */
export interface AttachmentStore {
  put(owner: AttachmentOwner, index: number, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  get(owner: AttachmentOwner, index: number): Promise<StoredAttachment | null>;
  /** Deletes the attachments of a submission. Idempotent. */
  remove(owner: AttachmentOwner, count: number): Promise<void>;
  /** Deletes attachments received before a time, including those orphaned by a crash. */
  deleteReceivedBefore(instant: UnixSeconds): Promise<number>;
}

/** The submission attachments belong to. */
export interface AttachmentOwner {
  id: string;
  receivedAt: UnixSeconds;
}

const PREFIX = 'feedback/';
/** As many digits as the instants of this age have, so that keys sort by time. */
const INSTANT_DIGITS = 12;

const startOfKeys = (receivedAt: UnixSeconds) => `${PREFIX}${String(receivedAt).padStart(INSTANT_DIGITS, '0')}`;
const keyOf = ({ id, receivedAt }: AttachmentOwner, index: number) => `${startOfKeys(receivedAt)}/${id}/${index}`;

export function createAttachmentStore(bucket: R2Bucket): AttachmentStore {
  return {
    async put(owner, index, bytes) {
      await bucket.put(keyOf(owner, index), bytes);
    },

    async get(owner, index) {
      const key = keyOf(owner, index);
      const head = await bucket.head(key);
      return head && { size: head.size, open: async () => (await bucket.get(key))?.body ?? null };
    },

    async remove(owner, count) {
      if (count > 0) await bucket.delete(Array.from({ length: count }, (_, index) => keyOf(owner, index)));
    },

    async deleteReceivedBefore(instant) {
      const limit = startOfKeys(instant);
      let removed = 0;
      for (;;) {
        const { objects } = await bucket.list({ prefix: PREFIX });
        // Keys come in order, so everything too old stands at the front.
        const old = objects.map(({ key }) => key).filter((key) => key < limit);
        if (old.length === 0) return removed;
        await bucket.delete(old);
        removed += old.length;
      }
    },
  };
}
