import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../platform/time/clock.ts';

/** Technical names of the classes in the order of the game: board `BASE + index` belongs to the class. */
export const CLASS_ORDER = [
  ...['knight', 'gunslinger', 'faetrickster', 'dracolyte', 'neonninja', 'candybarbarian', 'icemage', 'shadowhunter', 'piratelord'],
  ...['adventurer', 'tombraiser', 'lunarlancer', 'spirittank', 'chloromancer', 'dinotamer', 'crimefighter', 'bard', 'solarion'],
] as const;

export const EFFORT_BOARDS = 4000;
export const POWER_RANK_BOARDS = 1000;
/** Experience of the week, of all classes. */
export const XP_BOARD = 21_005;

/** Longest span of a comparison with the day before: a gap makes it meaningless beyond. */
export const MAX_DAY_SPAN_SECONDS = 36 * SECONDS_PER_HOUR;
/** A window across the weekly reset, which empties the effort boards, says nothing; one up to this length counts as empty. */
export const MAX_RESET_WINDOW_SECONDS = 2 * SECONDS_PER_HOUR;

/** Sets are kept for a union of a day, and back-filled ones until the captures after them had their turn. */
export const CLASS_SETS_TTL_SECONDS = 2 * SECONDS_PER_DAY;

/** Description of the figures in responses. */
export const CLASS_METHODOLOGY =
  'Players on the weekly effort board of each class. Clean figures exclude players below thresholds of power rank, weekly effort and weekly experience. The series counts each player once whose effort rose, or who entered the board above its lowest score, between two captures within 24 hours. A weekly reset between captures leaves a gap.';
