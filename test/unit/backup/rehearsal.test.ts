import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ageOfBackup } from '../../../scripts/lib/backup/rehearse.ts';
import { inRoot } from '../../../scripts/lib/paths.ts';
import { STORES } from '../../../src/areas/backup/backup.data.ts';

const HOUR = 3600;

describe('age of a backup', () => {
  it.each([
    [13, '13 h old', false],
    [36, '36 h old', false],
    [37, '37 h old', true],
  ])('%i hours are %s, too old: %s', (hours, text, isTooOld) => {
    expect(ageOfBackup(1_800_000_000, 1_800_000_000 + hours * HOUR)).toEqual({ text, isTooOld });
  });
});

describe('what the backup lacks', () => {
  it('is in the runbook, by bucket and folder', () => {
    const runbook = readFileSync(inRoot('docs', 'operations', 'runbook.md'), 'utf8');
    const table = runbook.slice(runbook.indexOf('**Not in the backup**'), runbook.indexOf('**Restore.**'));
    const inPlace = Object.entries(STORES).flatMap(([name, { decision }]) => (decision === 'in place' ? [name] : []));
    expect(inPlace.length).toBeGreaterThan(5);
    for (const name of inPlace) {
      const [bucket = '', folder = ''] = name.split(/(?<=^[A-Z]+)\//);
      expect([name, table.includes(bucket) && table.includes(`\`${folder}\``)]).toEqual([name, true]);
    }
  });
});
