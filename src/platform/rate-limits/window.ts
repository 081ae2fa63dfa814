import { floorDiv } from '../time/arithmetic.ts';
import type { UnixSeconds } from '../time/clock.ts';

/** Rate limit: maximum number of requests of a client in each fixed window. */
export interface Budget {
  /** Name in the `RateLimit` headers: `anon`, `token`, `ingest` and so on. */
  name: string;
  limit: number;
  windowSeconds: number;
}

/** One request charged to a rate limit. */
export interface Charge {
  budget: Budget;
  /** First second after the window. */
  resetAt: UnixSeconds;
  /** Requests in the window including this one; over the limit when this one was refused. */
  used: number;
}

/** Scales a limit; at least 1. */
export function scaleLimit(limit: number, scale: number): number {
  return Math.max(1, Math.round(limit * scale));
}

/** Start of the window of `now`. Windows are aligned to the epoch, not to a client's first request. */
export function windowStart(now: UnixSeconds, windowSeconds: number): UnixSeconds {
  return floorDiv(now, windowSeconds) * windowSeconds;
}

export function windowReset(now: UnixSeconds, windowSeconds: number): UnixSeconds {
  return windowStart(now, windowSeconds) + windowSeconds;
}

/** A charge of `used` requests, including this one, in the window of `now`. */
export function chargeOf(budget: Budget, used: number, now: UnixSeconds): Charge {
  return { budget, used, resetAt: windowReset(now, budget.windowSeconds) };
}

export function isRefused(charge: Charge): boolean {
  return charge.used > charge.budget.limit;
}

export function remainingOf(charge: Charge): number {
  return Math.max(0, charge.budget.limit - charge.used);
}

/** Seconds until the reset for `Retry-After`, rounded up: a client that waits must not get a second 429. At least 1. */
export function retryAfterSeconds(resetAt: UnixSeconds, now: UnixSeconds): number {
  return Math.max(1, Math.ceil(resetAt - now));
}
