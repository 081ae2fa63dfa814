import { describe, expect, it } from 'vitest';
import { createFullBackup, tryFault, tryFileFault, wholeRestore } from '../support/restore-failures.ts';

describe('a restore', () => {
  it.each(['refused', 'lost'] as const)(
    'says what stands at every call of the database, and has the same rows after a second run: %s',
    async (fault) => {
      const backup = await createFullBackup();
      const whole = await wholeRestore(backup);
      for (let at = 0; at < whole.calls; at += 1) await tryFault(backup, whole, at, fault);
      console.log(`${whole.calls} calls, ${fault}`);
    },
    3_600_000,
  );

  it.each(['missing', 'damaged'] as const)(
    'says what stands at every read of a file: %s',
    async (fault) => {
      const backup = await createFullBackup();
      const whole = await wholeRestore(backup);
      let at = 0;
      let failed = 0;
      for (; ; at += 1) {
        const result = await tryFileFault(backup, whole, at, fault);
        if (!result.wasRead) break;
        if (result.failed) failed += 1;
      }
      console.log(`${at} reads, ${failed} of them ended the restore, ${fault}`);
      expect(failed).toBeGreaterThan(10);
    },
    3_600_000,
  );
});
