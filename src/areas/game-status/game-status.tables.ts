import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { backedUp, derived } from '../../platform/kit/backup-decision.ts';
import { newestState, type TableDeclarations } from '../../platform/kit/table-declaration.ts';
import { ENVIRONMENTS, STATUSES } from './game-status.data.ts';

/**
 * Periods of each status by environment. A unique index limits each environment to one open segment. Bound: one row per change of status,
 * at most two per probe.
 */
export const statusSegments = sqliteTable(
  'game_status_segments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    environment: text('environment', { enum: ENVIRONMENTS }).notNull(),
    status: text('status', { enum: STATUSES }).notNull(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at'),
    /** Time of the last probe with this status. */
    lastConfirmedAt: integer('last_confirmed_at').notNull(),
  },
  (table) => [
    index('game_status_segments_started').on(table.environment, table.startedAt),
    index('game_status_segments_ended').on(table.environment, table.endedAt),
    uniqueIndex('game_status_segments_open').on(table.environment).where(sql`ended_at is null`),
  ],
);

/** Last round of probes as JSON. Clients receive the KV copy. Bound: one row. */
export const statusSnapshot = sqliteTable('game_status_snapshot', {
  id: integer('id').primaryKey(),
  checkedAt: integer('checked_at').notNull(),
  status: text('status').notNull(),
});

/** Backup, personal data and growth of the tables. */
export const gameStatusTables: TableDeclarations = {
  game_status_segments: {
    backup: backedUp('history of the game status', { noRights: { ended_at: 'end of a state of the game' } }),
    personal: null,
    growth: { by: 'changes of the status of the game', aYear: '1 MB', kept: 'permanently', afterwards: 'stays' },
  },
  game_status_snapshot: { backup: derived('the next probe writes it'), personal: null, growth: newestState('a row per source') },
};
