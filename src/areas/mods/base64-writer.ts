import { Buffer } from 'node:buffer';

/** Bytes encoded per step: a multiple of three, and small, so that the intermediate text is short-lived. */
const STEP_BYTES = 12 * 1024;
const GROUP_BYTES = 3;

/** Maximum base64 length of a number of bytes, including pending ones. */
export function base64Length(length: number): number {
  return Math.ceil((length + GROUP_BYTES - 1) / GROUP_BYTES) * 4;
}

/** Streaming base64 encoder for chunks of any length. */
export class Base64Writer {
  readonly #encoder = new TextEncoder();
  /** Up to two bytes of an incomplete group. */
  #pending: number[] = [];

  /** Encodes all complete groups into `out` at offset `at`. Returns the end offset. */
  write(bytes: Uint8Array, out: Uint8Array, at: number): number {
    let start = 0;
    let next = at;
    if (this.#pending.length > 0) {
      while (this.#pending.length < GROUP_BYTES && start < bytes.length) this.#pending.push(bytes[start++] ?? 0);
      if (this.#pending.length < GROUP_BYTES) return at;
      next = this.#writeText(Uint8Array.from(this.#pending), out, at);
    }
    const groupsEnd = start + Math.floor((bytes.length - start) / GROUP_BYTES) * GROUP_BYTES;
    for (; start < groupsEnd; start += STEP_BYTES)
      next = this.#writeText(bytes.subarray(start, Math.min(groupsEnd, start + STEP_BYTES)), out, next);
    this.#pending = [...bytes.subarray(groupsEnd)];
    return next;
  }

  /** Encodes the pending bytes with padding. Returns the end offset. */
  end(out: Uint8Array, at: number): number {
    const last = Uint8Array.from(this.#pending);
    this.#pending = [];
    return this.#writeText(last, out, at);
  }

  #writeText({ buffer, byteOffset, length }: Uint8Array, out: Uint8Array, at: number): number {
    const text = Buffer.from(buffer as ArrayBuffer, byteOffset, length).toString('base64');
    return at + this.#encoder.encodeInto(text, out.subarray(at)).written;
  }
}
