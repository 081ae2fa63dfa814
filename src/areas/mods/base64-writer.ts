import { Buffer } from 'node:buffer';

/** Bytes that become text at once: a multiple of three, and few enough that the text is soon collected. */
const STEP_BYTES = 12 * 1024;
const GROUP_BYTES = 3;

/** Room that bytes take in base64, with those held back before them. */
export function base64Length(length: number): number {
  return Math.ceil((length + GROUP_BYTES - 1) / GROUP_BYTES) * 4;
}

/** Writes the base64 of bytes that come in pieces of any length. */
export class Base64Writer {
  readonly #encoder = new TextEncoder();
  /** Up to two bytes that wait for a third. */
  #held: number[] = [];

  /** Writes all whole groups to `out` from `at` on. Returns where they end. */
  write(bytes: Uint8Array, out: Uint8Array, at: number): number {
    let start = 0;
    let next = at;
    if (this.#held.length > 0) {
      while (this.#held.length < GROUP_BYTES && start < bytes.length) this.#held.push(bytes[start++] ?? 0);
      if (this.#held.length < GROUP_BYTES) return at;
      next = this.#writeText(Uint8Array.from(this.#held), out, at);
    }
    const whole = start + Math.floor((bytes.length - start) / GROUP_BYTES) * GROUP_BYTES;
    for (; start < whole; start += STEP_BYTES)
      next = this.#writeText(bytes.subarray(start, Math.min(whole, start + STEP_BYTES)), out, next);
    this.#held = [...bytes.subarray(whole)];
    return next;
  }

  /** Writes what is held, padded. Returns where it ends. */
  end(out: Uint8Array, at: number): number {
    const last = Uint8Array.from(this.#held);
    this.#held = [];
    return this.#writeText(last, out, at);
  }

  #writeText({ buffer, byteOffset, length }: Uint8Array, out: Uint8Array, at: number): number {
    const text = Buffer.from(buffer as ArrayBuffer, byteOffset, length).toString('base64');
    return at + this.#encoder.encodeInto(text, out.subarray(at)).written;
  }
}
