import type { UnixSeconds } from '../kit/time/clock.ts';

/** Maximum number of attempts, and the pauses between them. */
export interface RetryPolicy {
  /** Maximum number of attempts including the first; null: unlimited. */
  tries: number | null;
  firstPauseSeconds: number;
  /** Each further pause is longer than the one before by this factor. */
  factor: number;
  longestPauseSeconds: number;
}

/**
 * Seconds to wait after this number of failures; null when no attempt is left. `retryAfterSeconds` can only lengthen the pause, up to
 * `longestPauseSeconds`.
 */
export function pauseAfter(
  { tries, firstPauseSeconds, factor, longestPauseSeconds }: RetryPolicy,
  failures: number,
  retryAfterSeconds: number | null = null,
): number | null {
  if (tries !== null && failures >= tries) return null;
  return Math.min(longestPauseSeconds, Math.max(firstPauseSeconds * factor ** (failures - 1), retryAfterSeconds ?? 0));
}

/** Time of the next attempt after this number of failures; null when no attempt is left. */
export function nextTryAt(
  policy: RetryPolicy,
  failures: number,
  now: UnixSeconds,
  retryAfterSeconds: number | null = null,
): UnixSeconds | null {
  const pause = pauseAfter(policy, failures, retryAfterSeconds);
  return pause === null ? null : now + pause;
}
