import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../platform/time/clock.ts';

/** Lifetime of a refresh token, in seconds; each use renews it. */
export const REFRESH_TTL_SECONDS = 30 * SECONDS_PER_DAY;
/** Grace period of the previous refresh token in seconds, for two tabs that refresh concurrently. */
export const REFRESH_GRACE_SECONDS = 30;
/** Lifetime of email verification links, in seconds. */
export const VERIFY_LINK_TTL_SECONDS = 48 * SECONDS_PER_HOUR;
/** Lifetime of password reset links, in seconds. */
export const RESET_LINK_TTL_SECONDS = SECONDS_PER_HOUR;

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;
export const MAX_DISPLAY_NAME_LENGTH = 80;

/** Lock of an email address: failed sign-ins per window, window and lock duration in seconds. */
export const LOCKOUT = { failures: 5, windowSeconds: 900, lockSeconds: 900 };

/** Stored devices per account, for the notification about new devices. */
export const MAX_KNOWN_DEVICES = 20;

/** Maximum number of usage events in an account export, newest first. */
export const MAX_EXPORTED_EVENTS = 20_000;
