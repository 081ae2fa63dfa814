import type { UnixSeconds } from '../time/clock.ts';
import { type Charge, isRefused, remainingOf } from './window.ts';

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
