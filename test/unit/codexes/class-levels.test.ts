import { describe, expect, it } from 'vitest';
import { decodeBinfab } from '../../../src/areas/codexes/format/decode-binfab.domain.ts';
import { differingStats, toLevelRows } from '../../../src/areas/codexes/indexer/class-figures.service.ts';
import { parseClassLevels, START_SHEET, sumClassLevels } from '../../../src/areas/codexes/parse/class-levels.domain.ts';
import { ADD, encodeClass, MULTIPLY, SET, SUM } from '../../support/codex/class-file.ts';

const classFile = (...file: Parameters<typeof encodeClass>) => decodeBinfab(encodeClass(...file));

describe('parseClassLevels', () => {
  const levels = parseClassLevels(
    classFile({
      1: [
        [2, SUM, 0.3],
        [4, MULTIPLY, 1.1],
        [3, MULTIPLY, 0],
      ],
      2: [
        [0, ADD, 20],
        [7, ADD, 5],
        [37, ADD, 0.25],
      ],
      30: [
        [0, ADD, 4000],
        [9, SET, 5],
        [22, ADD, 30],
      ],
    }),
  );

  it('reads the changes of every level in display units', () => {
    expect(levels?.size).toBe(30);
    expect(toLevelRows(levels ?? new Map())).toMatchObject({
      1: [
        { name: 'Maximum Health %', value: 30, percentage: true, absolute: false },
        { name: 'Health Regen', value: 10, percentage: true, absolute: false },
        { name: 'Energy', value: null, percentage: false, absolute: false },
      ],
      2: [
        { name: 'Physical Damage', value: 20, percentage: false, absolute: false },
        { name: 'Critical Hit', value: 0.5, percentage: true, absolute: false },
        { name: 'Jump Speed', value: 25, percentage: true, absolute: false },
      ],
      3: [],
      30: [
        { name: 'Physical Damage', value: 4000, percentage: false, absolute: false },
        { name: 'Jump', value: 5, percentage: false, absolute: true },
        { name: 'Critical Damage', value: 30, percentage: true, absolute: false },
      ],
    });
  });

  it('adds up to the stats and bonuses of the class', () => {
    const { stats, bonuses } = sumClassLevels(levels ?? new Map());
    expect(Object.fromEntries(stats)).toEqual({
      ...START_SHEET,
      'Physical Damage': 4120,
      'Maximum Health %': 30,
      Energy: null,
      Jump: 5,
      'Critical Hit': 2.5,
      'Critical Damage': 80,
      'Jump Speed': 25,
    });
    expect(Object.fromEntries(bonuses)).toEqual({ 'Health Regen': 10 });
    const stat = (name: string, value: number) => ({ name, value, percentage: false, absolute: false });
    const table = (jump: number) => ({ stats: [stat('Physical Damage', 4120), stat('Jump', jump)], bonuses: [stat('Health Regen', 10)] });
    expect([differingStats(table(5), levels ?? new Map()), differingStats(table(4), levels ?? new Map())]).toEqual([[], ['Jump']]);
  });

  it('is null without all levels, for an unknown stat or operation, and for other files', () => {
    for (const file of [classFile({}, 29), classFile({ 3: [[99, ADD, 1]] }), classFile({ 3: [[0, 40, 1]] }), null]) {
      expect(parseClassLevels(file)).toBeNull();
    }
  });
});
