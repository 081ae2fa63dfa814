import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_WEEK } from '../../platform/kit/time/clock.ts';

/** Windows in which each active player is counted once. */
export const DAY_SECONDS = SECONDS_PER_DAY;
export const WEEK_SECONDS = SECONDS_PER_WEEK;

/** Retention of player sets: a union over a week may span 1.5 weeks. */
export const SETS_TTL_SECONDS = 11 * SECONDS_PER_DAY;
/** Grace period of backfilled sets, until the captures after them are recomputed. */
export const SETS_GRACE_SECONDS = SECONDS_PER_DAY;

/** Period of a series: days back from now (null: all), and the minimum bucket length (null: derived from the span). */
interface SeriesPeriod {
  days: number | null;
  bucketSeconds: number | null;
}

export const SERIES_PERIODS = {
  '1d': { days: 1, bucketSeconds: 3600 },
  '7d': { days: 7, bucketSeconds: 21_600 },
  '1m': { days: 30, bucketSeconds: 86_400 },
  '3m': { days: 90, bucketSeconds: 86_400 },
  '6m': { days: 180, bucketSeconds: 172_800 },
  '1y': { days: 365, bucketSeconds: 604_800 },
  all: { days: null, bucketSeconds: null },
} as const satisfies Record<string, SeriesPeriod>;
export type SeriesPeriodName = keyof typeof SERIES_PERIODS;
export const SERIES_PERIOD_NAMES = Object.keys(SERIES_PERIODS) as SeriesPeriodName[];
export const DEFAULT_PERIOD: SeriesPeriodName = '7d';

/** Value of `methodology` in responses. */
export const METHODOLOGY =
  'A lower bound: players whose score rose on a leaderboard between two captures, or who entered one above its lowest score, each counted once over all boards. Players without a change on any board are not counted. The 24-hour and 7-day figures count each player active between any two captures of that window once.';

/** Boards of a class: this number plus the index of the class in `CLASS_ORDER`. */
export const EFFORT_BOARDS = 4000;
export const POWER_RANK_BOARDS = 1000;
/** Board of the weekly experience, over all classes. */
export const XP_BOARD = 21_005;

/** Maximum age of the capture that counts as one day before. Older ones are caused by gaps and are not comparable. */
export const MAX_DAY_SPAN_SECONDS = 36 * SECONDS_PER_HOUR;
/** The weekly reset empties the effort boards. Windows across it up to this length count as empty, longer ones as unknown. */
export const MAX_RESET_WINDOW_SECONDS = 2 * SECONDS_PER_HOUR;

/** Retention of player sets: longer than a union over a day. */
export const CLASS_SETS_TTL_SECONDS = 2 * SECONDS_PER_DAY;

/** Value of `methodology` in responses. */
export const CLASS_METHODOLOGY =
  'Players on the weekly effort board of each class. Clean figures exclude players below thresholds of power rank, weekly effort and weekly experience. The series counts each player once whose effort rose, or who entered the board above its lowest score, between two captures within 24 hours. A weekly reset between captures leaves a gap.';
