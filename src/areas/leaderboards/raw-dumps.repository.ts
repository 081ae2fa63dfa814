import type { UnixSeconds } from '../../platform/time/clock.ts';

/** Dumps as they were uploaded, compressed: what a capture can be made from again. */
export interface RawDumps {
  /** Stores a compressed dump and returns its key. */
  put(dump: { anchor: UnixSeconds; id: string; receivedAt: UnixSeconds; gzip: Uint8Array<ArrayBuffer> }): Promise<string>;
  /** The text of a dump as it comes; null when it is gone. */
  open(key: string): Promise<ReadableStream<string> | null>;
  /** Deletes dumps received before an instant; the keys that went. */
  removeBefore(instant: UnixSeconds): Promise<string[]>;
}

const PREFIX = 'raw/';
/** As many digits as the instants of this age have, so that keys sort by time. */
const INSTANT_DIGITS = 12;

const startOfKeys = (receivedAt: UnixSeconds) => `${PREFIX}${String(receivedAt).padStart(INSTANT_DIGITS, '0')}`;

export function createRawDumps(bucket: R2Bucket): RawDumps {
  return {
    async put({ anchor, id, receivedAt, gzip }) {
      const key = `${startOfKeys(receivedAt)}/${anchor}-${id}.cfg.gz`;
      await bucket.put(key, gzip, { httpMetadata: { contentType: 'application/gzip' } });
      return key;
    },

    async open(key) {
      const object = await bucket.get(key);
      // Invalid bytes become the replacement character: one odd name must not cost a whole dump.
      if (!object) return null;
      return object.body.pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream());
    },

    async removeBefore(instant) {
      const limit = startOfKeys(instant);
      const removed: string[] = [];
      for (;;) {
        const { objects } = await bucket.list({ prefix: PREFIX });
        // Keys come in order, so everything too old stands at the front.
        const old = objects.map(({ key }) => key).filter((key) => key < limit);
        if (old.length === 0) return removed;
        await bucket.delete(old);
        removed.push(...old);
      }
    },
  };
}
