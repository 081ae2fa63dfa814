import { expect, it } from 'vitest';
import { searchWorst } from '../../support/search-worst.ts';

it('responds to every hostile query of a small index with bounded candidates and time', async () => {
  const worst = await searchWorst({ entries: 4000, queries: 150, seed: 'search' });
  // Names, typos, texts and sections of the documentation: their limits together.
  expect(worst.candidates).toBeLessThanOrEqual(280);
  expect(worst.ms, worst.query).toBeLessThan(500);
}, 60_000);
