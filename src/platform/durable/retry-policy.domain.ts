import type { UnixSeconds } from '../time/clock.ts';

/** Number of retries of failed work and the pauses between them. */
export interface RetryPolicy {
  /** Tries at most, the first included; null: without end. */
  tries: number | null;
  firstPauseSeconds: number;
  /** Each further pause is this many times as long as the one before. */
  factor: number;
  longestPauseSeconds: number;
}

/** Seconds to wait after so many failed tries; null when there is no further try. `retryAfterSeconds` only lengthens a pause. */
export function pauseAfter(
  { tries, firstPauseSeconds, factor, longestPauseSeconds }: RetryPolicy,
  failures: number,
  retryAfterSeconds: number | null = null,
): number | null {
  if (tries !== null && failures >= tries) return null;
  return Math.min(longestPauseSeconds, Math.max(firstPauseSeconds * factor ** (failures - 1), retryAfterSeconds ?? 0));
}

/** When to try again after so many failed tries; null when there is no further try. */
export function nextTryAt(
  policy: RetryPolicy,
  failures: number,
  now: UnixSeconds,
  retryAfterSeconds: number | null = null,
): UnixSeconds | null {
  const pause = pauseAfter(policy, failures, retryAfterSeconds);
  return pause === null ? null : now + pause;
}
