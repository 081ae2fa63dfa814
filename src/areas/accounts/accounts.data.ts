import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../platform/time/clock.ts';

/** Life of a sign-in without use of its refresh token. */
export const REFRESH_SECONDS = 30 * SECONDS_PER_DAY;
/** How long the refresh token before the last one still answers, for two tabs that refresh at the same time. */
export const REFRESH_GRACE_SECONDS = 30;
/** Life of the links that verify an address. */
export const VERIFY_SECONDS = 48 * SECONDS_PER_HOUR;
/** Life of the links that set a new password. */
export const RESET_SECONDS = SECONDS_PER_HOUR;

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;
export const MAX_DISPLAY_NAME_LENGTH = 80;

/** Failed sign-ins for one address within the window that lock it, and for how long. */
export const LOCKOUT = { failures: 5, windowSeconds: 900, lockSeconds: 900 };

/** Devices of an account that are remembered, to notice a new one. */
export const MAX_KNOWN_DEVICES = 20;

/** Usage events in an export of an account: the latest. */
export const MAX_EXPORTED_EVENTS = 20_000;
