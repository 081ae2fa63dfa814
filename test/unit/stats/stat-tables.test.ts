import { describe, expect, it } from 'vitest';
import { statTable } from '../../../src/areas/stats/stats.routes.ts';

describe('statTable', () => {
  it.each([
    ['power-rank', 'Power Rank', 12],
    ['magic-find', 'Magic Find', 14],
    ['light', 'Light', 18],
  ] as const)('returns the sources of %s', (stat, label, count) => {
    const table = statTable(stat);
    expect(table).toMatchObject({ stat, label, count });
    expect(table.sources).toHaveLength(count);
  });

  it('has step and permanent for Light only', () => {
    for (const stat of ['power-rank', 'magic-find'] as const) {
      for (const source of statTable(stat).sources) expect(source).toMatchObject({ step: null, permanent: null });
    }
    for (const source of statTable('light').sources) {
      expect(typeof source.permanent).toBe('boolean');
      expect(source.step === null).toBe(source.type === 'switch');
      expect(source.percentage).toBe(false);
    }
  });

  it('returns values unchanged', () => {
    expect(statTable('light').sources.at(-1)).toEqual({
      name: 'Enlightened Buff',
      value: 0.01,
      type: 'switch',
      percentage: false,
      step: null,
      permanent: false,
    });
    expect(statTable('light').sources.find(({ name }) => name === 'Geode Mastery Level')).toMatchObject({
      value: 1000,
      type: 'slider',
      step: 1,
      permanent: true,
    });
    expect(statTable('magic-find').sources.at(-1)).toMatchObject({ name: 'Bonus MF (No deaths)', value: 50, percentage: true });
    expect(statTable('power-rank').sources[0]).toMatchObject({ name: 'Dragons', value: 2130, type: 'slider' });
    expect(statTable('power-rank').sources.reduce((sum, { value }) => sum + value, 0)).toBe(56270);
  });
});
