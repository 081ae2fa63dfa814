import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '../../platform/time/clock.ts';

/** Largest report, in bytes, and most matches in it. */
export const MAX_REPORT_BYTES = 2 * 1024 * 1024;
export const MAX_MATCHES = 5000;

/** How long the partner's keys hold before they are asked for again. */
export const KEYS_TTL_SECONDS = SECONDS_PER_DAY;
/** Shortest time between two requests for the keys, whoever asks: the partner allows 60 an hour. */
export const ASKING_PAUSE_SECONDS = SECONDS_PER_MINUTE;
/** Longest time that a request for the keys takes; one without an outcome by then has failed. */
export const ASKING_TAKES_SECONDS = 20;

/** Most keys that are kept, and longest of each in characters. */
export const MAX_KEYS = 50;
export const MAX_KEY_LENGTH = 4000;

export const REASON_EXPOSED = 'exposed publicly, found by secret scanning';
