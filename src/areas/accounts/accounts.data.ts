import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';

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

/** Lifetime of links that confirm a device, in seconds. */
export const DEVICE_LINK_TTL_SECONDS = SECONDS_PER_HOUR;

/** Wrong passwords from one client for one account, in one session, or with one mailed link. */
export const PASSWORD_LOCKOUT = { failures: 5, windowSeconds: 900, lockSeconds: 900 };
/** Wrong passwords for an account from devices that have not signed in to it. Above it, such a device needs a mailed link. */
export const ACCOUNT_FAILURES = { failures: 50, windowSeconds: SECONDS_PER_DAY, lockSeconds: SECONDS_PER_DAY };
/** Wrong passwords from a device that has signed in. Above it, the device counts as unknown, because its cookie may be stolen. */
export const DEVICE_FAILURES = ACCOUNT_FAILURES;
/** Wrong codes of a second factor. A code is one of a million, and three are valid at a time. */
export const CODE_LOCKOUT = { failures: 5, windowSeconds: SECONDS_PER_HOUR, lockSeconds: SECONDS_PER_HOUR };
/** Passwords tried with one reset link, which expires before the lock. */
export const RESET_ATTEMPTS = { failures: 5, windowSeconds: RESET_LINK_TTL_SECONDS, lockSeconds: SECONDS_PER_DAY };
/** Longer than every window and lock. */
export const ATTEMPTS_RETENTION_SECONDS = 2 * SECONDS_PER_DAY;

/** Retention of the events of second factors, in seconds. */
export const SECOND_FACTOR_EVENT_TTL_SECONDS = 400 * SECONDS_PER_DAY;

/** Stored devices per account, for the notification about new devices. */
export const MAX_KNOWN_DEVICES = 20;
