import { describe, expect, it } from 'vitest';
import { nextTryAt, type RetryPolicy } from '../../../../src/platform/durable/retry-policy.domain.ts';

const NOW = 1_773_156_600;
const THREE_TRIES: RetryPolicy = { tries: 3, firstPauseSeconds: 60, factor: 10, longestPauseSeconds: 3600 };
const ENDLESS: RetryPolicy = { tries: null, firstPauseSeconds: 1, factor: 5, longestPauseSeconds: 600 };

describe('nextTryAt', () => {
  it('lengthens the pause by the factor and returns null after the last retry', () => {
    expect([1, 2, 3, 4].map((failures) => nextTryAt(THREE_TRIES, failures, NOW))).toEqual([NOW + 60, NOW + 600, null, null]);
  });

  it('never exceeds the maximum pause after any number of failures', () => {
    expect([1, 2, 3, 4, 5, 1000].map((failures) => nextTryAt(ENDLESS, failures, 0))).toEqual([1, 5, 25, 125, 600, 600]);
  });

  it('waits for the Retry-After time of the upstream, up to the maximum pause', () => {
    expect(nextTryAt(THREE_TRIES, 1, NOW, 5)).toBe(NOW + 60);
    expect(nextTryAt(THREE_TRIES, 1, NOW, 300)).toBe(NOW + 300);
    expect(nextTryAt(THREE_TRIES, 1, NOW, 86_400)).toBe(NOW + 3600);
    expect(nextTryAt(THREE_TRIES, 3, NOW, 300)).toBeNull();
  });
});
