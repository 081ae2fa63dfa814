import { beforeEach, expect, it } from 'vitest';
import { hostileDay } from '../../../support/hostile-day.ts';
import { expectBounded } from '../../../support/hostile-day-checks.ts';
import { clearCatalog } from '../catalog.ts';

/** Small, so that two accounts reach all of them within seconds; `npm run test:long` runs 50 accounts with the defaults. */
const ALLOWANCES = { megabytes: 2, uploads: 14, projects: 2, drafts: 2, scheduled: 1, keys: 3, announcements: 1 };

beforeEach(clearCatalog);

it('keeps a day of two hostile accounts under their allowances, and everybody else on the shared pages', async () => {
  const day = await hostileDay({ accounts: 2, seed: 62, allowances: ALLOWANCES });
  expectBounded(day, ALLOWANCES);
  expect(day.requests).toBeGreaterThan(100);
}, 120_000);
