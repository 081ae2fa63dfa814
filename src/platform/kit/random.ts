const TWO_32 = 2 ** 32;

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
