import { expect, test } from 'vitest';
import { fuzzCodex } from '../support/codex/fuzz.ts';

const ROUNDS = 10;
const COUNT = 5000;

test.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))('indexes or rejects 5,000 damaged game files (seed %i)', (seed) => {
  expect(fuzzCodex(seed, COUNT).tried).toBe(COUNT);
});
