import { constants, createInflateRaw } from 'node:zlib';
import type { Inflated } from './file-contents.domain.ts';

/** Large buffers are returned to the system after collection; the memory of small ones stays with the process. */
const CHUNK_BYTES = 256 * 1024;

export const inflated: Inflated = async function* (deflated) {
  const decoder = createInflateRaw({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  decoder.end(deflated);
  try {
    for await (const chunk of decoder) yield chunk;
  } catch {
    // The data before the error is valid.
  } finally {
    decoder.destroy();
  }
};
