import { ApiError } from '../../../platform/errors/api-error.ts';
import { heavyWork } from '../../../platform/heavy-work.ts';
import type { ContentStore, Sha256 } from '../../../platform/storage/content-store.ts';
import { BlueprintFault } from './blueprint-fault.domain.ts';
import { MAX_BLUEPRINT_BYTES, RENDERER_VERSION } from './blueprint-limits.data.ts';
import { renderBlueprint } from './render-blueprint.domain.ts';

/** A stored model file. */
export interface ModelFile {
  sha256: Sha256;
  /** Bytes. */
  size: number;
}

/** Images of models, each drawn once and kept in the bucket under the hash of its model. */
export interface ModelImages {
  /** Strong ETag of an image, without its quotes: it names the model's content, the side and the renderer. */
  tagOf(model: ModelFile, side: number): string;
  /**
   * The image as PNG. `beforeDrawing` runs only when it is not kept yet, and may throw. Throws 404 when the model's bytes are gone, 422
   * for a model that cannot be drawn and 503 when too much work waits.
   */
  image(model: ModelFile, side: number, beforeDrawing: () => Promise<void>): Promise<Uint8Array<ArrayBuffer>>;
}

/** CPU time per image: 27 to 95 ms for 50,000 voxels. */
const DRAW_MS = 100;
const UNPROCESSABLE = 422;

export function createModelImages(bucket: R2Bucket, contents: Pick<ContentStore, 'bytes'>): ModelImages {
  const tagOf: ModelImages['tagOf'] = ({ sha256 }, side) => `${sha256}-${side}-${RENDERER_VERSION}`;
  const keyOf = ({ sha256 }: ModelFile, side: number) => `codex-images/${sha256}/${side}-${RENDERER_VERSION}.png`;

  /** A kept image; null when it was not drawn yet. */
  async function kept(model: ModelFile, side: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const object = await bucket.get(keyOf(model, side));
    if (object?.customMetadata?.problem !== undefined) throw cannotDraw(object.customMetadata.problem);
    return object && new Uint8Array(await object.arrayBuffer());
  }

  async function drawn(model: ModelFile, side: number): Promise<Uint8Array<ArrayBuffer>> {
    const file = await contents.bytes(model.sha256);
    if (!file) throw new ApiError('not_found', 'the content of this blueprint is not stored');
    try {
      const image = renderBlueprint(file, side);
      await bucket.put(keyOf(model, side), image);
      return image;
    } catch (error) {
      if (!(error instanceof BlueprintFault)) throw error;
      // An empty object: the same file fails the same way.
      await bucket.put(keyOf(model, side), new Uint8Array(0), { customMetadata: { problem: error.message } });
      throw cannotDraw(error.message);
    }
  }

  return {
    tagOf,

    async image(model, side, beforeDrawing) {
      if (model.size > MAX_BLUEPRINT_BYTES) throw cannotDraw(`the blueprint must have at most ${MAX_BLUEPRINT_BYTES} bytes`);
      const image = await kept(model, side);
      if (image) return image;
      return heavyWork.run(DRAW_MS, async () => {
        // Another request may have drawn it meanwhile.
        const meanwhile = await kept(model, side);
        if (meanwhile) return meanwhile;
        await beforeDrawing();
        return drawn(model, side);
      });
    },
  };
}

function cannotDraw(problem: string): ApiError {
  return new ApiError('bad_request', problem, { status: UNPROCESSABLE });
}
