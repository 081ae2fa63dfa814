import { expect, it } from 'vitest';
import { durationColumnOf, durationQuantile, noDurations } from '../../../src/platform/access/usage/traffic.ts';
import { DURATION_BOUNDS_MS, DURATION_COLUMNS } from '../../../src/platform/access/usage/usage.tables.ts';

/** Buckets of durations. */
function countsOf(durations: readonly number[]) {
  const counts = noDurations();
  for (const duration of durations) counts[durationColumnOf(duration)] += 1;
  return counts;
}

it('has one column per bucket', () => {
  expect(DURATION_COLUMNS).toHaveLength(DURATION_BOUNDS_MS.length + 1);
  expect([0, 4, 5, 14_999, 15_000, 1e9].map(durationColumnOf)).toEqual(['d0', 'd0', 'd1', 'd14', 'd15', 'd15']);
});

it('has no quantile without requests', () => {
  expect(durationQuantile(noDurations(), 0.5)).toBeNull();
});

it('estimates quantiles to within a bucket of the exact value', () => {
  const durations = Array.from({ length: 1000 }, (_, index) => (index * index) / 1000);
  for (const share of [0.01, 0.5, 0.9, 0.95, 0.999]) {
    const exact = durations[Math.floor(share * 999)] ?? 0;
    const estimate = durationQuantile(countsOf(durations), share) ?? -1;
    const bucketOf = (value: number) => DURATION_COLUMNS.indexOf(durationColumnOf(value));
    // The estimate may be the bound between two buckets.
    expect(Math.abs(bucketOf(estimate) - bucketOf(exact))).toBeLessThanOrEqual(1);
  }
});

it('returns the lower bound of the last bucket', () => {
  expect(durationQuantile(countsOf([60_000, 70_000]), 0.95)).toBe(15_000);
});
