import { ZLIB_HEAD } from './tmod.data.ts';

/** What the length of a text in a header counts: `bytes` in the format, characters in files of an older writer. */
export type LengthUnit = 'bytes' | 'code points' | 'code units';

/** All units; that of the format first. */
export const LENGTH_UNITS: readonly LengthUnit[] = ['bytes', 'code points', 'code units'];

/** First bytes of UTF-8 sequences by length; a byte from 0x80 to 0xbf starts none. */
const TWO_BYTES = 0xc0;
const THREE_BYTES = 0xe0;
const FOUR_BYTES = 0xf0;
const CONTINUATION = 0x80;

/** End of a text of `length` units that starts at `start`; null if it extends beyond `bytes`, or ends within a character. */
export function textEnd(bytes: Uint8Array, start: number, length: number, unit: LengthUnit): number | null {
  if (unit === 'bytes') return start + length <= bytes.length ? start + length : null;
  let at = start;
  let rest = length;
  while (rest > 0) {
    const first = bytes[at] ?? CONTINUATION;
    if (first >= CONTINUATION && first < TWO_BYTES) return null;
    at += first < CONTINUATION ? 1 : first < THREE_BYTES ? 2 : first < FOUR_BYTES ? 3 : 4;
    // Characters of four bytes are two code units.
    rest -= unit === 'code units' && first >= FOUR_BYTES ? 2 : 1;
  }
  return rest === 0 && at <= bytes.length ? at : null;
}

/** Maximum number of decoded bytes per byte of a compressed stream: the limit of deflate. */
const MAX_EXPANSION = 1032;
/** Kind of a deflate block, without the bit that marks the last one; 0: stored. */
const BLOCK_KIND = 0b110;

/** Upper bound of the decoded bytes of a stream of `length` bytes: its length if it begins as writers of stored blocks begin it. */
export function maxDecodedBytes(start: Uint8Array, length: number): number {
  const isStored = ZLIB_HEAD.every((byte, index) => start[index] === byte) && ((start[ZLIB_HEAD.length] ?? 0) & BLOCK_KIND) === 0;
  return isStored ? length : length * MAX_EXPANSION;
}
