import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';

/** Allowed lifetimes in days; null is also allowed: no expiry. */
export const EXPIRY_DAYS = [30, 60, 90] as const;
export const DEFAULT_EXPIRY_DAYS = 30;

/** Maximum number of active tokens per account: not revoked and not expired. */
export const MAX_ACTIVE_TOKENS = 20;

export const MAX_TOKEN_NAME_LENGTH = 80;
export const MAX_REASON_LENGTH = 200;

/** Maximum time for which the old secret works after a rotation, in seconds. */
export const MAX_OVERLAP_SECONDS = SECONDS_PER_DAY;

/** Time without use after which a token is revoked, in seconds. */
export const MAX_UNUSED_SECONDS = 182 * SECONDS_PER_DAY;
/** Lead times of expiry mails in seconds, longest first: 14 days, 3 days, and the last daily run of the job before the expiry. */
export const EXPIRY_LEAD_SECONDS = [14 * SECONDS_PER_DAY, 3 * SECONDS_PER_DAY, SECONDS_PER_DAY] as const;

export const REASON_UNUSED = 'not used for 182 days';
export const REASON_ADMINISTRATOR = 'revoked by an administrator';
