import type { UnixSeconds } from '../time/clock.ts';
import { type Charge, remainingOf } from './window.ts';

/** Writes the `X-RateLimit-*` headers and the IETF headers (draft-ietf-httpapi-ratelimit-headers-11) of a charge. */
export function writeRateHeaders(headers: Record<string, string>, charge: Charge, now: UnixSeconds): void {
  const { name, limit, windowSeconds } = charge.budget;
  const remaining = remainingOf(charge);
  headers['X-RateLimit-Limit'] = String(limit);
  headers['X-RateLimit-Remaining'] = String(remaining);
  headers['X-RateLimit-Reset'] = String(charge.resetAt);
  headers['RateLimit-Policy'] = `"${name}";q=${limit};w=${windowSeconds}`;
  headers.RateLimit = `"${name}";r=${remaining};t=${charge.resetAt - now}`;
}
