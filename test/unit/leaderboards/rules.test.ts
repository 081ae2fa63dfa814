import { describe, expect, it } from 'vitest';
import { anchorForInsert, captureForRead, requestedInstant } from '../../../src/areas/leaderboards/anchors.domain.ts';
import {
  byCategory,
  byDisplayOrder,
  compareWith,
  crossesReset,
  delveOf,
  geodeLevel,
  isLasting,
  isPlayerBoard,
  masteryLevel,
  parseResetOverrides,
  resetBoundaries,
  resetKindOf,
  sampleEvenly,
  scoreText,
  seriesPoints,
  sortBoards,
  toEntry,
} from '../../../src/areas/leaderboards/boards/boards.domain.ts';
import { boardHealth, gini } from '../../../src/areas/leaderboards/boards/insights.domain.ts';
import { captureLosses } from '../../../src/areas/leaderboards/dump.domain.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const HOUR = 3600;
const DAY = 86_400;
const MONDAY = TUESDAY - DAY;
const MIDNIGHT = TUESDAY - 11 * HOUR;

describe('anchorForInsert and captureForRead', () => {
  it.each([
    ['just before the reset', TUESDAY - 1, TUESDAY - DAY],
    ['at the reset', TUESDAY, TUESDAY],
    ['after the reset', TUESDAY + 5 * HOUR, TUESDAY],
  ])('defaults to the start of the game day %s', (_, now, anchor) => {
    expect(anchorForInsert(undefined, false, now)).toBe(anchor);
  });

  it('truncates to the minute', () => {
    expect(anchorForInsert(TUESDAY + 119, false, TUESDAY + HOUR)).toBe(TUESDAY + 60);
  });

  it('maps midnight to 11:00 of the date', () => {
    expect(anchorForInsert(MIDNIGHT + 59, false, TUESDAY + HOUR)).toBe(TUESDAY);
  });

  it('keeps midnight while 11:00 of the date is in the future', () => {
    expect(anchorForInsert(MIDNIGHT, false, MIDNIGHT + 120)).toBe(MIDNIGHT);
    expect(anchorForInsert(MIDNIGHT, false, TUESDAY - 300)).toBe(TUESDAY);
  });

  it.each([
    ['zero', 0],
    ['negative', -5],
    ['more than five minutes ahead', TUESDAY + 361],
    ['more than 14 days old', TUESDAY - 14 * DAY - 60],
  ])('rejects a timestamp that is %s', (_, timestamp) => {
    expect(() => anchorForInsert(timestamp, false, TUESDAY)).toThrow();
  });

  it('accepts five minutes ahead, 14 days old, and older with backfill', () => {
    expect(anchorForInsert(TUESDAY + 300, false, TUESDAY)).toBe(TUESDAY + 300);
    expect(anchorForInsert(TUESDAY - 14 * DAY, false, TUESDAY)).toBe(TUESDAY - 14 * DAY);
    expect(anchorForInsert(TUESDAY - 400 * DAY, true, TUESDAY)).toBe(TUESDAY - 400 * DAY);
  });

  it('reads midnight as midnight first, then as 11:00', () => {
    expect(captureForRead({ created_at: MIDNIGHT + 30 })).toEqual({ anchors: [MIDNIGHT, TUESDAY] });
    expect(captureForRead({ created_at: TUESDAY + 61, at: 5 })).toEqual({ anchors: [TUESDAY + 60] });
    expect(captureForRead({ at: MIDNIGHT + 30 })).toEqual({ until: MIDNIGHT + 30 });
    expect(requestedInstant(captureForRead({ at: MIDNIGHT + 30 }), TUESDAY)).toBe(MIDNIGHT + 30);
  });

  it('selects the newest capture without `created_at` and `at`', () => {
    const newest = captureForRead({});
    expect('until' in newest && newest.until > 10 * TUESDAY).toBe(true);
    expect(requestedInstant(newest, TUESDAY)).toBe(TUESDAY);
  });
});

