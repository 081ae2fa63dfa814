import type { RateLimiter } from '../../rate-limits/rate-limiter.ts';
import type { Charge } from '../../rate-limits/window.ts';
import type { Settings } from '../../settings/settings.data.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import { requireBudget } from './admission.ts';
import { budgetsFrom, sessionBudgetKey } from './budgets.ts';
import type { SessionBudget } from './policy.ts';

/** Rate limit of image rendering per account: one image may take one second of processor time. */
export const drawingBudget: SessionBudget = { name: 'drawing', limitOf: () => ({ limit: 60, windowSeconds: 60 }) };

/**
 * The rendering limit of an account, for code that decides at run time whether to render. Endpoints that always render declare
 * the limit in their access.
 */
export interface DrawingBudget {
  /** Counts one image, which must not be rendered when the charge is refused (`isRefused`). */
  charge(userId: string, settings: Settings, now: UnixSeconds): Promise<Charge>;
  /** Counts one image. Throws 429 when the limit is used up. */
  require(userId: string, settings: Settings, now: UnixSeconds): Promise<void>;
}

/** `rateLimitScale` multiplies the limit; 1 in production. */
export function createDrawingBudget(limiter: Pick<RateLimiter, 'charge'>, rateLimitScale: number): DrawingBudget {
  const charge: DrawingBudget['charge'] = (userId, settings, now) =>
    limiter.charge(sessionBudgetKey(drawingBudget, userId), budgetsFrom(settings, rateLimitScale).of(drawingBudget), now);
  return {
    charge,
    async require(userId, settings, now) {
      requireBudget(await charge(userId, settings, now), { now, onCharge: () => {} });
    },
  };
}
