import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { derived } from '../kit/backup-decision.ts';
import { newestState, type TableDeclarations } from '../kit/table-declaration.ts';

/** State of each upstream source. The first request creates the row. Bound: one row per source. */
export const upstreamSources = sqliteTable('upstream_sources', {
  source: text('source').primaryKey(),
  /** URL of the validators; null without validators. */
  validatedUrl: text('validated_url'),
  etag: text('etag'),
  lastModified: text('last_modified'),
  validatedAt: integer('validated_at'),
  lastSuccessAt: integer('last_success_at'),
  lastFailureAt: integer('last_failure_at'),
  lastError: text('last_error'),
  /** Number of failures since the last success. */
  failures: integer('failures').notNull(),
  pausedUntil: integer('paused_until'),
});

/** Backup, personal data and growth of the tables. */
export const upstreamTables: TableDeclarations = {
  upstream_sources: {
    backup: derived('the next request to the source writes it'),
    personal: null,
    growth: newestState('a row per source'),
  },
};
