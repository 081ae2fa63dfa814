import { describe, expect, it } from 'vitest';
import { ageOfBackup } from '../../../scripts/lib/backup/rehearse.ts';

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
