import { constants, createInflateRaw } from 'node:zlib';
import { MAX_SLICE_BYTES } from './byte-segments.domain.ts';
import { ZLIB_HEAD_BYTES } from './stored-stream.domain.ts';

/** Memory of this size goes back to the system when it is collected, that of small chunks stays with the process. */
const CHUNK_BYTES = 256 * 1024;
/** Deflate makes no more of a byte than this. */
const MAX_EXPANSION = 1032;

/**
 * Decoded bytes of a compressed stream with a checked zlib header, chunk by chunk as they are asked for. A stream may
 * end early, lack or falsify its Adler-32, or have more bytes after it; at a broken block it just ends.
 */
async function* inflated(stream: Uint8Array): AsyncGenerator<Uint8Array> {
  const decoder = createInflateRaw({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  decoder.end(stream.subarray(ZLIB_HEAD_BYTES));
  try {
    for await (const chunk of decoder) yield chunk;
  } catch {
    // Data decoded before the error counts.
  } finally {
    decoder.destroy();
  }
}

/** Bytes of a copy that holds the first `wanted` decoded bytes, or all that the stream can make. */
export function copyBytes(stream: Uint8Array, wanted: number): number {
  return Math.min(wanted, stream.length * MAX_EXPANSION);
}

/** Fills a copy with decoded bytes. Returns how many there were for it. */
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

/** A stream decoded only once, from its start on: offsets must rise. */
export class InflatedSequence {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  /** Decoded bytes before the chunk. */
  #before = 0;

  constructor(stream: Uint8Array) {
    this.#chunks = inflated(stream);
  }

  /** As of any reading; what is not decoded yet is waited for. */
  slice(offset: number, limit: number): Uint8Array | Promise<Uint8Array> {
    const start = offset - this.#before;
    return start < this.#chunk.length
      ? this.#chunk.subarray(start, start + Math.min(limit, MAX_SLICE_BYTES))
      : this.#sliceAhead(offset, limit);
  }

  /** Lets go of the decoder. */
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
