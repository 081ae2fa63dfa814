import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSort } from '../../../src/areas/market/listings.domain.ts';
import { quantile, splitPriceOutliers, summarisePrices, timelineOf } from '../../../src/areas/market/prices.domain.ts';

const RULES = { thresholdZ: 3.5, minPrices: 5 };
const listing = (price: number, stack = 1) => ({ price, stack, milliEach: Math.round((price / stack) * 1000) });

describe('summarisePrices', () => {
  it('returns null without listings', () => {
    expect(summarisePrices([])).toBeNull();
  });

  it('returns the exact median of an odd and an even count', () => {
    expect(summarisePrices([listing(30), listing(10), listing(20)])).toMatchObject({ count: 3, medianEach: 20, minEach: 10, maxEach: 30 });
    expect(summarisePrices([listing(30), listing(10), listing(20), listing(25)])?.medianEach).toBe(22.5);
    expect(
      summarisePrices([
        { price: 1, stack: 3, milliEach: 333 },
        { price: 1, stack: 3, milliEach: 334 },
      ])?.medianEach,
    ).toBe(0.3335);
  });

  it('sums prices and stacks', () => {
    expect(summarisePrices([listing(40_000, 250), listing(50_000, 250)])).toEqual({
      count: 2,
      totalPrice: 90_000,
      totalStack: 500,
      minEach: 160,
      maxEach: 200,
      avgEach: 180,
      medianEach: 180,
    });
  });

  it('uses the middle of the sorted prices as median', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 50 }), (prices) => {
        const sorted = prices.toSorted((one, other) => one - other);
        const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
        const expected = middle.reduce((sum, price) => sum + price, 0) / middle.length;
        expect(summarisePrices(prices.map((price) => listing(price)))?.medianEach).toBe(expected);
      }),
      { numRuns: 200, seed: 8 },
    );
  });
});

describe('quantile', () => {
  it('interpolates between neighbours', () => {
    expect([0.25, 0.5, 0.75].map((share) => quantile([10, 20, 30, 40], share))).toEqual([17.5, 25, 32.5]);
    expect(quantile([7], 0.75)).toBe(7);
  });
});

describe('splitPriceOutliers', () => {
  const split = (prices: number[]) => splitPriceOutliers(prices, (price) => price, RULES);

  it('returns prices far from all others, in order', () => {
    expect(split([100, 5000, 101, 99, 102, 98, 1])).toEqual({ included: [100, 101, 99, 102, 98], dropped: [5000, 1] });
  });

  it('includes a price exactly at the threshold', () => {
    // Logarithms 0 to 4: median 2, median deviation 1.
    const atThreshold = { thresholdZ: 0.6745 * 2, minPrices: 5 };
    expect(splitPriceOutliers([1, 10, 100, 1000, 10_000], (price) => price, atThreshold).dropped).toEqual([]);
    expect(splitPriceOutliers([1, 10, 100, 1000, 10_001], (price) => price, atThreshold).dropped).toEqual([10_001]);
  });

  it('requires five positive prices', () => {
    expect(split([100, 101, 99, 50_000]).dropped).toEqual([]);
    expect(split([100, 101, 99, 50_000, 0]).dropped).toEqual([]);
    expect(split([100, 101, 99, 50_000, 98]).dropped).toEqual([50_000]);
  });

  it('returns no outliers if all prices are equal', () => {
    expect(split([5, 5, 5, 5, 5, 900]).dropped).toEqual([]);
  });

  it('uses the upper middle as median of an even count', () => {
    // Logarithms 0 0 0 1 1 1 have the upper median 1; the deviations 1 1 1 0 0 0 also have the upper median 1: no outliers.
    expect(split([1, 1, 1, 10, 10, 10]).dropped).toEqual([]);
  });

  it('returns every item exactly once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50_000_000 }), { maxLength: 40 }), (prices) => {
        const { included, dropped } = split(prices);
        expect([...included, ...dropped].sort()).toEqual(prices.toSorted());
      }),
      { numRuns: 200, seed: 8 },
    );
  });
});

describe('timelineOf', () => {
  it('groups listings by multiples of the bucket length and omits empty buckets', () => {
    const made = (createdAt: number, milliEach: number, stack: number) => ({ createdAt, milliEach, stack });
    const listings = [made(7200, 4000, 1), made(3599, 1000, 5), made(0, 2000, 2), made(7201, 5001, 3)];
    expect(timelineOf(listings, 3600)).toEqual([
      { bucket: 0, listings: 2, stack: 7, p25: 1.25, p50: 1.5, p75: 1.75 },
      { bucket: 7200, listings: 2, stack: 4, p25: 4.25, p50: 4.5, p75: 4.751 },
    ]);
    expect(timelineOf([made(-1, 1000, 1)], 3600)[0]?.bucket).toBe(-3600);
    expect(timelineOf([], 3600)).toEqual([]);
  });
});

describe('parseSort', () => {
  it.each([
    ['-last_seen', 'last_seen', true],
    ['price_each', 'price_each', false],
    ['+price', 'price', false],
    [' stack', 'stack', false],
    [' -name ', 'name', true],
    ['created_at', 'created_at', false],
    ['', 'last_seen', true],
    ['--price', 'last_seen', true],
    ['id', 'last_seen', true],
    ['constructor', 'last_seen', true],
  ])('parses %j as %s', (text, field, descending) => {
    expect(parseSort(text)).toEqual({ field, descending });
  });
});
