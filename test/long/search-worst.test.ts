import { expect, it } from 'vitest';
import { searchWorst } from '../support/search-worst.ts';

/** As many entries as a large catalog with all players has. */
const ENTRIES = 200_000;
/** Far below the limit of the database for a statement, and of the order of the largest list. */
const MAX_MS = 2000;

it('responds to every hostile query of 200,000 entries with bounded candidates and time', async () => {
  const worst = await searchWorst({ entries: ENTRIES, queries: 500, seed: process.env.FUZZ_SEED ?? 'search' });
  console.log(JSON.stringify(worst));
  expect(worst.candidates).toBeLessThanOrEqual(280);
  expect(worst.ms, worst.query).toBeLessThan(MAX_MS);
}, 1_200_000);
