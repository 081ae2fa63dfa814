import { ApiError } from '../../../platform/errors/api-error.ts';
import { heavyWork } from '../../../platform/heavy-work.ts';
import type { ContentStore, Sha256 } from '../../../platform/storage/content-store.ts';
import { BlueprintError } from './blueprint-error.domain.ts';
import { MAX_BLUEPRINT_BYTES, RENDERER_VERSION } from './blueprint-limits.data.ts';
import { renderBlueprint } from './render-blueprint.domain.ts';

/** A stored model file. */
export interface ModelFile {
  sha256: Sha256;
  /** Bytes. */
  size: number;
}

/** Images of models, rendered on first request and cached in the bucket by the content hash of the model. */
export interface ModelImages {
  /** Strong ETag of an image, without quotes: content hash, side and renderer version. */
  createTag(model: ModelFile, side: number): string;
  /**
   * The image as PNG. `beforeRendering` is called only if the image is not cached, and can throw. Throws 404 if the content of the model is
   * not stored, 422 if the model cannot be rendered, and 503 if the queue of CPU-heavy work is full.
   */
  getImage(model: ModelFile, side: number, beforeRendering: () => Promise<void>): Promise<Uint8Array<ArrayBuffer>>;
}

/** CPU time of an image: 27 to 95 ms for 50,000 voxels. */
const RENDER_MS = 100;
const UNPROCESSABLE = 422;

export function createModelImages(bucket: R2Bucket, contents: Pick<ContentStore, 'bytes'>): ModelImages {
  const createTag: ModelImages['createTag'] = ({ sha256 }, side) => `${sha256}-${side}-${RENDERER_VERSION}`;
  const storageKey = ({ sha256 }: ModelFile, side: number) => `codex-images/${sha256}/${side}-${RENDERER_VERSION}.png`;

  /** Cached image; null if it was not rendered. Throws 422 if rendering failed before. */
  async function readCached(model: ModelFile, side: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const object = await bucket.get(storageKey(model, side));
    if (object?.customMetadata?.problem !== undefined) throw unprocessable(object.customMetadata.problem);
    return object && new Uint8Array(await object.arrayBuffer());
  }

  async function render(model: ModelFile, side: number): Promise<Uint8Array<ArrayBuffer>> {
    const file = await contents.bytes(model.sha256);
    if (!file) throw new ApiError('not_found', 'the content of this blueprint is not stored');
    try {
      const image = renderBlueprint(file, side);
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
    createTag,

    async getImage(model, side, beforeRendering) {
      if (model.size > MAX_BLUEPRINT_BYTES) throw unprocessable(`the blueprint must have at most ${MAX_BLUEPRINT_BYTES} bytes`);
      const image = await readCached(model, side);
      if (image) return image;
      return heavyWork.run(RENDER_MS, async () => {
        // Another request may have rendered the image in the meantime.
        const cached = await readCached(model, side);
        if (cached) return cached;
        await beforeRendering();
        return render(model, side);
      });
    },
  };
}

function unprocessable(problem: string): ApiError {
  return new ApiError('bad_request', problem, { status: UNPROCESSABLE });
}
