import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ENVIRONMENTS, STATUSES } from './game-status.data.ts';

/**
 * How long an environment had which status. One segment of each is open; the index sees to that.
 * Bound: one row a change of an environment's status; at most two a probe.
 */
export const statusSegments = sqliteTable(
  'game_status_segments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    environment: text('environment', { enum: ENVIRONMENTS }).notNull(),
    status: text('status', { enum: STATUSES }).notNull(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at'),
    /** Last probe that found this status. */
    lastConfirmedAt: integer('last_confirmed_at').notNull(),
  },
  (table) => [
    index('game_status_segments_started').on(table.environment, table.startedAt),
    uniqueIndex('game_status_segments_open').on(table.environment).where(sql`ended_at is null`),
  ],
);

/** Last probe round as JSON. Readers get the KV copy. Bound: one row. */
export const statusSnapshot = sqliteTable('game_status_snapshot', {
  id: integer('id').primaryKey(),
  checkedAt: integer('checked_at').notNull(),
  status: text('status').notNull(),
});
