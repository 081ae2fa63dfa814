import { ApiError } from '../../kit/errors/api-error.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';
import type { Caller } from '../policy/admission.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { isRefused, remainingOf, retryAfterSeconds, scaleLimit } from './window.ts';

/** An additional rate limit of a token for reads of old data. Off by default; a setting enables it. */
export interface ArchiveRateLimit {
  /** Counts one archive read and returns its rate limit headers; no headers while the limit is off. Throws 429 over the limit. */
  charge(caller: Caller, settings: Settings, now: UnixSeconds): Promise<Record<string, string>>;
}

export interface ArchiveRateLimitDeps {
  limiter: RateLimiter;
  /** Part of the names of counter and rate limit. */
  area: string;
  /** Limit 0 disables the rate limit. */
  limitsOf(settings: Settings): { limit: number; windowSeconds: number };
  /** Multiplies the limit; 1 in production. */
  rateLimitScale: number;
}

export function createArchiveRateLimit({ limiter, area, limitsOf, rateLimitScale }: ArchiveRateLimitDeps): ArchiveRateLimit {
  return {
    async charge(caller, settings, now) {
      const { limit, windowSeconds } = limitsOf(settings);
      if (limit === 0 || !('tokenId' in caller)) return {};
      const rateLimit = { name: `archive-${area}`, limit: scaleLimit(limit, rateLimitScale), windowSeconds };
      const charge = await limiter.charge(`archive:${area}:${caller.tokenId}`, rateLimit, now);
      const headers = {
        'X-RateLimit-Archive-Limit': String(rateLimit.limit),
        'X-RateLimit-Archive-Remaining': String(remainingOf(charge)),
        'X-RateLimit-Archive-Reset': String(charge.resetAt),
      };
      if (!isRefused(charge)) return headers;
      throw new ApiError('rate_limited', `more than ${rateLimit.limit} archive reads in ${windowSeconds} seconds`, {
        details: { limit: rateLimit.limit, window_seconds: windowSeconds },
        headers: { ...headers, 'Retry-After': String(retryAfterSeconds(charge.resetAt, now)) },
      });
    },
  };
}