describe('resets', () => {
  it.each([
    ['never', TUESDAY, TUESDAY + 40 * DAY, []],
    ['daily', TUESDAY, TUESDAY, []],
    ['daily', TUESDAY - 1, TUESDAY, [TUESDAY]],
    ['daily', TUESDAY, TUESDAY + DAY, [TUESDAY + DAY]],
    ['daily', TUESDAY, TUESDAY + DAY - 1, []],
    ['weekly', TUESDAY, TUESDAY + 6 * DAY - 1, []],
    ['weekly', TUESDAY, TUESDAY + 13 * DAY, [MONDAY + 7 * DAY, MONDAY + 14 * DAY]],
    ['weekly', MONDAY - 1, MONDAY, [MONDAY]],
    ['weekly', MONDAY, MONDAY + 7 * DAY, [MONDAY + 7 * DAY]],
    ['daily', TUESDAY + DAY, TUESDAY, []],
  ] as const)('%s in (%i, %i]', (cadence, from, to, expected) => {
    expect(resetBoundaries(cadence, from, to)).toEqual(expected);
    expect(crossesReset(cadence, from, to)).toBe(expected.length > 0);
  });

  it('lists at most 4,000', () => {
    expect(resetBoundaries('daily', TUESDAY, TUESDAY + 5000 * DAY)).toHaveLength(4000);
  });

  it('can be overridden by a setting', () => {
    const overrides = parseResetOverrides('1:weekly, 10003:none,junk,5:sometimes, 9:daily');
    expect([1, 10003, 5, 9].map((uuid) => resetKindOf(uuid, overrides))).toEqual(['weekly', 'default', 'default', 'daily']);
    expect([1, 10003, 424242].map((uuid) => resetKindOf(uuid, new Map()))).toEqual(['default', 'weekly', 'default']);
  });
});

describe('compareWith and toEntry', () => {
  it('requires an earlier capture without a reset in between', () => {
    expect(compareWith(null, TUESDAY, 'never')).toEqual({ comparable: false, prevAnchor: null, reason: 'no_prior_snapshot' });
    const before = TUESDAY - HOUR;
    expect(compareWith(before, TUESDAY, 'daily')).toEqual({ comparable: false, prevAnchor: before, reason: 'crossed_reset' });
    expect(compareWith(before, TUESDAY, 'weekly')).toEqual({ comparable: true, prevAnchor: before, reason: 'ok' });
    expect(compareWith(MONDAY - HOUR, MONDAY, 'weekly').reason).toBe('crossed_reset');
    expect(compareWith(MONDAY - 100 * DAY, MONDAY, 'never').reason).toBe('ok');
  });

  it('returns gained ranks as positive numbers', () => {
    const row = { rank: 3, playerName: 'A', score: 10 };
    expect(toEntry(row, { rank: 5, score: 4 })).toEqual({ ...row, prevRank: 5, prevScore: 4, rankDelta: 2, scoreDelta: 6, isNew: false });
    const nothing = { prevRank: null, prevScore: null, rankDelta: null, scoreDelta: null };
    expect(toEntry(row, null)).toEqual({ ...row, ...nothing, isNew: true });
    expect(toEntry(row, undefined)).toEqual({ ...row, ...nothing, isNew: false });
  });
});

describe('captureLosses', () => {
  const rules = { maxMissing: 1, minEntries: 100, collapseFraction: 0.5 };
  const counts = (...pairs: [number, number][]) => new Map(pairs);

  it('accepts one missing board and shrinking small boards', () => {
    expect(captureLosses(counts([1, 100], [3, 1]), counts([1, 200], [2, 5], [3, 99]), rules)).toBeNull();
  });

  it('reports missing and collapsed boards in ascending order', () => {
    expect(captureLosses(counts([1, 99]), counts([9, 5], [2, 5], [1, 200]), rules)).toEqual({
      missingBoards: [2, 9],
      collapsedBoards: [1],
    });
  });
});

