import { pushVarint } from '../../platform/kit/values/bytes.ts';

const INITIAL_BYTES = 4096;

/** Byte buffer that doubles when it is full. */
export class ByteWriter {
  #buffer = new Uint8Array(INITIAL_BYTES);
  #used = 0;

  bytes(bytes: Uint8Array): void {
    const used = this.#used + bytes.length;
    if (used > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(used, this.#buffer.length * 2));
      grown.set(this.#buffer);
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#used);
    this.#used = used;
  }

  varints(...values: number[]): void {
    const out: number[] = [];
    for (const value of values) pushVarint(out, value);
    this.bytes(Uint8Array.from(out));
  }

  /** All written bytes; starts at byte 0 of the underlying buffer. */
  written(): Uint8Array {
    return this.#buffer.subarray(0, this.#used);
  }
}
