import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CaptureConsumerName } from '../../game/board-captures.ts';
import { backedUp, expires } from '../../platform/kit/backup-decision.ts';
import { newestState, type TableDeclarations } from '../../platform/kit/table-declaration.ts';
import * as shapes from '../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../platform/storage/json-column.ts';
import type { BoardActivity } from './activity.domain.ts';
import type { ClassFigures, ClassSums, ClassValues } from './class-activity.domain.ts';

const BOARD: shapes.Shape<BoardActivity> = shapes.fields({
  uuid: shapes.number,
  name: shapes.text,
  category: shapes.text,
  activePlayers: shapes.number,
});
const count = shapes.nullable(shapes.number);
const FIGURES: shapes.Shape<ClassFigures> = shapes.fields({
  thresholds: shapes.fields({ powerRank: shapes.number, effort: shapes.number, xp: shapes.number }),
  classes: shapes.listOf(
    shapes.fields({ classIndex: shapes.number, players: shapes.number, cleanPlayers: count, effortAdded: count, cleanEffortAdded: count }),
  ),
});
/** Places are class indexes, so no element is left out. */
const VALUES: shapes.Shape<ClassValues> = shapes.fields({ active: shapes.wholeListOf(count), clean: shapes.wholeListOf(count) });

/** Places are class indexes. */
const SUMS: shapes.Shape<ClassSums[]> = shapes.wholeListOf(shapes.fields({ n: shapes.number, sum: shapes.number, max: count }));

/** Activity of players per leaderboard capture. Bound: one row per capture, 8,760 and less than 2 MB per year. */
export const activityCaptures = sqliteTable(
  'activity_captures',
  {
    windowEnd: integer('window_end').primaryKey(),
    /** Previous capture; null for the first. */
    windowStart: integer('window_start'),
    estimate: integer('estimate'),
    estimateDay: integer('estimate_day'),
    estimateWeek: integer('estimate_week'),
    dayStart: integer('day_start'),
    weekStart: integer('week_start'),
    /** Whether the week figure is outdated, and whether the day figure is too. */
    isStale: integer('is_stale', { mode: 'boolean' }).notNull(),
    isDayStale: integer('is_day_stale', { mode: 'boolean' }).notNull().default(false),
    computedAt: integer('computed_at').notNull(),
    byBoard: jsonColumn('by_board', shapes.listOf(BOARD)).notNull(),
  },
  (table) => [
    // Covers the columns of history and series: these queries do not read the rows.
    index('activity_captures_figures').on(table.windowEnd, table.windowStart, table.estimate, table.estimateDay),
    index('activity_captures_stale').on(table.isStale, table.windowEnd),
  ],
);

/**
 * The 24-hour figures of the captures of a UTC day, for series over years. Written with the captures. Bound: one row per day, 365 and less
 * than 30 kB per year.
 */
export const activityDays = sqliteTable('activity_days', {
  /** Start of the day. */
  day: integer('day').primaryKey(),
  /** Number of captures with a figure, and the sums of the figures and of the times. */
  samples: integer('samples').notNull(),
  valueSum: integer('value_sum').notNull(),
  atSum: integer('at_sum').notNull(),
  /** The first of the largest and of the smallest figures. */
  peak: integer('peak').notNull(),
  peakAt: integer('peak_at').notNull(),
  low: integer('low').notNull(),
  lowAt: integer('low_at').notNull(),
});

/**
 * Number of changes of the stored figures, by consumer of captures. Part of the cache keys of responses: after a backfill, every
 * isolate computes them again. Bound: one row per consumer.
 */
export const activityRevisions = sqliteTable('activity_revisions', {
  consumer: text('consumer').$type<CaptureConsumerName>().primaryKey(),
  revision: integer('revision').notNull(),
});

/**
 * Players active since the previous capture: hashes of names as base64, in parts below the maximum size of a value.
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

/** Class activity per leaderboard capture. Bound: one row per capture, 8,760 and less than 10 MB per year. */
export const classActivityCaptures = sqliteTable(
  'class_activity_captures',
  {
    windowEnd: integer('window_end').primaryKey(),
    /** Previous capture; null for the first. */
    windowStart: integer('window_start'),
    computedAt: integer('computed_at').notNull(),
    figures: jsonColumn('figures', FIGURES).notNull(),
    /** Players active within 24 hours, by class. */
    dayValues: jsonColumn('day_values', VALUES).notNull(),
    /** Whether `dayValues` are outdated. */
    isStale: integer('is_stale', { mode: 'boolean' }).notNull(),
  },
  (table) => [index('class_activity_captures_stale').on(table.isStale, table.windowEnd)],
);

/**
 * The values of the captures of a UTC day by class, for series over years. Written with the captures. Bound: one row per day, 365 and less
 * than 500 kB per year.
 */
export const classActivityDays = sqliteTable('class_activity_days', {
  /** Start of the day, and its first capture. */
  day: integer('day').primaryKey(),
  firstAt: integer('first_at').notNull(),
  /** Number of captures, and the sum of their times. */
  samples: integer('samples').notNull(),
  atSum: integer('at_sum').notNull(),
  active: jsonColumn('active', SUMS).notNull(),
  clean: jsonColumn('clean', SUMS).notNull(),
});

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

/** Backup, personal data and growth of the tables. */
export const activityTables: TableDeclarations = {
  activity_captures: {
    backup: backedUp('the players of old captures, from which the figures were counted, are deleted'),
    personal: 'Activity estimates',
    growth: {
      by: 'hourly captures',
      aYear: '2 MB',
      kept: 'permanently',
      afterwards: 'stays: the player sets that it was counted from expire',
    },
  },
  activity_days: {
    backup: backedUp('sums of activity_captures, which the area writes with them'),
    personal: 'Activity estimates',
    growth: { by: 'days', aYear: '30 kB', kept: 'permanently', afterwards: 'stays' },
  },
  activity_revisions: {
    backup: backedUp('part of cache keys: must not fall'),
    personal: 'Activity estimates',
    growth: newestState('a row per consumer'),
  },
  class_activity_captures: {
    backup: backedUp('the players of old captures, from which the figures were counted, are deleted'),
    personal: 'Activity estimates',
    growth: { by: 'hourly captures', aYear: '10 MB', kept: 'permanently', afterwards: 'stays, as above' },
  },
  class_activity_days: {
    backup: backedUp('sums of class_activity_captures, which the area writes with them'),
    personal: 'Activity estimates',
    growth: { by: 'days', aYear: '0.5 MB', kept: 'permanently', afterwards: 'stays' },
  },
  activity_sets: {
    backup: expires('11 days; daily and weekly figures are incomplete until then'),
    personal: 'Activity estimates',
    growth: { by: 'active players of the newest captures', aYear: 'none', kept: '11 days', afterwards: 'deleted by the job of the area' },
  },
  class_activity_sets: {
    backup: expires('2 days; daily figures are incomplete until then'),
    personal: 'Activity estimates',
    growth: { by: 'active players of the newest captures', aYear: 'none', kept: '2 days', afterwards: 'deleted by the job of the area' },
  },
};
