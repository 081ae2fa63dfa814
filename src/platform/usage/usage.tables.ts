import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Requests of tokens, one by one, for a month. */
export const usageEvents = sqliteTable(
  'usage_events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: text('user_id').notNull(),
    tokenId: text('token_id').notNull(),
    method: text('method').notNull(),
    /** Template of the path. */
    route: text('route').notNull(),
    path: text('path').notNull(),
    statusCode: integer('status_code').notNull(),
    durationMs: integer('duration_ms').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('usage_events_user').on(table.userId, table.id),
    // Most requests succeed, and nobody looks for one of those by its status: they need no entry.
    index('usage_events_errors').on(table.statusCode, table.id).where(sql`${table.statusCode} >= 400`),
  ],
);

const counts = {
  requestCount: integer('request_count').notNull(),
  errorCount: integer('error_count').notNull(),
  rateLimited: integer('rate_limited').notNull(),
  durationMs: integer('duration_ms').notNull(),
};

/** Requests of each token by hour and route, for as long as the token's account exists. */
export const usageHours = sqliteTable(
  'usage_hours',
  {
    tokenId: text('token_id').notNull(),
    userId: text('user_id').notNull(),
    /** Start of the hour. */
    hour: integer('hour').notNull(),
    method: text('method').notNull(),
    route: text('route').notNull(),
    ...counts,
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.hour, table.route, table.method] }),
    index('usage_hours_user').on(table.userId, table.hour),
  ],
);

/** Requests of each account by day: what the whole service is asked for can be summed from few rows. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    userId: text('user_id').notNull(),
    /** Start of the day, UTC. */
    day: integer('day').notNull(),
    ...counts,
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] }), index('usage_days_day').on(table.day)],
);
