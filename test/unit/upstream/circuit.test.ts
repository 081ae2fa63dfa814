import { describe, expect, it } from 'vitest';
import { isRetryable, retryAfterSeconds, retryDelayMs } from '../../../src/platform/upstream/retry.ts';
import { UpstreamError, type UpstreamFailure } from '../../../src/platform/upstream/upstream-error.ts';
import { afterFailure, afterSuccess, allowsRetries, isPaused, unknownState } from '../../../src/platform/upstream/upstream-states.ts';

const NOW = 1_773_156_630;
const failed = (times: number, retryAfter: number | null = null) => {
  let state = unknownState('news');
  for (let time = 0; time < times; time++) state = afterFailure(state, { message: 'HTTP 500', retryAfterSeconds: retryAfter }, NOW);
  return state;
};

describe('upstream circuit', () => {
  it.each([
    [1, null],
    [4, null],
    [5, 60],
    [6, 120],
    [8, 480],
    [9, 900],
    [500, 900],
  ])('pauses after %i failures in a row for %s seconds', (times, pause) => {
    const { pausedUntil } = failed(times);
    expect(pausedUntil).toBe(pause === null ? null : NOW + pause);
  });

  it('pauses the source until the pause ends', () => {
    const state = failed(5);
    expect([isPaused(state, NOW), isPaused(state, NOW + 59), isPaused(state, NOW + 60)]).toEqual([true, true, false]);
    expect([allowsRetries(failed(4)), allowsRetries(state)]).toEqual([true, false]);
  });

  it('closes after the first success', () => {
    expect(afterSuccess(failed(9), NOW + 1000)).toEqual({ ...unknownState('news'), lastSuccessAt: NOW + 1000, lastFailureAt: NOW });
  });

  it('applies the pause that a source requests, up to one day', () => {
    expect(failed(1, 300).pausedUntil).toBe(NOW + 300);
    expect(failed(1, 10 ** 8).pausedUntil).toBe(NOW + 86_400);
    expect(failed(9, 10).pausedUntil).toBe(NOW + 900);
  });
});

describe('upstream retry', () => {
  const error = (kind: UpstreamFailure, status?: number, retryAfter: number | null = null) =>
    new UpstreamError('news', kind, 'failed', { ...(status === undefined ? {} : { status }), retryAfterSeconds: retryAfter });

  it.each([
    ['network', undefined, true],
    ['timeout', undefined, true],
    ['status', 500, true],
    ['status', 503, true],
    ['status', 429, true],
    ['status', 408, true],
    ['status', 501, false],
    ['status', 404, false],
    ['status', 401, false],
    ['status', 304, false],
    ['too_large', undefined, false],
    ['malformed', undefined, false],
    ['redirect', undefined, false],
  ] as const)('decides whether %s %s is retryable: %s', (kind, status, expected) => {
    expect(isRetryable(error(kind, status))).toBe(expected);
  });

  it('does not retry when the source requests a pause over 10 s', () => {
    expect(isRetryable(error('status', 429, 10))).toBe(true);
    expect(isRetryable(error('status', 429, 11))).toBe(false);
  });

  it('lengthens each pause, with 50% jitter and never below the requested pause', () => {
    const pauses = (random: number) => [1, 2, 3, 4, 9].map((attempt) => retryDelayMs(attempt, error('network'), () => random));
    expect(pauses(0)).toEqual([500, 1000, 2000, 4000, 4000]);
    expect(pauses(1)).toEqual([1000, 2000, 4000, 8000, 8000]);
    expect(retryDelayMs(1, error('status', 503, 7), () => 0)).toBe(7000);
  });

  it.each([
    ['120', 120],
    [' 0 ', 0],
    [new Date((NOW + 90) * 1000).toUTCString(), 90],
    [new Date((NOW - 90) * 1000).toUTCString(), 0],
    ['soon', null],
    ['-5', null],
    [null, null],
  ])('reads Retry-After %j as %s', (header, seconds) => {
    expect(retryAfterSeconds(header, NOW)).toBe(seconds);
  });
});
