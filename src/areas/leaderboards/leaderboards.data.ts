/** Boards that are a grouping of the game's window, in any case: they are skipped. */
export const FAVORITES_CATEGORY = 'FAVORITES';

/** Category ids of contests: a board that carries one is a contest at that capture. */
export const CONTEST_CATEGORIES: ReadonlyMap<string, 'daily' | 'weekly'> = new Map([
  ['Leaderboard_Category_Contests_Daily', 'daily'],
  ['Leaderboard_Category_Contests', 'weekly'],
]);

/** Name of the insert, for its cooldown and its log. */
export const INSERT_NAME = 'leaderboards';
/** The same for the deletion of a capture. */
export const DELETE_NAME = 'leaderboards-delete-anchor';
/** Largest body of an insert, in bytes: dumps have 16 to 18 MB. */
export const MAX_DUMP_BYTES = 20 * 1024 * 1024;
/** Maximum line length in UTF-16 units; a board of 20,000 rows takes less than 1 MB. */
export const MAX_LINE_LENGTH = 8 * 1024 * 1024;
/** Longest name of a player, and longest of the texts that name a board: the game's are far shorter. */
export const MAX_NAME_LENGTH = 200;
export const MAX_TEXT_LENGTH = 500;
/** The game has fewer than 200 boards. */
export const MAX_BOARDS = 2000;
/** Dropped lines and pieces that the log names; the rest is counted. */
export const MAX_NOTES = 20;
/** Text of a dropped line or piece that the log shows. */
export const NOTE_LENGTH = 60;

/** How far ahead of the clock a dump may be dated, and how far back without `backfill`, in seconds. */
export const MAX_AHEAD_SECONDS = 300;
export const MAX_BACK_SECONDS = 14 * 86_400;

/** Boards whose score packs depth and time of a delve, and the longest time of one, in minutes. */
export const DELVE_BOARDS: ReadonlySet<number> = new Set([2004, 2014, 2024]);
export const DELVE_MINUTES = 180;

/** Most parts by name hash that the rows of a capture are stored in for look-ups of players, and rows that fill one. */
export const MAX_PLAYER_SHARDS = 256;
export const SHARD_ROWS = 2500;

/** Boards of mastery, and those of power rank by class. */
export const MASTERY_BOARD = 1;
export const GEODE_MASTERY_BOARD = 20;
export const POWER_RANK_BOARDS = { first: 1000, last: 1017 } as const;
/** Geode Mastery stops here in the game. */
export const GEODE_LEVEL_CAP = 100;
/** Points from each level to the next: up to and including `level`, `points` for one. */
export const MASTERY_STEPS = [
  { level: 5, points: 25 },
  { level: 10, points: 50 },
  { level: 20, points: 75 },
  { level: 300, points: 100 },
] as const;
/** Beyond the last step a level costs `base + ceil((level - 300) x growth)`. */
export const MASTERY_BEYOND = { base: 150, growth: 0.5 } as const;

/** Rows from the top that the health of a board is measured on. */
export const HEALTH_SAMPLE = 50;

/** Captures that one pack holds: a game day of hourly ones, with room for more. */
export const MAX_PACKED_CAPTURES = 32;
/** Reads and writes of objects that are under way at once: the platform lets six wait. */
export const OBJECT_CONCURRENCY = 6;

/** Objects that one look-up of a player may read: with one a game day that is more than a year. */
export const MAX_PLAYER_OBJECTS = 400;
/** Captures that the series of a player, and the history of a board, are drawn from: every hour of 30 days. More are thinned out evenly. */
export const MAX_SERIES_CAPTURES = 750;
/** Contests of a board that are listed. */
export const MAX_CONTESTS = 365;

/** Days that the latest rows of a profile reach back, and the most of them. */
export const RECENT_DAYS = 7;
export const MAX_RECENT_ROWS = 200;
