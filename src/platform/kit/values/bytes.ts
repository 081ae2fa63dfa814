/** Concatenates bytes. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

/** Bytes decoded per step, so that a long text is never in memory as one string. */
const SLICE_BYTES = 8 * 1024;

/** Text up to this length is first checked to be ASCII, which is faster than a decoder. */
const SHORT_BYTES = 40;

// Keep a byte order mark: without it a file could not be rebuilt byte for byte.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Decodes UTF-8; null if the bytes are invalid. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8 in parts of bounded length. Throws if the bytes are invalid. */
export function* utf8Pieces(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    yield decoder.decode(bytes.subarray(start, start + SLICE_BYTES), { stream: start + SLICE_BYTES < bytes.length });
  }
}

export function isUtf8(bytes: Uint8Array): boolean {
  if (bytes.length <= SHORT_BYTES && bytes.every((byte) => byte < 0x80)) return true;
  try {
    for (const _piece of utf8Pieces(bytes));
    return true;
  } catch {
    return false;
  }
}

/** A LEB128 number and the offset of the next byte. */
interface Varint {
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
