import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';

/** Maximum size of a report in bytes, and maximum number of matches. */
export const MAX_REPORT_BYTES = 2 * 1024 * 1024;
export const MAX_MATCHES = 5000;

/** TTL of the partner's keys, in seconds. */
export const KEYS_TTL_SECONDS = SECONDS_PER_DAY;
/** Minimum interval of fetches of the keys in all isolates, in seconds; the partner allows 60 per hour. */
export const MIN_FETCH_INTERVAL_SECONDS = SECONDS_PER_MINUTE;
/** Maximum duration of a fetch of the keys, in seconds. A fetch without a result by then has failed. */
export const FETCH_TIMEOUT_SECONDS = 20;

/** Maximum number of stored keys, and maximum length of a key in characters. */
export const MAX_KEYS = 50;
export const MAX_KEY_LENGTH = 4000;

export const REASON_EXPOSED = 'exposed publicly, found by secret scanning';
