import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { deleteObjectsBefore, instantKey } from '../../platform/storage/dated-objects.ts';

/** Compressed raw market dumps, for a replay after a change of the import rules. */
export interface RawDumps {
  put(dump: Uint8Array<ArrayBuffer>, seenAt: UnixSeconds, id: string): Promise<void>;
  /** Deletes dumps of listings seen before an instant. */
  deleteBefore(before: UnixSeconds): Promise<void>;
}

const PREFIX = 'market/';

export function createRawDumps(bucket: R2Bucket): RawDumps {
  return {
    async put(dump, seenAt, id) {
      const gzip = new Blob([dump]).stream().pipeThrough(new CompressionStream('gzip'));
      const bytes = await new Response(gzip).arrayBuffer();
      await bucket.put(`${instantKey(PREFIX, seenAt)}-${id}.cfg.gz`, bytes, { httpMetadata: { contentType: 'application/gzip' } });
    },

    async deleteBefore(before) {
      await deleteObjectsBefore(bucket, PREFIX, before);
    },
  };
}
