import { pick, type RandomSource, randomBelow } from '../../../src/platform/kit/random.ts';

/* Mutations of files, deterministic for a random source. */

const TELLING_BYTES = [0x00, 0x04, 0x08, 0x1e, 0x24, 0x2e, 0x30, 0x38, 0x3e, 0x7f, 0x80, 0xae, 0xbe, 0xff];

type Mutation = (bytes: Uint8Array, random: RandomSource) => Uint8Array;

const positionIn = (bytes: Uint8Array, random: RandomSource): number => randomBelow(random, bytes.length + 1);

function spliced(bytes: Uint8Array, from: number, next: number, middle: Uint8Array): Uint8Array {
  const all = new Uint8Array(from + middle.length + bytes.length - next);
  all.set(bytes.subarray(0, from));
  all.set(middle, from);
  all.set(bytes.subarray(next), from + middle.length);
  return all;
}

const MUTATIONS: readonly Mutation[] = [
  // Changes one byte.
  (bytes, random) => (bytes.length === 0 ? bytes : bytes.with(randomBelow(random, bytes.length), pick(random, TELLING_BYTES))),
  (bytes, random) => (bytes.length === 0 ? bytes : bytes.with(randomBelow(random, bytes.length), randomBelow(random, 256))),
  // Truncates the end.
  (bytes, random) => bytes.slice(0, positionIn(bytes, random)),
  // Truncates the start.
  (bytes, random) => bytes.slice(positionIn(bytes, random)),
  // Inserts bytes.
  (bytes, random) => {
    const at = positionIn(bytes, random);
    return spliced(
      bytes,
      at,
      at,
      Uint8Array.from({ length: 1 + randomBelow(random, 8) }, () => pick(random, TELLING_BYTES)),
    );
  },
  // Repeats a section.
  (bytes, random) => {
    const [a, b] = [positionIn(bytes, random), positionIn(bytes, random)];
    const part = bytes.slice(Math.min(a, b), Math.min(Math.max(a, b), Math.min(a, b) + 64));
    const times = 1 + randomBelow(random, 20);
    const many = new Uint8Array(part.length * times);
    for (let time = 0; time < times; time += 1) many.set(part, time * part.length);
    return spliced(bytes, Math.min(a, b), Math.min(a, b), many);
  },
  // Deletes a section.
  (bytes, random) => {
    const [a, b] = [positionIn(bytes, random), positionIn(bytes, random)];
    return spliced(bytes, Math.min(a, b), Math.max(a, b), new Uint8Array(0));
  },
];

/** Returns a copy with one to four mutations. */
export function mutated(bytes: Uint8Array, random: RandomSource): Uint8Array {
  let copy = bytes;
  for (let times = 1 + randomBelow(random, 4); times > 0; times -= 1) copy = pick(random, MUTATIONS)(copy, random);
  return copy;
}
