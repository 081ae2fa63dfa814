import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import { heavyWork } from '../../../platform/kit/heavy-work.ts';
import { scalePng } from '../../../platform/kit/images/shrink-image.ts';
import { isolateMemory } from '../../../platform/kit/isolate-memory.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ContentStore, Sha256 } from '../../../platform/storage/content-store.ts';
import { deleteDerivedBefore } from '../../../platform/storage/dated-objects.ts';
import {
  BlueprintError,
  BYTES_PER_VOXEL,
  IMAGE_TTL_SECONDS,
  MAX_BLUEPRINT_BYTES,
  MAX_IMAGE_SIDE,
  RENDERER_VERSION,
  STORED_SIDES,
} from './blueprint.domain.ts';

/** A stored model file. */
export interface ModelFile {
  sha256: Sha256;
  /** Bytes. */
  size: number;
}

/** CPU time of an image: 27 to 95 ms for 50,000 voxels. */
const RENDER_MS = 100;
/** CPU time to scale an image of 512 pixels: 15 ms. */
const SCALE_MS = 20;
const UNPROCESSABLE = 422;
const PREFIX = 'codex-images/';

/** Images of models, rendered on first request and stored in some sizes under the content hash of the model. */
export function createModelImages(bucket: R2Bucket, contents: Pick<ContentStore, 'bytes'>) {
  const storageKey = ({ sha256 }: ModelFile, side: number) => `${PREFIX}${sha256}/${side}-${RENDERER_VERSION}.png`;

  /** Cached image; null if it was not rendered. Throws 422 if rendering failed before. */
  async function readCached(model: ModelFile, side: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const object = await bucket.get(storageKey(model, side));
    if (object?.customMetadata?.problem !== undefined) throw unprocessable(object.customMetadata.problem);
    return object && new Uint8Array(await object.arrayBuffer());
  }

  async function render(model: ModelFile, side: number): Promise<Uint8Array<ArrayBuffer>> {
    const file = await contents.bytes(model.sha256);
    if (!file) throw new ApiError('not_found', 'the content of this blueprint is not stored');
    const [{ inflateBlueprint, renderBlueprint }, { countVoxels }] = await Promise.all([
      import('./render-blueprint.service.ts'),
      import('./decode-blueprint.domain.ts'),
    ]);
    try {
      const bytes = BYTES_PER_VOXEL * countVoxels(file, inflateBlueprint);
      isolateMemory.take(bytes);
      const image = releasing(bytes, () => renderBlueprint(file, side));
      await bucket.put(storageKey(model, side), image);
      return image;
    } catch (error) {
      if (!(error instanceof BlueprintError)) throw error;
      // Caches the failure as an empty object: rendering is deterministic.
      await bucket.put(storageKey(model, side), new Uint8Array(0), { customMetadata: { problem: error.message } });
      throw unprocessable(error.message);
    }
  }

  return {
    /** Strong ETag of an image, without quotes: content hash, side and renderer version. */
    createTag: ({ sha256 }: ModelFile, side: number) => `${sha256}-${side}-${RENDERER_VERSION}`,

    /**
     * The image as PNG. `beforeWork` is called before work is queued, unless this size is stored, and can throw. Throws 404 if the content of
     * the model is not stored, 422 if the model cannot be rendered, and 503 if the queue of CPU-heavy work is full.
     */
    async getImage(model: ModelFile, side: number, beforeWork: () => Promise<void>): Promise<Uint8Array<ArrayBuffer>> {
      if (model.size > MAX_BLUEPRINT_BYTES) throw unprocessable(`the blueprint must have at most ${MAX_BLUEPRINT_BYTES} bytes`);
      const storedSide = STORED_SIDES.find((stored) => stored >= side) ?? MAX_IMAGE_SIDE;
      const image = await readCached(model, storedSide);
      if (image && storedSide === side) return image;
      await beforeWork();
      return heavyWork.run(image ? SCALE_MS : RENDER_MS, async () => {
        // Another request may have rendered the image in the meantime.
        const stored = image ?? (await readCached(model, storedSide)) ?? (await render(model, storedSide));
        return storedSide === side ? stored : scalePng(stored, storedSide, side);
      });
    },

    /** Deletes stored images that are older than `IMAGE_TTL_SECONDS`. Call it once a day. */
    async deleteExpired(now: UnixSeconds): Promise<void> {
      await deleteDerivedBefore(bucket, PREFIX, now - IMAGE_TTL_SECONDS, now);
    },
  };
}

/** Frees reserved memory after work. */
function releasing<Value>(bytes: number, work: () => Value): Value {
  try {
    return work();
  } finally {
    isolateMemory.refund(bytes);
  }
}

export type ModelImages = ReturnType<typeof createModelImages>;

function unprocessable(problem: string): ApiError {
  return new ApiError('bad_request', problem, { status: UNPROCESSABLE });
}
