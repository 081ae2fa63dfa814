const TWO_32 = 2 ** 32;

/** Uniform in [0, 1). */
export function systemRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / TWO_32;
}

/** Cryptographically random bytes. */
export function drawBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

const BLOCK = 64;

/** Cryptographically random, uniform 32-bit unsigned integers, drawn from the system in blocks for speed. */
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
