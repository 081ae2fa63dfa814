import type { Caller } from '../access/access-control.ts';
import { ApiError } from '../errors/api-error.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { writeRateHeaders } from './headers.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { type Charge, isRefused, remainingOf, retryAfterSeconds } from './window.ts';

/** One read of old data. */
export interface ArchiveRead {
  /** Whose old data: each area has a counter of its own. */
  area: string;
  caller: Caller;
  limit: number;
  windowSeconds: number;
  now: UnixSeconds;
}

/** The second budget of a token: reads of old data cost more than others. */
export interface ArchiveBudget {
  /** Counts a read and returns the headers for its answer. Throws 429, which states this budget, when it is spent. */
  charge(read: ArchiveRead): Promise<Record<string, string>>;
}

/** `scale` multiplies every limit (development and test only). */
export function createArchiveBudget(limiter: RateLimiter, scale: number): ArchiveBudget {
  return {
    async charge({ area, caller, limit, windowSeconds, now }) {
      if (caller.kind === 'anonymous') return {};
      const name = `archive-${area}`;
      const budget = { name, limit: Math.max(1, Math.round(limit * scale)), windowSeconds };
      const charge = await limiter.charge(`${name}:${caller.tokenId}`, budget, now);
      if (isRefused(charge)) throw spent(charge, now);
      return archiveHeaders(charge);
    },
  };
}

function archiveHeaders(charge: Charge): Record<string, string> {
  return {
    'X-RateLimit-Archive-Limit': String(charge.budget.limit),
    'X-RateLimit-Archive-Remaining': String(remainingOf(charge)),
    'X-RateLimit-Archive-Reset': String(charge.resetAt),
  };
}

function spent(charge: Charge, now: UnixSeconds): ApiError {
  const { limit, windowSeconds } = charge.budget;
  const headers = { ...archiveHeaders(charge), 'Retry-After': String(retryAfterSeconds(charge.resetAt, now)) };
  writeRateHeaders(headers, charge, now);
  return new ApiError('rate_limited', `more than ${limit} reads of old data in ${windowSeconds} seconds`, {
    details: { limit, window_seconds: windowSeconds },
    headers,
  });
}
