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
/** How long before its end the owner of a token is told. */
export const EXPIRY_WARNING_SECONDS = 7 * SECONDS_PER_DAY;

export const REASON_UNUSED = 'not used for 182 days';
export const REASON_ADMINISTRATOR = 'revoked by an administrator';

/** Refused requests within a day from which on administrators are told. */
export const MIN_DIGEST_REQUESTS = 20;
export const DIGEST_USERS = 20;
