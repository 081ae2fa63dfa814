const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PADDING = 0x3d;
/** Marks a byte outside the alphabet. Larger than every six-bit value. */
const INVALID = 0x100;

const VALUES = new Uint16Array(256).fill(INVALID);
for (let value = 0; value < ALPHABET.length; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;

const sixBits = (bytes: Uint8Array, at: number): number => VALUES[bytes[at] ?? 0] ?? INVALID;

/**
 * Decodes base64 text in place: the result overwrites the start of the text. Returns the result, or null if the text has characters
 * outside the standard alphabet, an incomplete group, wrong padding or non-zero trailing bits. The text is overwritten in both cases.
 */
export function decodeBase64InPlace<Memory extends ArrayBufferLike>(text: Uint8Array<Memory>): Uint8Array<Memory> | null {
  const { length } = text;
  if (length % 4 !== 0) return null;
  if (length === 0) return text;
  const padding = text[length - 1] !== PADDING ? 0 : text[length - 2] !== PADDING ? 1 : 2;
  const end = decodeGroups(text, padding === 0 ? length : length - 4);
  if (end === null || padding === 0) return end === null ? null : text.subarray(0, end);
  return decodeLast(text, length - 4, padding, end);
}

/** Decodes base64 from the literal of a JSON string, with its escapes, like `decodeBase64InPlace`. */
export function decodeBase64LiteralInPlace(literal: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  const text = unescapeInPlace(literal);
  return text && decodeBase64InPlace(text);
}

const BACKSLASH = 0x5c;
const ESCAPED_SLASH = '/'.charCodeAt(0);
const ESCAPED_CODE = 'u'.charCodeAt(0);
const CODE_DIGITS = 4;

/** Resolves the JSON escapes that can occur in base64 (`\/` and `\u002b`), in place; null for any other escape. */
function unescapeInPlace(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  let from = text.indexOf(BACKSLASH);
  if (from < 0) return text;
  let to = from;
  while (from < text.length) {
    const escaped = text[from] === BACKSLASH ? text[from + 1] : null;
    if (escaped === null) {
      text[to++] = text[from++] ?? 0;
    } else if (escaped === ESCAPED_SLASH) {
      text[to++] = ESCAPED_SLASH;
      from += 2;
    } else {
      const digits = String.fromCharCode(...text.subarray(from + 2, from + 2 + CODE_DIGITS));
      if (escaped !== ESCAPED_CODE || !/^00[0-9a-f]{2}$/i.test(digits)) return null;
      text[to++] = Number.parseInt(digits, 16);
      from += 2 + CODE_DIGITS;
    }
  }
  return text.subarray(0, to);
}

/** Decodes groups of four characters up to `length`. Returns the number of decoded bytes; null for invalid text. */
function decodeGroups(text: Uint8Array, length: number): number | null {
  let out = 0;
  let combined = 0;
  for (let at = 0; at < length; at += 4) {
    const a = sixBits(text, at);
    const b = sixBits(text, at + 1);
    const c = sixBits(text, at + 2);
    const d = sixBits(text, at + 3);
    combined |= a | b | c | d;
    text[out] = (a << 2) | (b >> 4);
    text[out + 1] = (b << 4) | (c >> 2);
    text[out + 2] = (c << 6) | d;
    out += 3;
  }
  return combined >= INVALID ? null : out;
}

/** Decodes the last group, which has one or two padding characters. */
function decodeLast<Memory extends ArrayBufferLike>(
  text: Uint8Array<Memory>,
  at: number,
  padding: number,
  out: number,
): Uint8Array<Memory> | null {
  const a = sixBits(text, at);
  const b = sixBits(text, at + 1);
  const c = padding === 1 ? sixBits(text, at + 2) : 0;
  const unused = padding === 1 ? c & 0x03 : b & 0x0f;
  if ((a | b | c) >= INVALID || unused !== 0) return null;
  text[out] = (a << 2) | (b >> 4);
  if (padding === 1) text[out + 1] = (b << 4) | (c >> 2);
  return text.subarray(0, out + 3 - padding);
}
