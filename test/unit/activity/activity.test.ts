import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activePlayers,
  hoursBetween,
  isComparable,
  isWithinStretch,
  rankBoards,
  type Sample,
  seriesOf,
} from '../../../src/areas/activity/activity.domain.ts';
import { NameHashes } from '../../../src/areas/activity/name-hashes.domain.ts';

const HOUR = 3600;
const rows = (scores: Record<string, number>) => ({ names: Object.keys(scores), scores: Object.values(scores) });
const active = (later: Record<string, number>, earlier: Record<string, number>) => [...activePlayers(rows(later), rows(earlier))];

describe('activePlayers', () => {
  it('returns players whose score rose', () => {
    expect(active({ a: 11, b: 20, c: 29 }, { a: 10, b: 20, c: 30 })).toEqual(['a']);
  });

  it('returns new players only above the previous lowest score, so a deeper capture adds nobody', () => {
    expect(active({ new: 15, tail: 10, deep: 5, old: 30 }, { old: 30, last: 10 })).toEqual(['new']);
  });

  it('returns nobody after a score reset', () => {
    expect(active({ a: 1, b: 2 }, { a: 500, b: 400 })).toEqual([]);
  });

  it('compares names case-sensitively', () => {
    expect(active({ Nimbus: 10 }, { nimbus: 5 })).toEqual(['Nimbus']);
    expect(active({ Nimbus: 5 }, { nimbus: 5 })).toEqual([]);
  });

  it('compares each row of a name that appears more than once', () => {
    const board = (...list: [string, number][]) => ({ names: list.map(([name]) => name), scores: list.map(([, score]) => score) });
    const before = board(['a', 100], ['b', 50], ['a', 20], ['c', 10]);
    expect([...activePlayers(before, before)]).toEqual([]);
    expect([...activePlayers(board(['a', 100], ['b', 50], ['a', 21], ['c', 10]), before)]).toEqual(['a']);
    // A character that left the board, and one that joined it.
    expect([...activePlayers(board(['a', 100], ['b', 50], ['c', 10]), before)]).toEqual([]);
    expect([...activePlayers(board(['a', 100], ['b', 50], ['b', 9], ['a', 20]), before)]).toEqual([]);
    expect([...activePlayers(board(['a', 100], ['b', 50], ['b', 30], ['a', 20]), before)]).toEqual(['b']);
  });

  it('accepts negative and large scores', () => {
    expect(active({ a: -1, b: 1e300, c: -5 }, { a: -2, b: 1e299, d: -4 })).toEqual(['a', 'b']);
  });

  it('skips a board that is missing or empty in the earlier capture', () => {
    const pair = { uuid: 1, name: 'A', category: 'B', isPlayerBoard: true, earlier: rows({ a: 1 }), later: rows({ a: 2 }) };
    expect(isComparable(pair)).toBe(true);
    for (const change of [{ isPlayerBoard: false }, { earlier: null }, { later: null }, { earlier: rows({}) }]) {
      expect(isComparable({ ...pair, ...change })).toBe(false);
    }
  });
});

describe('rankBoards', () => {
  it('sorts boards by active players and drops boards without any', () => {
    const board = (uuid: number, count: number) => ({ uuid, name: '', category: '', activePlayers: count });
    expect(rankBoards([board(5, 2), board(4, 0), board(3, 7), board(2, 2)]).map(({ uuid }) => uuid)).toEqual([3, 2, 5]);
  });
});

describe('isWithinStretch and hoursBetween', () => {
  it('accepts a span of up to 1.5 times the period', () => {
    expect([isWithinStretch(0, 129_600, 86_400), isWithinStretch(0, 129_601, 86_400)]).toEqual([true, false]);
  });

  it('returns the length of a window in hours', () => {
    expect([hoursBetween(0, 5000, 2), hoursBetween(0, 5000, 1)]).toEqual([1.39, 1.4]);
  });
});

