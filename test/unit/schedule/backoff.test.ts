import { describe, expect, it } from 'vitest';
import { backoffSeconds, nextRetryAt } from '../../../src/platform/durable/schedule/job.ts';

describe('backoffSeconds', () => {
  it('returns 1, 2, 5, 15, 30 minutes, then 30 minutes each time', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 99].map(backoffSeconds)).toEqual([0, 60, 120, 300, 900, 1800, 1800, 1800]);
  });
});

describe('nextTryAt', () => {
  const upstream = { schedule: { everySeconds: 1200 }, sources: ['news'] };

  it('adds the pause to the time of the failed run', () => {
    expect(nextRetryAt(upstream, { lastRunAt: 1_200_000, failures: 1 })).toBe(1_200_060);
    expect(nextRetryAt(upstream, { lastRunAt: 1_200_000, failures: 5 })).toBe(1_201_800);
  });

  it('returns null for a job that succeeded, never ran or reads no upstream', () => {
    expect(nextRetryAt(upstream, { lastRunAt: 1_200_000, failures: 0 })).toBeNull();
    expect(nextRetryAt(upstream, { lastRunAt: null, failures: 2 })).toBeNull();
    expect(nextRetryAt({ schedule: upstream.schedule }, { lastRunAt: 1_200_000, failures: 2 })).toBeNull();
  });

  it('also waits for the next period where each attempt costs quota', () => {
    const costly = { ...upstream, schedule: { everySeconds: 1200, retriesEarly: false as const } };
    expect(nextRetryAt(costly, { lastRunAt: 1_200_000, failures: 1 })).toBe(1_201_200);
    expect(nextRetryAt(costly, { lastRunAt: 1_200_000, failures: 5 })).toBe(1_201_800);
  });
});
