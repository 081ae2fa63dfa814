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
