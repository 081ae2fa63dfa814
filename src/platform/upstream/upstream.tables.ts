import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Stored state of each outside source; the first request creates a row. Bound: one row per source. */
export const upstreamSources = sqliteTable('upstream_sources', {
  source: text('source').primaryKey(),
  /** Address that the validators belong to; null without validators. */
  validatedUrl: text('validated_url'),
  etag: text('etag'),
  lastModified: text('last_modified'),
  validatedAt: integer('validated_at'),
  lastSuccessAt: integer('last_success_at'),
  lastFailureAt: integer('last_failure_at'),
  lastError: text('last_error'),
  /** Failed calls since the last success. */
  failures: integer('failures').notNull(),
  pausedUntil: integer('paused_until'),
});
