import { pushVarint } from '../../platform/values/varint.ts';

const FIRST_BYTES = 4096;

/** Bytes written one after the other, in room that doubles. */
export class ByteWriter {
  #room = new Uint8Array(FIRST_BYTES);
  #used = 0;

  bytes(bytes: Uint8Array): void {
    const used = this.#used + bytes.length;
    if (used > this.#room.length) {
      const room = new Uint8Array(Math.max(used, this.#room.length * 2));
      room.set(this.#room);
      this.#room = room;
    }
    this.#room.set(bytes, this.#used);
    this.#used = used;
  }

  varints(...values: number[]): void {
    const out: number[] = [];
    for (const value of values) pushVarint(out, value);
    this.bytes(Uint8Array.from(out));
  }

  /** All of it, from the first byte of its buffer on. */
  written(): Uint8Array {
    return this.#room.subarray(0, this.#used);
  }
}
