import type { RateLimitRule } from '../../platform/access/policy/policy.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';

/** Reports of an address or an account. */
export const reportRateLimit: RateLimitRule = { name: 'reports', limitOf: () => ({ limit: 5, windowSeconds: SECONDS_PER_HOUR }) };
/** Reports of all visitors without an account. */
export const allReportsRateLimit: RateLimitRule = {
  name: 'reports-visitors',
  limitOf: () => ({ limit: 300, windowSeconds: SECONDS_PER_DAY }),
};
