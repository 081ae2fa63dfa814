import type { UnixSeconds } from '../time/clock.ts';

/** How often failed work is tried again, and after which pauses. */
export interface RetryPolicy {
  /** Tries at most, the first included; null: without end. */
  tries: number | null;
  firstPauseSeconds: number;
  /** Each further pause is this many times as long as the one before. */
  factor: number;
  longestPauseSeconds: number;
}

/** When to try again after so many failed tries; null when there is no further try. `retryAfterSeconds` only lengthens a pause. */
export function nextTryAt(
  { tries, firstPauseSeconds, factor, longestPauseSeconds }: RetryPolicy,
  failures: number,
  now: UnixSeconds,
  retryAfterSeconds: number | null = null,
): UnixSeconds | null {
  if (tries !== null && failures >= tries) return null;
  const pause = firstPauseSeconds * factor ** (failures - 1);
  return now + Math.min(longestPauseSeconds, Math.max(pause, retryAfterSeconds ?? 0));
}
