/** Returns uniform 32-bit unsigned integers. Domain functions receive one as an argument. */
export type RandomSource = () => number;

/** The integer 7 and the string `7` are the same seed. */
export type Seed = number | string;

const TWO_32 = 2 ** 32;
const TWO_26 = 2 ** 26;
const TWO_53 = 2 ** 53;

/** Returns a uniform number in [0, 1) with all 53 bits of a double. */
export function randomUnit(random: RandomSource): number {
  return ((random() >>> 5) * TWO_26 + (random() >>> 6)) / TWO_53;
}

/** Returns a uniform integer in [0, bound), `bound` up to 2^32. Discards draws past the last multiple of `bound`, which avoids bias. */
export function randomBelow(random: RandomSource, bound: number): number {
  const limit = TWO_32 - (TWO_32 % bound);
  let draw = random();
  while (draw >= limit) draw = random();
  return draw % bound;
}

/** Returns true with the given probability. */
export function happens(random: RandomSource, probability: number): boolean {
  return randomUnit(random) < probability;
}

/** Returns a random item. All items have the same probability. */
export function pick<T>(random: RandomSource, items: readonly T[]): T {
  if (items.length === 0) throw new RangeError('items must not be empty');
  return items[randomBelow(random, items.length)] as T;
}

/** Returns a random item with probabilities in proportion to the weights. */
export function pickWeighted<T>(random: RandomSource, items: readonly T[], weightOf: (item: T) => number): T {
  let remaining = randomUnit(random) * items.reduce((sum, item) => sum + weightOf(item), 0);
  for (const item of items) {
    remaining -= weightOf(item);
    if (remaining < 0) return item;
  }
  const last = items.at(-1);
  if (last === undefined) throw new RangeError('items must not be empty');
  return last;
}

const rotateLeft = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** Creates a xoshiro128** generator. Its four state words are hashes of the seed. */
export function seededRandom(seed: Seed): RandomSource {
  let [a, b, c, d] = LANES.map((basis) => hashText(String(seed), basis)) as [number, number, number, number];
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  };
}

/** Start values of the four hashes: the FNV offset basis and the first fractional words of the square roots of 2, 3 and 5. */
const LANES = [0x811c9dc5, 0x6a09e667, 0xbb67ae85, 0x3c6ef372] as const;

/** FNV-1a over UTF-16 code units with the finalizer of MurmurHash3. Returns 32 bits, signed. */
export function hashText(text: string, basis: number = LANES[0]): number {
  let hash = basis;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Cryptographically random, uniform in [0, 1). */
export function systemRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / TWO_32;
}

/** Cryptographically random bytes. */
export function systemRandomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

const BLOCK = 64;

/** Returns a generator of cryptographically random, uniform 32-bit unsigned integers. Reads 64 at a time for speed. */
export function createRandomInts(): () => number {
  const block = new Uint32Array(BLOCK);
  let used = BLOCK;
  return () => {
    if (used === BLOCK) {
      crypto.getRandomValues(block);
      used = 0;
    }
    return block[used++] ?? 0;
  };
}
