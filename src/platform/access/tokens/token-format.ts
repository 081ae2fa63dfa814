import { crc32 } from 'node:zlib';

/** Digits of base 62 in the order of the token checksum: lower case, upper case, digits. */
const BASE62 = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const BODY_LENGTH = 43;
const DISPLAYED_BODY_LENGTH = 8;

/** Random bytes from 248 on are discarded, to avoid bias: 248 is the largest multiple of 62 in a byte. */
const UNBIASED_LIMIT = 248;

/** Source of random bytes; cryptographic outside tests. */
export type RandomBytes = (count: number) => Uint8Array;

/** Creates a token `<prefix>_<43 base62 characters>_<checksum>` (about 256 bits of entropy). */
export function createTokenSecret(prefix: string, randomBytes: RandomBytes): string {
  let body = '';
  while (body.length < BODY_LENGTH) {
    for (const byte of randomBytes(BODY_LENGTH)) {
      if (byte < UNBIASED_LIMIT && body.length < BODY_LENGTH) body += BASE62.charAt(byte % 62);
    }
  }
  return `${prefix}_${body}_${checksumOf(body)}`;
}

/** CRC-32 (IEEE) of the body in base 62, most significant digit first, unpadded: 1 to 6 characters. */
export function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  do {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  } while (rest > 0);
  return text;
}

/** Checks the format and the checksum of a token without storage access. */
export function isWellFormedToken(token: string, prefix: string): boolean {
  const body = bodyOf(token, prefix);
  return body !== null && token.slice(prefix.length + BODY_LENGTH + 2) === checksumOf(body);
}

/** The fault of a malformed token: its format, or only its checksum. */
export function tokenFault(text: string, prefix: string): 'malformed' | 'checksum' {
  return bodyOf(text, prefix) === null ? 'malformed' : 'checksum';
}

/** The random part of a token; null when the text does not have the format of a token. */
function bodyOf(text: string, prefix: string): string | null {
  if (!text.startsWith(`${prefix}_`)) return null;
  const rest = text.slice(prefix.length + 1);
  const body = rest.slice(0, BODY_LENGTH);
  return rest.charAt(BODY_LENGTH) === '_' && /^[A-Za-z0-9]{43}$/.test(body) ? body : null;
}

/** The public part of a token: prefix and the first 8 characters of the body. */
export function displayPrefix(token: string): string {
  return token.slice(0, token.indexOf('_') + 1 + DISPLAYED_BODY_LENGTH);
}
