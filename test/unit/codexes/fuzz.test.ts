import { expect, test } from 'vitest';
import { fuzzCodex } from '../../support/codex/fuzz.ts';

/** The long suite tries 50,000. */
const COUNT = 600;

test('returns entries for damaged files without errors', () => {
  const { tried, decoded, entries } = fuzzCodex(1, COUNT);
  expect(tried).toBe(COUNT);
  expect(decoded).toBeGreaterThan(0);
  expect(decoded).toBeLessThan(COUNT);
  expect(entries).toBeGreaterThan(0);
});
