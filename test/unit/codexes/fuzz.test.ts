import { expect, it } from 'vitest';
import { fuzzCodex } from '../../support/codex/fuzz.ts';

/** The long suite runs 50,000. */
const COUNT = 600;

it('builds a codex from damaged files without throwing', () => {
  const { tried, decoded, entries } = fuzzCodex(1, COUNT);
  expect(tried).toBe(COUNT);
  expect(decoded).toBeGreaterThan(0);
  expect(decoded).toBeLessThan(COUNT);
  expect(entries).toBeGreaterThan(0);
});
