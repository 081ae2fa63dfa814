/** A LEB128 number and where the bytes after it begin. */
export interface Varint {
  /** Cut to 32 bits, as the game's own reader does. */
  readonly value: number;
  readonly next: number;
}

/** More groups than a 64-bit number has are malformed. */
const MAX_VARINT_BYTES = 10;
const GROUP_BITS = 7;
const CONTINUES = 0x80;
const GROUP_MASK = 0x7f;
const WORD_BITS = 32;

/** Reads an unsigned LEB128 number at `offset`; null when the bytes end in it or it has more than ten groups. */
export function readVarint(bytes: Uint8Array, offset: number): Varint | null {
  let value = 0;
  for (let group = 0; group < MAX_VARINT_BYTES; group += 1) {
    const byte = bytes[offset + group];
    if (byte === undefined) return null;
    const shift = group * GROUP_BITS;
    // Shifts work modulo 32: higher groups would wrap around to the low bits.
    if (shift < WORD_BITS) value |= (byte & GROUP_MASK) << shift;
    if (byte < CONTINUES) return { value: value >>> 0, next: offset + group + 1 };
  }
  return null;
}

/** The LEB128 form of an integer from 0 to 2^32 - 1, appended to `out`. */
export function pushVarint(out: number[], value: number): void {
  let rest = value >>> 0;
  while (rest >= CONTINUES) {
    out.push((rest & GROUP_MASK) | CONTINUES);
    rest >>>= GROUP_BITS;
  }
  out.push(rest);
}
