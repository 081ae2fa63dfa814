import { describe, expect, it } from 'vitest';
import {
  type Cluster,
  coMovementTerms,
  denseGroups,
  densestBand,
  fuse,
  gainBands,
  movingGroups,
  scheduleConfidence,
  scheduleGroups,
  stemFamilies,
  stemOf,
  stemTerms,
} from '../../../../src/areas/leaderboards/anomalies/clusters.domain.ts';
import { columnsOf } from '../../../support/board-rows.ts';

describe('stemOf', () => {
  it.each([
    ['Ember1', 'ember'],
    ['Ember_-# 12', 'ember'],
    ['Em8er 1 2', 'ember'],
    ['5t4r!ight@9', 'stariighta'],
    ['Ember', null],
    ['E1', null],
    ['1234', null],
    ['', null],
  ])('strips the final digits of %s', (name, stem) => {
    expect(stemOf(name)).toBe(stem);
  });
});

describe('stemTerms', () => {
  it.each([
    [4, 1, 9 / 1009, { closeness: 0.554, size: 0.2, board: 0.5, confidence: 0.721 }],
    [6, 2, 9 / 1009, { closeness: 0.554, size: 0.6, board: 0.75, confidence: 0.801 }],
    [100, 100, 0, { closeness: 1, size: 1, board: 1, confidence: 0.95 }],
  ])('rates %s names on %s boards', (members, boards, spread, expected) => {
    expect(stemTerms(members, boards, spread)).toEqual(expected);
  });
});

describe('stemFamilies', () => {
  it('finds names that differ only in digits and have nearly equal scores', () => {
    const families = stemFamilies(
      columnsOf([
        ['Ember9', 5000],
        ['Ember4', 1009],
        ['Ember3', 1006],
        ['Ember2', 1003],
        ['Ember1', 1000],
        ['Other1', 900],
        ['Other2', 899],
      ]),
    );
    expect([...families.keys()]).toEqual(['ember']);
    expect(families.get('ember')?.rows.map(({ name }) => name)).toEqual(['Ember1', 'Ember2', 'Ember3', 'Ember4']);
    expect(families.get('ember')?.spread).toBeCloseTo(0.00892, 5);
  });

  it('merges similar stems that have two names each, under the smaller one', () => {
    const names = ['Emberx1', 'Emberx2', 'Ember1', 'Ember2', 'Amber1', 'Amber2', 'Embre1'];
    const families = stemFamilies(columnsOf(names.map((name) => [name, 1000])));
    expect([...families].map(([stem, { rows }]) => [stem, rows.length])).toEqual([['ember', 4]]);
  });

  it('takes the first of two equally large bands', () => {
    const band = densestBand([1000, 1001, 2000, 2001].map((score, index) => ({ name: `N${index}`, score, rank: 1 })));
    expect(band.rows.map(({ score }) => score)).toEqual([1000, 1001]);
  });
});

describe('co-movement', () => {
  it.each([
    [3, 2, false, 707],
    [5, 3, false, 862],
    [5, 3, true, 942],
    [1000, 40, true, 970],
  ])('rates %s hours of %s names (common stem: %s)', (hours, members, isNamed, thousandths) => {
    expect(coMovementTerms(hours, members, isNamed).confidence).toBe(thousandths / 1000);
  });

  it('groups gains from the 90th percentile up by 5 %', () => {
    const names = Array.from({ length: 20 }, (_, index) => `N${index}`);
    const earlier = { names, scores: names.map(() => 100) };
    const later = { names: [...names, 'New'], scores: [...names.map((_, index) => 101 + index), 5000] };
    expect(gainBands(earlier, later)).toEqual([]);
    const equal = { names, scores: names.map((_, index) => (index < 2 ? 1100 : index < 18 ? 101 : 100)) };
    expect(gainBands(earlier, equal)).toEqual([{ names: ['n0', 'n1'], gains: [1000, 1000] }]);
  });

  it('links names that share three bands and most of their bands', () => {
    const band = (...names: string[]) => ({ names, gains: names.map(() => 10) });
    const hours = [band('a', 'b', 'c'), band('a', 'b', 'c'), band('a', 'b', 'c'), band('a', 'b', 'd'), band('a', 'b', 'd')];
    expect(movingGroups(hours)).toEqual([{ members: ['a', 'b', 'c'], hours: 5, averageGain: (50 + 50 + 30) / 3 }]);
    expect(movingGroups(hours.slice(0, 2))).toEqual([]);
  });

  it('drops the least linked members until a group is dense', () => {
    const star = ['b', 'c', 'd', 'e'].map((name) => ['a', name] as const);
    expect(denseGroups(star)).toEqual([['a', 'b', 'c']]);
    expect(
      denseGroups([
        ['a', 'b'],
        ['c', 'd'],
      ]),
    ).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});

describe('schedule', () => {
  it('rates three names with a cohesion of 0.9', () => {
    expect(scheduleConfidence(3, 0.9)).toBe(0.794);
    expect(scheduleConfidence(40, 1)).toBe(0.85);
  });

  it('groups names that are active in the same hours, not those that are nearly always active', () => {
    const active = Array.from({ length: 40 }, (_, slot) => new Set([...(slot >= 10 && slot < 20 ? ['a', 'b'] : []), 'always']));
    active[3]?.add('rare');
    expect(scheduleGroups(active)).toEqual([{ members: ['a', 'b'], cohesion: 1, averageHours: 10 }]);
  });
});

describe('fuse', () => {
  const cluster = (changed: Partial<Cluster<string>>): Cluster<string> => ({
    stem: null,
    method: 'co_movement',
    signals: ['co_movement'],
    members: ['a', 'b', 'c'],
    boards: [],
    confidence: 0.862,
    summary: '',
    measurements: {},
    ...changed,
  });
  const schedule = cluster({ method: 'schedule', signals: ['schedule'], members: ['b', 'c'], confidence: 0.8 });
  const nowhere = () => new Set<number>();

  it('adds 0.06 for each further signal', () => {
    expect(fuse([cluster({}), schedule], nowhere)).toMatchObject([
      { confidence: 0.922, method: 'co_movement', signals: ['co_movement', 'schedule'], members: ['a', 'b', 'c'], stem: null },
    ]);
  });

  it('ends at 0.98 with three signals, and names the stem', () => {
    const named = cluster({ method: 'both', signals: ['co_movement', 'name_stem'], stem: 'ember', confidence: 0.942 });
    expect(fuse([named, schedule], nowhere)).toMatchObject([
      { confidence: 0.98, method: 'both', signals: ['co_movement', 'schedule', 'name_stem'], stem: 'ember' },
    ]);
  });

  it('counts equal board sets as a signal of merged clusters', () => {
    const boardsOf = (member: string) => new Set(member === 'c' ? [1, 2, 3] : [1, 2]);
    expect(fuse([cluster({}), schedule], boardsOf)[0]?.signals).toEqual(['co_movement', 'schedule', 'footprint']);
    expect(fuse([cluster({})], boardsOf)[0]?.signals).toEqual(['co_movement']);
  });

  it('keeps clusters apart that share no member, highest confidence first', () => {
    const other = cluster({ members: ['x', 'y'], confidence: 0.9 });
    expect(fuse([cluster({}), other], nowhere).map(({ members }) => members[0])).toEqual(['x', 'a']);
  });
});
