import { describe, expect, it } from 'vitest';
import { sumStat } from '../../../src/areas/stats/stat-sum.domain.ts';
import { STAT_TABLES } from '../../../src/areas/stats/stat-tables.data.ts';

const positionOf = (stat: 'light' | 'magic-find' | 'power-rank', name: string) =>
  STAT_TABLES[stat].sources.findIndex((source) => source.name === name);

describe('sumStat', () => {
  it('adds amounts, and names what is missing by its gain', () => {
    const sum = sumStat('power-rank', { [positionOf('power-rank', 'Hat')]: 2324, [positionOf('power-rank', 'Dragons')]: 130 });
    expect(sum.total).toBe(2454);
    expect(sum.missing[0]?.source.name).toBe('Gems');
    expect(sum.missing.find(({ source }) => source.name === 'Dragons')?.gain).toBe(2000);
    expect(sum.missing.some(({ source }) => source.name === 'Hat')).toBe(false);
  });

  it('adds a source in percent as a share of the others', () => {
    const hat = positionOf('magic-find', 'Hat');
    const bonus = positionOf('magic-find', 'Bonus MF (No deaths)');
    expect(sumStat('magic-find', { [hat]: 390, [bonus]: 50 }).total).toBe(585);
    expect(sumStat('magic-find', { [hat]: 390 }).missing.find(({ position }) => position === bonus)?.gain).toBe(195);
  });

  it('adds the Enlightened Buff as a share of the others', () => {
    const weapon = positionOf('light', 'Mystic 1 Weapon');
    expect(sumStat('light', { [weapon]: 2340, [positionOf('light', 'Enlightened Buff')]: 0.01 }).total).toBe(2363.4);
  });

  it('limits amounts to those of the table', () => {
    const ally = positionOf('light', 'Ally');
    expect(sumStat('light', { [ally]: 9999 }).total).toBe(450);
    expect(sumStat('light', { [ally]: -5 }).total).toBe(0);
  });

  it.each(['power-rank', 'magic-find', 'light'] as const)('reaches its maximum with everything of %s', (stat) => {
    const all = Object.fromEntries(STAT_TABLES[stat].sources.map(({ value }, position) => [position, value]));
    const sum = sumStat(stat, all);
    expect([sum.total, sum.missing]).toEqual([sum.max, []]);
  });
});
