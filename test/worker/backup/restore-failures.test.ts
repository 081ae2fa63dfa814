import { describe, expect, it } from 'vitest';
import { createFullBackup, tryFault, tryFileFault, wholeRestore } from '../../support/restore-failures.ts';

/** One of so many calls fails; test/long tries each. */
const STEP = 17;

describe('a restore whose database fails', () => {
  it('says what stands, and has the same rows after a second run', async () => {
    const backup = await createFullBackup();
    const whole = await wholeRestore(backup);
    const last = whole.calls - 1;
    const tried = [...Array.from({ length: Math.ceil(whole.calls / STEP) }, (_, index) => index * STEP), last];
    for (const at of tried) await tryFault(backup, whole, at, at % 2 === 0 || at === last ? 'lost' : 'refused');
    expect(tried.length).toBeGreaterThan(8);
  }, 300_000);

  it('writes nothing when a file of the backup is missing or damaged', async () => {
    const backup = await createFullBackup();
    const whole = await wholeRestore(backup);
    for (const [at, fault] of [
      [0, 'missing'],
      [1, 'damaged'],
    ] as const)
      expect(await tryFileFault(backup, whole, at, fault)).toEqual({ wasRead: true, failed: true });
  }, 300_000);
});
