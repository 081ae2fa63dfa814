import type { UnixSeconds } from '../../platform/time/clock.ts';

/** How far requests and machines may lag behind one another. */
const MAX_LAG_SECONDS = 60;

/**
 * The instant to compute for, when something newer may have been published already: a request that began just before a
 * boundary must not show or publish the state of before it. Instants that lie further apart come from a test's clock
 * and are left alone.
 */
export function notBefore(now: UnixSeconds, newest: UnixSeconds): UnixSeconds {
  return newest > now && newest - now < MAX_LAG_SECONDS ? newest : now;
}
