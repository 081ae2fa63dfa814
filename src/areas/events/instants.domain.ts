import type { UnixSeconds } from '../../platform/kit/time/clock.ts';

/** Maximum clock and request lag, in seconds. */
const MAX_LAG_SECONDS = 60;

/**
 * Returns `newest` when `now` is older by less than the lag: a request that started before a boundary must not show or publish an earlier
 * state. Larger differences come from a test clock.
 */
export function atLeast(now: UnixSeconds, newest: UnixSeconds): UnixSeconds {
  return newest > now && newest - now < MAX_LAG_SECONDS ? newest : now;
}
