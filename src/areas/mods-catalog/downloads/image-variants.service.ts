import type { MemoryPool } from '../../../platform/http/bodies/memory-pool.ts';
import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import { heavyWork } from '../../../platform/kit/heavy-work.ts';
import { shrinkMemoryBytes } from '../../../platform/kit/images/shrink-image.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ContentStore } from '../../../platform/storage/content-store.ts';
import { deleteDerivedBefore } from '../../../platform/storage/dated-objects.ts';
import type { CachedContents, WaitUntil } from '../../../platform/storage/pop-cache.ts';
import { MAX_IMAGE_BYTES } from '../records/catalog.data.ts';

/** Resizes an image to WebP; null if the original must be used. */
type ShrinkImage = (bytes: Uint8Array<ArrayBuffer>, width: number) => Promise<Uint8Array<ArrayBuffer> | null>;

/** Context of the request that needs a resized image. */
interface VariantContext {
  signal: AbortSignal;
  waitUntil: WaitUntil;
}

/** Part of the storage key; increase it when the output of resizing changes. */
const VERSION = 1;
const PREFIX = 'mod-images/';
const TTL_SECONDS = 30 * SECONDS_PER_DAY;
/** Typical processor time to resize an image; the size limits allow up to a second. */
const RESIZE_MS = 500;
/** Stored in place of an image that cannot be resized. */
const USE_ORIGINAL = new Uint8Array(0);

interface ImageVariantsDeps {
  bucket: R2Bucket;
  store: Pick<ContentStore, 'bytes'>;
  contents: Pick<CachedContents, 'bytes'>;
  memory: MemoryPool;
  shrink: ShrinkImage;
}

export type ImageVariants = ReturnType<typeof createImageVariants>;

/** Resized images; each is created on demand and stored. */
export function createImageVariants({ bucket, store, contents, memory, shrink }: ImageVariantsDeps) {
  async function read(key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const object = await bucket.get(key);
    return object && new Uint8Array(await object.arrayBuffer());
  }

  async function createVariant(sha256: string, width: string, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const original = await store.bytes(sha256);
    const bytes =
      original &&
      (await heavyWork.run(
        RESIZE_MS,
        () => shrink(original, Number(width)).catch(logFailure),
        () => shrinkMemoryBytes(original),
      ));
    await bucket.put(key, bytes ?? USE_ORIGINAL);
    return bytes;
  }

  return {
    /** Null: use the original. `busy`: use the original temporarily, because the concurrency limit is reached. */
    async variantOf(
      sha256: string,
      width: string,
      { signal, waitUntil }: VariantContext,
    ): Promise<Uint8Array<ArrayBuffer> | null | 'busy'> {
      const key = `${PREFIX}${sha256}/${width}-${VERSION}.webp`;
      const stored = await contents.bytes(key, () => read(key), waitUntil);
      if (stored) return stored.length === 0 ? null : stored;
      const reservation = memory.open(signal);
      try {
        reservation.grow(MAX_IMAGE_BYTES);
        return await createVariant(sha256, width, key);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'service_unavailable') return 'busy';
        throw error;
      } finally {
        reservation.release();
      }
    },

    /** Deletes images that are older than 30 days. Call it once a day. */
    async deleteExpired(now: UnixSeconds): Promise<void> {
      await deleteDerivedBefore(bucket, PREFIX, now - TTL_SECONDS, now);
    },
  };
}

/** Logs a failure and stores it as `USE_ORIGINAL`: a retry would cost the same. */
function logFailure(error: unknown): null {
  logError('image could not be resized', error);
  return null;
}
