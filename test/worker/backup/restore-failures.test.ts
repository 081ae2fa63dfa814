import { beforeAll, describe, expect, it } from 'vitest';
import { createFullBackup, FILLED_TABLES, tryFault, tryFileFault, wholeRestore } from '../../support/restore-failures.ts';

/** One of so many calls fails; test/long tries each, with every table. */
const STEP = 5;

describe('a restore whose database fails', () => {
  let backup: Awaited<ReturnType<typeof createFullBackup>>;
  let whole: Awaited<ReturnType<typeof wholeRestore>>;

  beforeAll(async () => {
    backup = await createFullBackup(FILLED_TABLES);
    whole = await wholeRestore(backup);
  }, 300_000);

  it('says what stands, and has the same rows after a second run', async () => {
    const last = whole.calls - 1;
    const tried = [...Array.from({ length: Math.ceil(whole.calls / STEP) }, (_, index) => index * STEP), last];
    for (const [index, at] of tried.entries()) await tryFault(backup, whole, at, index % 2 === 0 || at === last ? 'lost' : 'refused');
    expect(tried.length).toBeGreaterThan(8);
  }, 300_000);

  it('writes nothing when a file of the backup is missing or damaged', async () => {
    for (const [at, fault] of [
      [0, 'missing'],
      [1, 'damaged'],
    ] as const)
      expect(await tryFileFault(backup, whole, at, fault)).toEqual({ wasRead: true, failed: true });
  }, 300_000);
});
