import { pick, type RandomSource, randomBelow } from '../../../src/platform/values/random-source.ts';

/* Damage to files, the same for the same source of randomness. */

const TELLING_BYTES = [0x00, 0x04, 0x08, 0x1e, 0x24, 0x2e, 0x30, 0x38, 0x3e, 0x7f, 0x80, 0xae, 0xbe, 0xff];

type Mutation = (bytes: Uint8Array, random: RandomSource) => Uint8Array;

const place = (bytes: Uint8Array, random: RandomSource): number => randomBelow(random, bytes.length + 1);

function spliced(bytes: Uint8Array, from: number, next: number, middle: Uint8Array): Uint8Array {
  const all = new Uint8Array(from + middle.length + bytes.length - next);
  all.set(bytes.subarray(0, from));
  all.set(middle, from);
  all.set(bytes.subarray(next), from + middle.length);
  return all;
}

const MUTATIONS: readonly Mutation[] = [
  // One byte becomes another.
  (bytes, random) => (bytes.length === 0 ? bytes : bytes.with(randomBelow(random, bytes.length), pick(random, TELLING_BYTES))),
  (bytes, random) => (bytes.length === 0 ? bytes : bytes.with(randomBelow(random, bytes.length), randomBelow(random, 256))),
  // The end is lost.
  (bytes, random) => bytes.slice(0, place(bytes, random)),
  // The beginning is lost.
  (bytes, random) => bytes.slice(place(bytes, random)),
  // Some bytes come in between.
  (bytes, random) => {
    const at = place(bytes, random);
    return spliced(
      bytes,
      at,
      at,
      Uint8Array.from({ length: 1 + randomBelow(random, 8) }, () => pick(random, TELLING_BYTES)),
    );
  },
  // A part is written several times over.
  (bytes, random) => {
    const [a, b] = [place(bytes, random), place(bytes, random)];
    const part = bytes.slice(Math.min(a, b), Math.min(Math.max(a, b), Math.min(a, b) + 64));
    const times = 1 + randomBelow(random, 20);
    const many = new Uint8Array(part.length * times);
    for (let time = 0; time < times; time += 1) many.set(part, time * part.length);
    return spliced(bytes, Math.min(a, b), Math.min(a, b), many);
  },
  // A part is missing.
  (bytes, random) => {
    const [a, b] = [place(bytes, random), place(bytes, random)];
    return spliced(bytes, Math.min(a, b), Math.max(a, b), new Uint8Array(0));
  },
];

/** A damaged copy: one to four mutations. */
export function mutated(bytes: Uint8Array, random: RandomSource): Uint8Array {
  let copy = bytes;
  for (let times = 1 + randomBelow(random, 4); times > 0; times -= 1) copy = pick(random, MUTATIONS)(copy, random);
  return copy;
}
