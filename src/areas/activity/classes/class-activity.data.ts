import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../platform/kit/time/clock.ts';

/** Technical names of the classes in the order of the game. The boards of a class are `EFFORT_BOARDS` and `POWER_RANK_BOARDS` plus its index. */
export const CLASS_ORDER = [
  ...['knight', 'gunslinger', 'faetrickster', 'dracolyte', 'neonninja', 'candybarbarian', 'icemage', 'shadowhunter', 'piratelord'],
  ...['adventurer', 'tombraiser', 'lunarlancer', 'spirittank', 'chloromancer', 'dinotamer', 'crimefighter', 'bard', 'solarion'],
] as const;

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
