import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const counts = {
  requestCount: integer('request_count').notNull(),
  errorCount: integer('error_count').notNull(),
  rateLimited: integer('rate_limited').notNull(),
  durationMs: integer('duration_ms').notNull(),
};

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
