import { eq } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import type { FeedbackEntry } from './feedback.domain.ts';
import { feedbackEntries } from './misc.tables.ts';

/** Stored submissions. */
export type FeedbackStore = ReturnType<typeof createFeedbackStore>;

export function createFeedbackStore(db: Database) {
  return {
    /** Stores an entry and runs `alongside` in one transaction. */
    async save(entry: FeedbackEntry, alongside?: BatchItem<'sqlite'>): Promise<void> {
      await db.batch([db.insert(feedbackEntries).values(entry), ...(alongside ? [alongside] : [])]);
    },

    async find(id: string): Promise<FeedbackEntry | null> {
      const [entry] = await db.select().from(feedbackEntries).where(eq(feedbackEntries.id, id));
      return entry ?? null;
    },
  };
}

/** A stored attachment. */
interface StoredAttachment {
  size: number;
  /** Opens the content. Read or cancel the stream. */
  open(): Promise<ReadableStream<Uint8Array> | null>;
}

/** Stores attachments until delivery. In R2, because a deletion there is final: D1 can be restored to earlier states for weeks. */
export type AttachmentStore = ReturnType<typeof createAttachmentStore>;

/** The submission of an attachment. */
interface AttachmentOwner {
  id: string;
  receivedAt: UnixSeconds;
}

const PREFIX = 'feedback/';
/** Digits of the time in a key, padded with zeros, so keys sort by time. */
const INSTANT_DIGITS = 12;

const keyPrefix = (receivedAt: UnixSeconds) => `${PREFIX}${String(receivedAt).padStart(INSTANT_DIGITS, '0')}`;
const keyOf = ({ id, receivedAt }: AttachmentOwner, index: number) => `${keyPrefix(receivedAt)}/${id}/${index}`;

export function createAttachmentStore(bucket: R2Bucket) {
  return {
    async put(owner: AttachmentOwner, index: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      await bucket.put(keyOf(owner, index), bytes);
    },

    async get(owner: AttachmentOwner, index: number): Promise<StoredAttachment | null> {
      const key = keyOf(owner, index);
      const head = await bucket.head(key);
      return head && { size: head.size, open: async () => (await bucket.get(key))?.body ?? null };
    },

    /** Deletes the attachments of a submission. Idempotent. */
    async remove(owner: AttachmentOwner, count: number): Promise<void> {
      if (count > 0) await bucket.delete(Array.from({ length: count }, (_, index) => keyOf(owner, index)));
    },

    /** Deletes attachments received before a time, including those orphaned by a crash. */
    async deleteExpired(instant: UnixSeconds): Promise<number> {
      const limit = keyPrefix(instant);
      let deletedCount = 0;
      for (;;) {
        const { objects } = await bucket.list({ prefix: PREFIX });
        // Keys are listed in order, oldest first.
        const expired = objects.map(({ key }) => key).filter((key) => key < limit);
        if (expired.length === 0) return deletedCount;
        await bucket.delete(expired);
        deletedCount += expired.length;
      }
    },
  };
}
