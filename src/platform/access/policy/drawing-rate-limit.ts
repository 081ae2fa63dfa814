import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { type Charge, isRefused } from '../limits/window.ts';
import { rateLimited } from './admission.ts';
import type { SessionRateLimit } from './policy.ts';
import { rateLimitsFrom, sessionRateLimitKey } from './rate-limits.ts';

/** Processor time in milliseconds that the drawings of an account may take per window. */
const MAX_COST_MS = 10_000;
const WINDOW_SECONDS = 60;
const drawingRateLimit: SessionRateLimit = { name: 'drawing', limitOf: () => ({ limit: MAX_COST_MS, windowSeconds: WINDOW_SECONDS }) };

/** The limit of the processor time for drawings of an account. `costMs`: counted cost in milliseconds, known before drawing. */
export interface DrawingRateLimit {
  /** Counts a cost. Draw only when the charge is not refused (`isRefused`). */
  charge(userId: string, costMs: number, settings: Settings, now: UnixSeconds): Promise<Charge>;
  /** Counts a cost. Throws 429 when the limit does not allow it. */
  require(userId: string, costMs: number, settings: Settings, now: UnixSeconds): Promise<void>;
}

/** `rateLimitScale` multiplies the limit; 1 in production. */
export function createDrawingRateLimit(limiter: Pick<RateLimiter, 'chargeAmount'>, rateLimitScale: number): DrawingRateLimit {
  const charge: DrawingRateLimit['charge'] = (userId, costMs, settings, now) =>
    limiter.chargeAmount(
      sessionRateLimitKey(drawingRateLimit, userId),
      rateLimitsFrom(settings, rateLimitScale).of(drawingRateLimit),
      now,
      costMs,
    );
  return {
    charge,
    async require(userId, costMs, settings, now) {
      const made = await charge(userId, costMs, settings, now);
      const message = `drawings may take ${made.rateLimit.limit / 1000} s of processor time in ${made.rateLimit.windowSeconds} seconds`;
      if (isRefused(made)) throw rateLimited(made, now, message);
    },
  };
}
