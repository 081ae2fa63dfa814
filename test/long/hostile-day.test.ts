import { env } from 'cloudflare:workers';
import { expect, inject, it } from 'vitest';
import { hostileDay } from '../support/hostile-day.ts';
import { expectBounded } from '../support/hostile-day-checks.ts';

/*
 * 50 accounts, or as many as `FUZZ_SCALE`, with the default allowances. `test/worker` has a day of three accounts.
 */
/** The defaults of the settings. */
const ALLOWANCES = { megabytes: 200, uploads: 60, projects: 5, drafts: 10, scheduled: 20, keys: 20, announcements: 3 };
const SEED = Number((env as { FUZZ_SEED?: string }).FUZZ_SEED ?? 62);
const ACCOUNTS = Math.ceil(Number((env as { FUZZ_SCALE?: string }).FUZZ_SCALE ?? 50));

it('keeps a day of hostile accounts under their allowances, and everybody else on the shared pages', {
  timeout: 3_600_000,
}, async () => {
  const day = await hostileDay({ accounts: ACCOUNTS, seed: SEED, allowances: ALLOWANCES });
  await fetch(inject('processorTime'), { method: 'POST', body: `${JSON.stringify({ ...day, uses: undefined }, null, 1)}\n` });
  expectBounded(day, ALLOWANCES);
  expect(day.requests).toBeGreaterThan(ACCOUNTS * 150);
});