describe('seriesPoints', () => {
  const point = (createdAt: number, score: number, rank = 1) => ({ createdAt, rank, score });
  const real = (createdAt: number, score: number) => ({ ...point(createdAt, score), synthetic: false });

  it('keeps the old score until a reset and drops to 0 at the reset', () => {
    const [from, to] = [TUESDAY - 2 * HOUR, TUESDAY + 2 * HOUR];
    expect(seriesPoints([point(from, 50), point(to, 5)], 'daily')).toEqual([
      real(from, 50),
      { ...point(TUESDAY - 1, 50), synthetic: true },
      { createdAt: TUESDAY, rank: 0, score: 0, synthetic: true },
      real(to, 5),
    ]);
  });

  it('adds no drop at a capture and at most one drop between captures', () => {
    expect(seriesPoints([point(TUESDAY - HOUR, 50), point(TUESDAY, 5)], 'daily')).toEqual([
      real(TUESDAY - HOUR, 50),
      { ...point(TUESDAY - 1, 50), synthetic: true },
      real(TUESDAY, 5),
    ]);
    expect(seriesPoints([point(TUESDAY - HOUR, 50), point(TUESDAY + 3 * DAY + HOUR, 5)], 'daily')).toHaveLength(4);
  });

  it('adds no points without a reset or without a score', () => {
    expect(seriesPoints([point(TUESDAY - HOUR, 50), point(TUESDAY + HOUR, 5)], 'never')).toHaveLength(2);
    expect(seriesPoints([point(TUESDAY - HOUR, 0), point(TUESDAY + HOUR, 5)], 'daily')).toHaveLength(2);
    expect(seriesPoints([], 'daily')).toEqual([]);
  });
});

describe('delveOf, masteryLevel and geodeLevel', () => {
  it('decodes the score of a delve board into depth and minutes', () => {
    expect(delveOf(2004, 153)).toEqual({ depth: 153, minutes: 180 });
    expect(delveOf(2014, 153.5)).toEqual({ depth: 153, minutes: 45 });
    expect(delveOf(2024, 100 + 1 - Math.sqrt(42.5 / 180))).toEqual({ depth: 100, minutes: 42.5 });
    expect(delveOf(2001, 153.5)).toBeNull();
  });

  it.each([
    [0, 1, 0, 25],
    [24, 1, 24, 1],
    [25, 2, 0, 25],
    [24.6, 2, 0, 25],
    [100, 5, 0, 50],
    [350, 10, 0, 75],
    [1100, 20, 0, 100],
    [29_100, 300, 0, 151],
    [29_250, 300, 150, 1],
    [29_251, 301, 0, 151],
    [29_402, 302, 0, 152],
    [200_000, 878, 390, 50],
    [1_204_455, 2188, 75, 1020],
  ])('maps %i mastery points to level %i', (points, level, pointsIntoLevel, pointsToNextLevel) => {
    expect(masteryLevel(points)).toEqual({ level, pointsIntoLevel, pointsToNextLevel });
  });

  it('caps Geode Mastery at level 100', () => {
    expect(geodeLevel(9100)).toMatchObject({ level: 100, uncappedLevel: 100, capped: false });
    expect(geodeLevel(9200)).toMatchObject({ level: 100, uncappedLevel: 101, capped: true });
    expect(masteryLevel(1e300).level).toBe(100_000);
  });
});

describe('scoreText', () => {
  it('formats a score with two decimals and a delve as its depth', () => {
    expect([scoreText(1, 1_234_567.891), scoreText(1, 20), scoreText(2004, 153.5)]).toEqual(['1,234,567.89', '20', 'depth 153']);
  });
});

