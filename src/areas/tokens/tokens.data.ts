import { SECONDS_PER_DAY } from '../../platform/time/clock.ts';

/** Days a token may be good for; null beside them is for ever. */
export const EXPIRY_DAYS = [30, 60, 90] as const;
export const DEFAULT_EXPIRY_DAYS = 30;

/** Tokens of an account that are neither revoked nor expired. */
export const MAX_LIVE_TOKENS = 20;

export const MAX_TOKEN_NAME_LENGTH = 80;
export const MAX_REASON_LENGTH = 200;

/** Tokens that nobody used for so long are revoked. */
export const UNUSED_SECONDS = 182 * SECONDS_PER_DAY;
/**
 * Time before the end of a token at which its owner is sent a mail each, the longest first: 14 days, 3 days, and the last daily run of the
 * job before the end.
 */
export const EXPIRY_LEAD_SECONDS = [14 * SECONDS_PER_DAY, 3 * SECONDS_PER_DAY, SECONDS_PER_DAY] as const;

export const REASON_UNUSED = 'not used for 182 days';
export const REASON_ADMINISTRATOR = 'revoked by an administrator';

/** Refused requests within a day from which on administrators are told. */
export const MIN_DIGEST_REQUESTS = 20;
export const DIGEST_USERS = 20;
