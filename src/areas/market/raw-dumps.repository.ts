import type { UnixSeconds } from '../../platform/time/clock.ts';

/** Dumps of the market as they came, compressed: to take them in again, should a rule have been wrong. */
export interface RawDumps {
  keep(dump: Uint8Array<ArrayBuffer>, seenAt: UnixSeconds, id: string): Promise<void>;
  /** Deletes dumps of listings seen before an instant. */
  prune(before: UnixSeconds): Promise<void>;
}

const PREFIX = 'market/';
/** As many digits as instants will have for long, so that keys sort by time. */
const INSTANT_DIGITS = 12;
/** Pages of a listing, and so deletions, in one run; the next run goes on. */
const MAX_PAGES = 20;

const keyStart = (seenAt: UnixSeconds) => `${PREFIX}${String(seenAt).padStart(INSTANT_DIGITS, '0')}`;

export function createRawDumps(bucket: R2Bucket): RawDumps {
  return {
    async keep(dump, seenAt, id) {
      const gzip = new Blob([dump]).stream().pipeThrough(new CompressionStream('gzip'));
      const bytes = await new Response(gzip).arrayBuffer();
      await bucket.put(`${keyStart(seenAt)}-${id}.cfg.gz`, bytes, { httpMetadata: { contentType: 'application/gzip' } });
    },

    async prune(before) {
      const limit = keyStart(before);
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const { objects } = await bucket.list({ prefix: PREFIX });
        // Keys come in order, so what is too old stands at the front.
        const old = objects.map(({ key }) => key).filter((key) => key < limit);
        if (old.length === 0) return;
        await bucket.delete(old);
      }
    },
  };
}