describe('boardHealth', () => {
  it('computes the Gini coefficient', () => {
    expect(gini([5, 5, 5, 5])).toBeCloseTo(0, 12);
    expect(gini([0, 0, 0, 10])).toBeCloseTo(0.75, 12);
    expect(gini([1, 2, 3, 4])).toBeCloseTo(0.25, 12);
  });

  it('returns null for figures that cannot be computed', () => {
    const rows = [0, 0].map((score, index) => toEntry({ rank: index + 1, playerName: `P${index}`, score }, undefined));
    expect(boardHealth(rows, false)).toEqual({
      leaderShare: null,
      p1PnRatio: null,
      gini: null,
      newEntrants: null,
      turnoverRate: null,
      medianScoreGain: null,
      medianScoreGainPct: null,
    });
  });

  it('computes gains over players who were on the board before', () => {
    const before = [{ rank: 1, score: 100 }, { rank: 2, score: 80 }, null];
    const rows = [110, 100, 90].map((score, index) => toEntry({ rank: index + 1, playerName: `P${index}`, score }, before[index]));
    expect(boardHealth(rows, true)).toEqual({
      leaderShare: 0.3667,
      p1PnRatio: 1.2222,
      gini: 0.0444,
      newEntrants: 1,
      turnoverRate: 0.3333,
      medianScoreGain: 15,
      medianScoreGainPct: 17.5,
    });
  });
});

describe('boardHealth of players without an earlier score', () => {
  it('ignores them in the gain in percent', () => {
    const before = [
      { rank: 1, score: 0 },
      { rank: 2, score: 0 },
      { rank: 3, score: 80 },
    ];
    const rows = [110, 100, 90].map((score, index) => toEntry({ rank: index + 1, playerName: `P${index}`, score }, before[index]));
    expect(boardHealth(rows, true)).toMatchObject({ medianScoreGain: 100, medianScoreGainPct: 12.5 });
  });
});

describe('byDisplayOrder and sampleEvenly', () => {
  it('sorts boards with equal names by number', () => {
    const boards = [
      { uuid: 9, name: 'Same' },
      { uuid: 3, name: 'Same' },
      { uuid: 5, name: 'First' },
    ];
    expect(sortBoards(boards, 'name').map(({ uuid }) => uuid)).toEqual([5, 3, 9]);
    expect(sortBoards(boards, 'uuid').map(({ uuid }) => uuid)).toEqual([3, 5, 9]);
  });

  it('sorts boards in display order of the game, unknown boards by number', () => {
    expect([999_999, 10003, 14, 17, 1, 888_888, 2004].sort(byDisplayOrder)).toEqual([1, 17, 14, 2004, 10003, 888_888, 999_999]);
    expect([1, 1100, 21012, 424242].map(isPlayerBoard)).toEqual([true, false, false, true]);
    expect([1, 1100, 31000, 424242].map((uuid) => isLasting(uuid, new Map()))).toEqual([true, false, false, false]);
    expect([1, 424242].map((uuid) => isLasting(uuid, parseResetOverrides('1:daily,424242:none')))).toEqual([false, true]);
  });

  it('sorts boards by category, then by name, ignoring case', () => {
    const boards = ['B:delta', 'a:Beta', 'A:alpha', 'a:Gamma'].map((text, uuid) => {
      const [category = '', name = ''] = text.split(':');
      return { board: { category, name, uuid } };
    });
    expect(boards.sort(byCategory).map(({ board }) => board.name)).toEqual(['alpha', 'Beta', 'Gamma', 'delta']);
  });

  it('takes the nearest items when sampling', () => {
    expect(sampleEvenly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 4)).toEqual([0, 3, 7, 10]);
  });

  it('includes the first and the last item when sampling', () => {
    const items = Array.from({ length: 100 }, (_, index) => index);
    expect(sampleEvenly(items, 4)).toEqual([0, 33, 66, 99]);
    expect(sampleEvenly([1, 2], 4)).toEqual([1, 2]);
  });
});
