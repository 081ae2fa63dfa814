import type { UnixSeconds } from '../../kit/time/clock.ts';
import { floorDiv } from '../../kit/time/clock.ts';

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

/**
 * Writes the rate limit headers of the charges of a request, the first one first: the IETF headers
 * (draft-ietf-httpapi-ratelimit-headers-11) of all, and the `X-RateLimit-*` headers of the one that refused the request or has the
 * least left.
 */
export function writeRateHeaders(headers: Record<string, string>, charges: readonly Charge[], now: UnixSeconds): void {
  const [first] = charges;
  if (!first) return;
  const tightest =
    charges.find(isRefused) ?? charges.reduce((least, charge) => (remainingOf(charge) < remainingOf(least) ? charge : least));
  headers['X-RateLimit-Limit'] = String(tightest.budget.limit);
  headers['X-RateLimit-Remaining'] = String(remainingOf(tightest));
  headers['X-RateLimit-Reset'] = String(tightest.resetAt);
  headers['RateLimit-Policy'] = charges
    .map(({ budget: { name, limit, windowSeconds } }) => `"${name}";q=${limit};w=${windowSeconds}`)
    .join(', ');
  headers.RateLimit = charges.map((charge) => `"${charge.budget.name}";r=${remainingOf(charge)};t=${charge.resetAt - now}`).join(', ');
}

/** Adds a charge to those of a request, or replaces that of the same rate limit. */
export function addCharge(charges: readonly Charge[], charge: Charge): Charge[] {
  const isSame = ({ budget }: Charge) => budget.name === charge.budget.name;
  return charges.some(isSame) ? charges.map((other) => (isSame(other) ? charge : other)) : [...charges, charge];
}
