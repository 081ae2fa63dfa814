import { constants, createInflateRaw } from 'node:zlib';
import { ByteSegments, type Reading } from './byte-segments.domain.ts';
import { ZLIB_HEAD_BYTES } from './stored-stream.domain.ts';

const CHUNK_BYTES = 64 * 1024;
/** Deflate makes no more of a byte than this. */
const MAX_EXPANSION = 1032;

/**
 * Decoded bytes of a compressed stream with a checked zlib header, chunk by chunk as they are asked for. A stream may
 * end early, lack or falsify its Adler-32, or have more bytes after it; at a broken block it just ends.
 */
export async function* inflated(stream: Uint8Array): AsyncGenerator<Uint8Array> {
  const decoder = createInflateRaw({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  decoder.end(stream.subarray(ZLIB_HEAD_BYTES));
  try {
    for await (const chunk of decoder) yield chunk;
  } catch {
    // What came out before counts.
  } finally {
    decoder.destroy();
  }
}

/** Largest copy that `inflateCopy` makes. */
export function copyBytes(stream: Uint8Array, wanted: number): number {
  return Math.min(wanted, stream.length * MAX_EXPANSION);
}

/** The first `wanted` decoded bytes, or what there is of them, in one copy. */
export async function inflateCopy(stream: Uint8Array, wanted: number): Promise<Reading> {
  const copy = new Uint8Array(copyBytes(stream, wanted));
  let length = 0;
  for await (const chunk of inflated(stream)) {
    const fitting = chunk.subarray(0, copy.length - length);
    copy.set(fitting, length);
    length += fitting.length;
    if (length === copy.length) break;
  }
  const reading = new ByteSegments(copy);
  reading.add(0, length);
  return reading;
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
    return start < this.#chunk.length ? this.#chunk.subarray(start, start + limit) : this.#sliceAhead(offset, limit);
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
