import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ClassFigures, ClassValues } from './class-activity.domain.ts';

/** Class activity per leaderboard capture. Bound: one row per capture, 8,760 and less than 10 MB per year. */
export const classActivityCaptures = sqliteTable(
  'class_activity_captures',
  {
    windowEnd: integer('window_end').primaryKey(),
    /** Previous capture; null for the first. */
    windowStart: integer('window_start'),
    computedAt: integer('computed_at').notNull(),
    figures: text('figures', { mode: 'json' }).$type<ClassFigures>().notNull(),
    /** Players active within 24 hours, by class. */
    dayValues: text('day_values', { mode: 'json' }).$type<ClassValues>().notNull(),
    /** Whether `dayValues` are outdated. */
    isStale: integer('is_stale', { mode: 'boolean' }).notNull(),
  },
  (table) => [index('class_activity_captures_stale').on(table.isStale, table.windowEnd)],
);

/** Players of a class active since the previous capture: hashes of names as base64. Bound: the sets of 2 days, at most 48 captures. */
export const classActivitySets = sqliteTable(
  'class_activity_sets',
  {
    classIndex: integer('class_index').notNull(),
    anchor: integer('anchor').notNull(),
    storedAt: integer('stored_at').notNull(),
    /** Null: unknown for this window. */
    active: text('active'),
    clean: text('clean'),
  },
  (table) => [primaryKey({ columns: [table.classIndex, table.anchor] }), index('class_activity_sets_anchor').on(table.anchor)],
);
