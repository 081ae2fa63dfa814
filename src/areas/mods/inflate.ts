import { constants, createInflateRaw } from 'node:zlib';
import { MAX_SLICE_BYTES } from './byte-segments.domain.ts';
import { ZLIB_HEAD_BYTES } from './stored-stream.domain.ts';

/** Large buffers are returned to the system after collection; the memory of small ones stays with the process. */
const CHUNK_BYTES = 256 * 1024;
/** Maximum expansion of deflate. */
const MAX_EXPANSION = 1032;

/**
 * Decodes a compressed stream with a valid zlib header on demand. Tolerates a truncated stream, a missing or wrong Adler-32 and
 * trailing bytes; ends at a broken block.
 */
async function* inflated(stream: Uint8Array): AsyncGenerator<Uint8Array> {
  const decoder = createInflateRaw({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  decoder.end(stream.subarray(ZLIB_HEAD_BYTES));
  try {
    for await (const chunk of decoder) yield chunk;
  } catch {
    // The data before the error is valid.
  } finally {
    decoder.destroy();
  }
}

/** Size of a copy of the first `decodedBytes` bytes, limited by the maximum expansion of the stream. */
export function copyBytes(stream: Uint8Array, decodedBytes: number): number {
  return Math.min(decodedBytes, stream.length * MAX_EXPANSION);
}

/** Decodes into a copy until it is full. Returns the number of decoded bytes. */
export async function inflateInto(copy: Uint8Array, stream: Uint8Array): Promise<number> {
  let length = 0;
  for await (const chunk of inflated(stream)) {
    const fitting = chunk.subarray(0, copy.length - length);
    copy.set(fitting, length);
    length += fitting.length;
    if (length === copy.length) break;
  }
  return length;
}

/** Sequential decoder: offsets must increase. */
export class InflatedSequence {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  /** Number of decoded bytes before the chunk. */
  #before = 0;

  constructor(stream: Uint8Array) {
    this.#chunks = inflated(stream);
  }

  /** Like `Reading.slice`; returns a promise if the bytes are not decoded yet. */
  slice(offset: number, limit: number): Uint8Array | Promise<Uint8Array> {
    const start = offset - this.#before;
    return start < this.#chunk.length
      ? this.#chunk.subarray(start, start + Math.min(limit, MAX_SLICE_BYTES))
      : this.#sliceAhead(offset, limit);
  }

  /** Releases the decoder. */
  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async #sliceAhead(offset: number, limit: number): Promise<Uint8Array> {
    while (offset >= this.#before + this.#chunk.length) {
      const { done, value } = await this.#chunks.next();
      if (done) return new Uint8Array(0);
      this.#before += this.#chunk.length;
      this.#chunk = value;
    }
    return this.slice(offset, limit);
  }
}
