import type { UnixSeconds } from '../../platform/time/clock.ts';

/** Maximum lag between requests and machines. */
const MAX_LAG_SECONDS = 60;

/**
 * Returns `newest` for an older `now` within the lag: a request that started before a boundary must not show or publish the state before
 * it. Larger differences come from a test clock.
 */
export function notBefore(now: UnixSeconds, newest: UnixSeconds): UnixSeconds {
  return newest > now && newest - now < MAX_LAG_SECONDS ? newest : now;
}
