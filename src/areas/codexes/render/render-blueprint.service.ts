import { constants, inflateSync } from 'node:zlib';
import { encodePng } from '../../../platform/kit/images/encode-png.ts';
import { BlueprintError } from './blueprint.domain.ts';
import { decodeBlueprint, type Inflate } from './decode-blueprint.domain.ts';
import { renderVoxels } from './render-voxels.domain.ts';

/** Renders a model file as a PNG of `side` x `side` pixels. Throws `BlueprintError` if it cannot be rendered. */
export function renderBlueprint(bytes: Uint8Array, side: number): Uint8Array<ArrayBuffer> {
  return encodePng(renderVoxels(decodeBlueprint(bytes, inflateBlueprint), side));
}

/** Inflates a zlib stream. Accepts a missing end, a missing checksum, and trailing bytes. */
export const inflateBlueprint: Inflate = (stream, maxOutputLength, chunkSize) => {
  try {
    return inflateSync(stream, { maxOutputLength, chunkSize, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const isTooLong = error instanceof RangeError || (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    throw new BlueprintError(isTooLong ? 'the blueprint is too large after decompression' : 'the blueprint cannot be decompressed');
  }
};
