import { joinBytes } from '../platform/kit/values/bytes.ts';

const OFFSET_BASIS = 2166136261;
const PRIME = 16777619;
const WORD_BYTES = 4;

/**
 * 32-bit checksum of mod files and of the game's archives: FNV-1a over little-endian words. The remaining one to three bytes form a
 * word in big-endian order. Each of these bytes is sign-extended, because the original implementation reads signed characters.
 */
export function gameChecksum(bytes: Uint8Array): number {
  const checksum = createChecksum();
  checksum.update(bytes);
  return checksum.digest();
}

/** Computes the checksum of bytes in chunks. */
export function createChecksum(): { update(chunk: Uint8Array): void; digest(): number } {
  let hash = OFFSET_BASIS | 0;
  let tail = new Uint8Array(0);

  return {
    update(chunk) {
      const bytes = tail.length === 0 ? chunk : joinBytes([tail, chunk]);
      const words = bytes.length - (bytes.length % WORD_BYTES);
      hash = hashWords(hash, bytes, words);
      tail = bytes.slice(words);
    },
    digest: () => (tail.length === 0 ? hash : hashWord(hash, lastWord(tail))) >>> 0,
  };
}

function hashWords(start: number, bytes: Uint8Array, end: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hash = start;
  for (let offset = 0; offset < end; offset += WORD_BYTES) hash = Math.imul(PRIME, hash ^ view.getInt32(offset, true));
  return hash;
}

function hashWord(hash: number, word: number): number {
  return Math.imul(PRIME, hash ^ word);
}

function lastWord(tail: Uint8Array): number {
  let word = 0;
  for (const byte of tail) word = (word << 8) | signExtend(byte);
  return word;
}

function signExtend(byte: number): number {
  return byte < 0x80 ? byte : byte | 0xffffff00;
}
