/** Category of the favourites in the game's window, case-insensitive. Its lines repeat other boards and are skipped. */
export const FAVORITES_CATEGORY = 'FAVORITES';

/** Category ids of contests. A board with such a line is a contest at that capture. */
export const CONTEST_CATEGORIES: ReadonlyMap<string, 'daily' | 'weekly'> = new Map([
  ['Leaderboard_Category_Contests_Daily', 'daily'],
  ['Leaderboard_Category_Contests', 'weekly'],
]);

/** Periods of the largest gains, in days. */
export const GAIN_PERIODS = [1, 7, 30] as const;

/** Name of the insert in cooldown settings and in the insert log. */
export const INSERT_NAME = 'leaderboards';
/** Name of the deletion of a capture, in the same places. */
export const DELETE_NAME = 'leaderboards-delete-anchor';
/** Maximum body of an insert; dumps have 16 to 18 MB. */
export const MAX_DUMP_BYTES = 20 * 1024 * 1024;
/** Maximum line length in UTF-16 units; a board of 20,000 rows takes less than 1 MB. */
export const MAX_LINE_LENGTH = 8 * 1024 * 1024;
/** Maximum length of a player name, and of the texts before and after `=`; those of the game are far shorter. */
export const MAX_NAME_LENGTH = 200;
export const MAX_TEXT_LENGTH = 500;
/** The game has fewer than 200 boards. */
export const MAX_BOARDS = 2000;
/** Maximum number of dropped lines and entries that the log quotes; the rest is counted. */
export const MAX_NOTES = 20;
/** Maximum length of a quote. */
export const NOTE_LENGTH = 60;

/** Maximum distance of a dump into the future, and maximum age without `backfill`. */
export const MAX_AHEAD_SECONDS = 300;
export const MAX_BACK_SECONDS = 14 * 86_400;

/** Boards whose score encodes depth and time of a delve, and the maximum time in minutes. */
export const DELVE_BOARDS: ReadonlySet<number> = new Set([2004, 2014, 2024]);
export const DELVE_MINUTES = 180;

/** Maximum number of player shards of a capture, and rows per shard. */
export const MAX_PLAYER_SHARDS = 256;
export const SHARD_ROWS = 2500;

/** Uuids of the mastery boards, and of the power rank boards of the classes. */
export const MASTERY_BOARD = 1;
export const GEODE_MASTERY_BOARD = 20;
export const POWER_RANK_BOARDS = { first: 1000, last: 1017 } as const;
/** Boards of a class: this number plus the index of the class. */
export const EFFORT_BOARDS = 4000;
export const PARAGON_BOARDS = 5000;
/** Maximum level of Geode Mastery. */
export const GEODE_LEVEL_CAP = 100;
/** Points per level, up to and including `level`. */
export const MASTERY_STEPS = [
  { level: 5, points: 25 },
  { level: 10, points: 50 },
  { level: 20, points: 75 },
  { level: 300, points: 100 },
] as const;
/** Beyond the last step a level costs `base + ceil((level - 300) x growth)`. */
export const MASTERY_BEYOND = { base: 150, growth: 0.5 } as const;

/** Number of rows from the top that the health of a board is measured on. */
export const HEALTH_SAMPLE = 50;

/** Maximum number of captures in a pack: the 24 of a game day, with room for more. */
export const MAX_PACKED_CAPTURES = 32;
/** Concurrent object reads and writes; Workers allow six open connections. */
export const OBJECT_CONCURRENCY = 6;

/** Maximum number of objects that a lookup of a player reads: more than a year, at one per packed game day. */
export const MAX_PLAYER_OBJECTS = 400;
/** Maximum number of captures in a series: the hours of 30 days. More are sampled evenly. */
export const MAX_SERIES_CAPTURES = 750;
/** Limit for listing the captures of a window: more than 30 days can have, at one insert per token and 5 minutes. */
export const MAX_WINDOW_CAPTURES = 10_000;
/** Maximum number of contests in the details of a board. */
export const MAX_CONTESTS = 365;

/** Age in days of the recent rows of a profile, and their maximum number. */
export const RECENT_DAYS = 7;
export const MAX_RECENT_ROWS = 200;
