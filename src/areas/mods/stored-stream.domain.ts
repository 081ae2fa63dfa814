import { RUN_BYTES, RUN_HEADER_BYTES } from './tmod.data.ts';

/** Decoded bytes, as views of the encoded ones. */
export interface Reading {
  /** Number of decoded bytes. */
  readonly length: number;
  /** At most `limit` bytes at an offset; empty at the end. */
  slice(offset: number, limit: number): Uint8Array;
}

/** Maximum slice length; bounds the memory of consumers. */
export const MAX_SLICE_BYTES = 64 * 1024;

/** Decoded bytes that consist of segments of `bytes`. */
export class ByteSegments implements Reading {
  readonly #bytes: Uint8Array;
  readonly #starts: number[] = [];
  /** Number of decoded bytes up to the end of each segment. */
  readonly #ends: number[] = [];
  length = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get count(): number {
    return this.#starts.length;
  }

  add(start: number, length: number): void {
    if (length === 0) return;
    this.length += length;
    this.#starts.push(start);
    this.#ends.push(this.length);
  }

  slice(offset: number, limit: number): Uint8Array {
    const index = this.#indexAt(offset);
    const before = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    const start = (this.#starts[index] ?? 0) + offset - before;
    const available = (this.#ends[index] ?? offset) - offset;
    return this.#bytes.subarray(start, start + Math.min(available, limit, MAX_SLICE_BYTES));
  }

  /** Index of the segment at a decoded offset. */
  #indexAt(offset: number): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Size of a zlib header. */
export const ZLIB_HEAD_BYTES = 2;
const DEFLATE_METHOD = 8;
const MAX_WINDOW_BITS = 7;
const HAS_DICTIONARY = 0x20;

const FINAL_BLOCK = 0x01;
const KIND_MASK = 0x06;
const STORED = 0x00;
const RESERVED = 0x06;

/** Maximum number of blocks read as views. The decoder reads streams with more blocks, because it needs no list. */
const MAX_SEGMENTS = 65_536;

/** Minimum size of a stream with the fixed framing. */
const MIN_FRAMED_BYTES = 12;
const FRAMED_HEAD_BYTES = ZLIB_HEAD_BYTES + RUN_HEADER_BYTES;
const FRAMED_TAIL_BYTES = 5;

/** `ended`: read completely. `broken`: invalid data. `compressed`: needs a decoder. */
type StoredOutcome = 'ended' | 'broken' | 'compressed';

/** Whether a stream starts with a zlib header: deflate, valid window and check bits, no dictionary. */
function hasZlibHead(stream: Uint8Array): boolean {
  const [method = 0, flags = 0] = stream;
  const isDeflate = (method & 0x0f) === DEFLATE_METHOD && method >> 4 <= MAX_WINDOW_BITS;
  return stream.length >= ZLIB_HEAD_BYTES && isDeflate && (method * 256 + flags) % 31 === 0 && (flags & HAS_DICTIONARY) === 0;
}

/** Reads up to `maxBytes` decoded bytes of a zlib stream of stored blocks, without copying. */
export function readStored(stream: Uint8Array, maxBytes: number): { reading: Reading; outcome: StoredOutcome } {
  const reading = new ByteSegments(stream);
  if (!hasZlibHead(stream)) return { reading, outcome: 'broken' };
  let at = ZLIB_HEAD_BYTES;
  while (reading.length < maxBytes && at < stream.length) {
    const head = stream[at] ?? 0;
    const kind = head & KIND_MASK;
    if (kind === RESERVED) return { reading, outcome: 'broken' };
    if (kind !== STORED || reading.count === MAX_SEGMENTS) return { reading, outcome: 'compressed' };
    const start = at + RUN_HEADER_BYTES;
    if (start > stream.length) break;
    const length = wordAt(stream, at + 1);
    if ((length ^ wordAt(stream, at + 3)) !== 0xffff) return { reading, outcome: 'broken' };
    reading.add(start, Math.min(length, stream.length - start));
    if ((head & FINAL_BLOCK) !== 0) break;
    at = start + length;
  }
  return { reading, outcome: 'ended' };
}

/**
 * Reads a stream with the fixed framing of some writers, ignoring the block headers: 7 bytes, runs of 32768 bytes separated by
 * 5 bytes, a shorter last run, 5 bytes. Null if the stream is too short.
 */
export function readFramed(stream: Uint8Array): Reading | null {
  if (stream.length < MIN_FRAMED_BYTES) return null;
  const reading = new ByteSegments(stream);
  const end = stream.length - FRAMED_TAIL_BYTES;
  let at = FRAMED_HEAD_BYTES;
  for (; end - at >= RUN_BYTES + RUN_HEADER_BYTES; at += RUN_BYTES + RUN_HEADER_BYTES) reading.add(at, RUN_BYTES);
  reading.add(at, end - at);
  return reading;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}
