import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp, expires, references } from '../../kit/backup-decision.ts';
import type { TableDeclarations } from '../../kit/table-declaration.ts';

/**
 * Upper bounds of the buckets of durations, in milliseconds; the last bucket has none. Stored: a change would give the stored counts another
 * meaning. A finer scale needs columns of its own.
 */
export const DURATION_BOUNDS_MS = [5, 10, 20, 35, 50, 75, 100, 150, 250, 400, 650, 1000, 2000, 5000, 15_000] as const;

/** The columns that count the requests of each bucket. */
export const DURATION_COLUMNS = [
  ...(['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'] as const),
  ...(['d8', 'd9', 'd10', 'd11', 'd12', 'd13', 'd14', 'd15'] as const),
] as const;

export type DurationColumn = (typeof DURATION_COLUMNS)[number];

const counts = {
  requestCount: integer('request_count').notNull(),
  errorCount: integer('error_count').notNull(),
  rateLimited: integer('rate_limited').notNull(),
  durationMs: integer('duration_ms').notNull(),
};

const zeroCount = (name: string) => integer(name).notNull().default(0);

/** One column per bucket of durations: an upsert adds to all of them in one row. */
const durationCounts = Object.fromEntries(DURATION_COLUMNS.map((name) => [name, zeroCount(name)])) as Record<
  DurationColumn,
  ReturnType<typeof zeroCount>
>;

/**
 * Requests of each account by day. Finer data is in the objects of the tokens (`token-history.ts`). Bound: one row per account and
 * day with requests, 400 days; 64 bytes per row, without rowid and other indexes.
 */
export const usageDays = sqliteTable(
  'usage_days',
  {
    userId: text('user_id').notNull(),
    /** Start of the day, UTC. */
    day: integer('day').notNull(),
    ...counts,
  },
  (table) => [primaryKey({ columns: [table.day, table.userId] })],
);

/**
 * Requests of the whole service by hour, with the distribution of their durations. `token`: all requests with a token. `other`: an estimate
 * from a sample. Bound: two rows per hour, 400 days; without rowid and other indexes.
 */
export const usageHours = sqliteTable(
  'usage_hours',
  {
    /** Start of the hour. */
    hour: integer('hour').notNull(),
    kind: text('kind', { enum: ['token', 'other'] }).notNull(),
    ...counts,
    ...durationCounts,
  },
  (table) => [primaryKey({ columns: [table.hour, table.kind] })],
);

/** Backup, personal data and growth of the tables. */
export const usageTables: TableDeclarations = {
  usage_days: {
    backup: backedUp('daily totals of 400 days; finer data is in the objects of the tokens', references('user_id', 'users')),
    personal: 'Token usage',
    growth: {
      by: 'accounts and days with requests, 64 bytes',
      aYear: '1 MB',
      large: '30 MB',
      kept: '400 days',
      afterwards: 'deleted by `usage-sweep`',
    },
  },
  usage_hours: {
    backup: expires('counts by hour'),
    personal: null,
    growth: { by: 'hours', aYear: '1 MB', kept: '400 days', afterwards: 'deleted by `usage-sweep`' },
  },
};
