import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { BoardActivity } from './activity.domain.ts';

/** Activity of players per leaderboard capture. Bound: one row per capture, 8,760 and less than 2 MB a year. */
export const activityCaptures = sqliteTable(
  'activity_captures',
  {
    windowEnd: integer('window_end').primaryKey(),
    /** The capture before it; null for the first. */
    windowStart: integer('window_start'),
    estimate: integer('estimate'),
    estimateDay: integer('estimate_day'),
    estimateWeek: integer('estimate_week'),
    dayStart: integer('day_start'),
    weekStart: integer('week_start'),
    /** The figures of a day and a week are still to be computed. */
    isStale: integer('is_stale', { mode: 'boolean' }).notNull(),
    computedAt: integer('computed_at').notNull(),
    byBoard: text('by_board', { mode: 'json' }).$type<BoardActivity[]>().notNull(),
  },
  (table) => [
    // Holds all that history and series read, so that they leave the boards alone.
    index('activity_captures_figures').on(table.windowEnd, table.windowStart, table.estimate, table.estimateDay),
    index('activity_captures_stale').on(table.isStale, table.windowEnd),
  ],
);

/**
 * Who was active before a capture: hashes of names in pieces below the size of a value, base64.
 * Bound: the sets of 11 days, at most 264 captures.
 */
export const activitySets = sqliteTable(
  'activity_sets',
  {
    anchor: integer('anchor').notNull(),
    part: integer('part').notNull(),
    storedAt: integer('stored_at').notNull(),
    hashes: text('hashes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.anchor, table.part] })],
);
