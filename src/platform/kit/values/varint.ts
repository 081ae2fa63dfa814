/** A LEB128 number and the offset of the next byte. */
export interface Varint {
  /** Truncated to 32 bits, as in the game. */
  readonly value: number;
  readonly next: number;
}

/** Maximum length: that of a 64-bit number. */
const MAX_VARINT_BYTES = 10;
const GROUP_BITS = 7;
const CONTINUATION_BIT = 0x80;
const GROUP_MASK = 0x7f;
const WORD_BITS = 32;

/** Reads an unsigned LEB128 number at `offset`; null if it is incomplete or longer than ten bytes. */
export function readVarint(bytes: Uint8Array, offset: number): Varint | null {
  let value = 0;
  for (let group = 0; group < MAX_VARINT_BYTES; group += 1) {
    const byte = bytes[offset + group];
    if (byte === undefined) return null;
    const shift = group * GROUP_BITS;
    // Shifts work modulo 32: higher groups would wrap around to the low bits.
    if (shift < WORD_BITS) value |= (byte & GROUP_MASK) << shift;
    if (byte < CONTINUATION_BIT) return { value: value >>> 0, next: offset + group + 1 };
  }
  return null;
}

/** Appends an integer from 0 to 2^32 - 1 in LEB128 to `out`. */
export function pushVarint(out: number[], value: number): void {
  let rest = value >>> 0;
  while (rest >= CONTINUATION_BIT) {
    out.push((rest & GROUP_MASK) | CONTINUATION_BIT);
    rest >>>= GROUP_BITS;
  }
  out.push(rest);
}
