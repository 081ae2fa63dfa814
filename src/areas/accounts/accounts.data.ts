import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../platform/time/clock.ts';

/** Lifetime of a session whose refresh token is not used. */
export const REFRESH_SECONDS = 30 * SECONDS_PER_DAY;
/** Grace period of the previous refresh token, for two tabs that refresh at the same time. */
export const REFRESH_GRACE_SECONDS = 30;
/** Lifetime of email verification links. */
export const VERIFY_SECONDS = 48 * SECONDS_PER_HOUR;
/** Lifetime of password reset links. */
export const RESET_SECONDS = SECONDS_PER_HOUR;

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;
export const MAX_DISPLAY_NAME_LENGTH = 80;

/** Failed sign-ins per email address and window that lock it, and the lock duration. */
export const LOCKOUT = { failures: 5, windowSeconds: 900, lockSeconds: 900 };

/** Known devices stored per account, to detect a new one. */
export const MAX_KNOWN_DEVICES = 20;

/** Usage events in an account export: the latest ones. */
export const MAX_EXPORTED_EVENTS = 20_000;
