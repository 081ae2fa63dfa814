import { ApiError } from '../../../platform/errors/api-error.ts';
import { heavyWork } from '../../../platform/heavy-work.ts';
import type { MemoryBudget } from '../../../platform/http/bodies/memory-budget.ts';
import { logError } from '../../../platform/logging.ts';
import type { ContentStore } from '../../../platform/storage/content-store.ts';
import type { CachedContents, Later } from '../../../platform/storage/pop-cache.ts';
import { MAX_IMAGE_BYTES } from '../catalog.data.ts';

/** Resizes an image to WebP; null if the original must be used. */
export type ShrinkImage = (bytes: Uint8Array<ArrayBuffer>, width: number) => Promise<Uint8Array<ArrayBuffer> | null>;

/** The request that an image is made for. */
export interface VariantContext {
  signal: AbortSignal;
  later: Later;
}

/** Resized images, each rendered once. */
export interface ImageVariants {
  /** Null: use the original. `busy`: temporarily, above the concurrency limit. */
  of(sha256: string, width: string, context: VariantContext): Promise<Uint8Array<ArrayBuffer> | null | 'busy'>;
}

/** Raise it when the same image would come out otherwise. */
const VERSION = 1;
/** CPU time per image; its bounds allow up to a second. */
const SHRINK_MS = 500;
/** Marker of an image that cannot be resized. */
const ORIGINAL = new Uint8Array(0);

export interface ImageVariantsDeps {
  bucket: R2Bucket;
  store: Pick<ContentStore, 'bytes'>;
  contents: Pick<CachedContents, 'bytes'>;
  memory: MemoryBudget;
  shrink: ShrinkImage;
}

export function createImageVariants({ bucket, store, contents, memory, shrink }: ImageVariantsDeps): ImageVariants {
  async function read(key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const object = await bucket.get(key);
    return object && new Uint8Array(await object.arrayBuffer());
  }

  async function made(sha256: string, width: string, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const original = await store.bytes(sha256);
    const bytes = original && (await heavyWork.run(SHRINK_MS, () => shrink(original, Number(width)).catch(logged)));
    await bucket.put(key, bytes ?? ORIGINAL);
    return bytes;
  }

  return {
    async of(sha256, width, { signal, later }) {
      const key = `mod-images/${sha256}/${width}-${VERSION}.webp`;
      const stored = await contents.bytes(key, () => read(key), later);
      if (stored) return stored.length === 0 ? null : stored;
      const reservation = memory.open(signal);
      try {
        reservation.grow(MAX_IMAGE_BYTES);
        return await made(sha256, width, key);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'service_unavailable') return 'busy';
        throw error;
      } finally {
        reservation.release();
      }
    },
  };
}

/** A failure is remembered like any other image that cannot be shrunk: trying again costs the same. */
function logged(error: unknown): null {
  logError('image could not be resized', error);
  return null;
}