describe('NameHashes', () => {
  it('counts every name once in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 }), { maxLength: 80 }), (names) => {
        const [one, other] = [new NameHashes(), new NameHashes()];
        for (const name of names) one.add(name);
        for (const name of names.toReversed()) other.add(name);
        expect(one.size).toBe(new Set(names).size);
        expect(other.toWords()).toEqual(one.toWords());
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  it('counts shared names once in a union', () => {
    const [one, other] = [new NameHashes(), new NameHashes()];
    for (let index = 0; index < 3000; index += 1) one.add(`Player ${index}`);
    for (let index = 2000; index < 5000; index += 1) other.add(`Player ${index}`);
    one.addWords(other.toWords());
    expect(one.size).toBe(5000);
    const copy = new NameHashes();
    copy.addWords(one.toWords());
    expect(copy.toWords()).toEqual(one.toWords());
  });

  it('serialises hashes as ascending pairs of 32-bit words', () => {
    const names = new NameHashes();
    for (let index = 0; index < 1000; index += 1) names.add(`${index}`);
    const words = names.toWords();
    const hashes = Array.from(
      { length: words.length / 2 },
      (_, index) => (BigInt(words[index * 2] ?? 0) << 32n) | BigInt(words[index * 2 + 1] ?? 0),
    );
    expect(hashes).toEqual(hashes.toSorted((left, right) => (left < right ? -1 : 1)));
    expect(new NameHashes().toWords()).toHaveLength(0);
  });

  it('returns hashes that differ in both words for similar names', () => {
    const count = 100_000;
    const names = new NameHashes();
    for (let index = 0; index < count / 4; index += 1) {
      for (const name of [`Player${index}`, `player${index}`, `${index}reyalP`, String.fromCharCode(index % 60_000, 1 + index / 60_000)])
        names.add(name);
    }
    expect(names.size).toBe(count);
    // Expected collisions of a single 32-bit word: n^2 / 2^33.
    const words = names.toWords();
    for (const part of [0, 1]) {
      const distinct = new Set(words.filter((_, index) => index % 2 === part)).size;
      expect(count - distinct).toBeLessThan(2 * (count ** 2 / 2 ** 33) + 10);
    }
  });
});

describe('seriesOf', () => {
  const hourly = (values: number[], start = 0): Sample[] => values.map((value, index) => ({ at: start + index * HOUR, value }));

  it('returns mean and maximum of each bucket and drops empty buckets', () => {
    const samples = [...hourly([10, 20, 60]), { at: 3 * 24 * HOUR + 5, value: 7 }];
    expect(seriesOf(samples, 24 * HOUR)).toEqual({
      bucketSeconds: 24 * HOUR,
      points: [
        { at: 2 * HOUR, plotted: 60, mean: 30, peak: 60, low: 10, samples: 3 },
        { at: 3 * 24 * HOUR + 5, plotted: 7, mean: 7, peak: 7, low: 7, samples: 1 },
      ],
      peak: { at: 2 * HOUR, value: 60 },
      low: { at: 3 * 24 * HOUR + 5, value: 7 },
      average: 18.5,
      latest: 7,
    });
  });

  it('plots the extremes at their own times, and means in the other buckets', () => {
    const samples = [
      [1000, 100],
      [1002, 140],
      [1004, 120],
      [1007, 60],
      [1009, 90],
      [1013, 80],
    ].map(([hour = 0, value = 0]) => ({ at: hour * HOUR, value }));
    expect(seriesOf(samples, 6 * HOUR)).toEqual({
      bucketSeconds: 6 * HOUR,
      points: [
        { at: 3_600_000, plotted: 100, mean: 100, peak: 100, low: 100, samples: 1 },
        { at: 3_607_200, plotted: 140, mean: 106.7, peak: 140, low: 60, samples: 3 },
        { at: 3_639_600, plotted: 85, mean: 85, peak: 90, low: 80, samples: 2 },
      ],
      peak: { at: 3_607_200, value: 140 },
      low: { at: 3_625_200, value: 60 },
      average: 97.2,
      latest: 80,
    });
    expect(seriesOf(hourly([5, 9, 9, 5]), HOUR)).toMatchObject({ peak: { at: HOUR }, low: { at: 0 } });
  });

  it('uses longer buckets if captures are sparse', () => {
    const daily = Array.from({ length: 5 }, (_, index) => ({ at: index * 86_400 + (index % 2) * 600, value: index }));
    expect(seriesOf(daily, HOUR).bucketSeconds).toBe(86_400);
    expect(seriesOf(hourly([1, 2, 3]), HOUR).bucketSeconds).toBe(HOUR);
    expect(
      seriesOf(
        [1, 2, 3].map((value, index) => ({ at: index * 600, value })),
        HOUR,
      ).bucketSeconds,
    ).toBe(HOUR);
  });

  it('returns about 120 buckets of whole hours for the period "all"', () => {
    expect(seriesOf(hourly([1, 2]), null).bucketSeconds).toBe(HOUR);
    expect(seriesOf(hourly(Array.from({ length: 1201 }, () => 1)), null).bucketSeconds).toBe(10 * HOUR);
    expect(seriesOf(hourly(Array.from({ length: 1202 }, () => 1)), null).bucketSeconds).toBe(11 * HOUR);
  });

  it('returns an empty series without samples', () => {
    expect(seriesOf([], HOUR)).toEqual({ bucketSeconds: HOUR, points: [], peak: null, low: null, average: null, latest: null });
  });

  it('preserves the extremes of the samples', () => {
    const samples = fc.array(fc.record({ gap: fc.integer({ min: 1, max: 200_000 }), value: fc.nat(100_000) }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(samples, fc.constantFrom(HOUR, 86_400, null), (steps, bucketSeconds) => {
        let at = 1_700_000_000;
        const given = steps.map(({ gap, value }) => {
          at += gap;
          return { at, value };
        });
        const { points, peak, low } = seriesOf(given, bucketSeconds);
        const highest = Math.max(...given.map(({ value }) => value));
        expect(peak?.value).toBe(highest);
        expect(low?.value).toBe(Math.min(...given.map(({ value }) => value)));
        expect(points.map((point) => point.plotted)).toContain(highest);
        expect(Math.max(...points.map((point) => point.peak))).toBe(highest);
        expect(points.reduce((sum, point) => sum + point.samples, 0)).toBe(given.length);
        expect(points.every((point) => point.at > 0 && point.samples > 0 && point.mean <= point.peak + 0.05)).toBe(true);
      }),
      { numRuns: 200, seed: 8 },
    );
  });
});
