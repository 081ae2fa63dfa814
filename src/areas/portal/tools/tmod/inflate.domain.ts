import { Inflate as Decoder } from 'fflate';
import { BlueprintError } from '../../../codexes/render/blueprint.domain.ts';
import type { Inflate } from '../../../codexes/render/decode-blueprint.domain.ts';
import type { Inflated } from '../../../mods/file-contents.domain.ts';

/** Compressed bytes per step: what a step decodes before a broken block is lost, so steps are small. */
const STEP_BYTES = 4096;
const ZLIB_HEAD_BYTES = 2;

/** Decodes a deflated stream step by step. Ends at a broken block, and at the end of a truncated stream. */
function* inflatedSteps(deflated: Uint8Array): Generator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const decoder = new Decoder((chunk) => {
    if (chunk.length > 0) chunks.push(chunk);
  });
  for (let start = 0; start < deflated.length; start += STEP_BYTES) {
    try {
      decoder.push(deflated.subarray(start, start + STEP_BYTES));
    } catch {
      return;
    }
    yield* chunks.splice(0);
  }
}

/** The decoder of streams of `.tmod` files for browsers. */
export const inflated: Inflated = async function* (deflated) {
  yield* inflatedSteps(deflated);
};

/** The decoder of models for browsers. */
export const inflateModel: Inflate = (stream, maxBytes) => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const chunk of inflatedSteps(stream.subarray(ZLIB_HEAD_BYTES))) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw new BlueprintError('the blueprint is too large after decompression');
  }
  if (length === 0) throw new BlueprintError('the blueprint cannot be decompressed');
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};
