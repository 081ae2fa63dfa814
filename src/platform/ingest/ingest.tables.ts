import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Log of inserts for administrators. Bound: 90 days of inserts. */
export const ingestLog = sqliteTable(
  'ingest_log',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    endpoint: text('endpoint').notNull(),
    createdAt: integer('created_at').notNull(),
    userId: text('user_id'),
    tokenId: text('token_id'),
    success: integer('success', { mode: 'boolean' }).notNull(),
    /** The imported data in one line: counts, dropped lines. */
    summary: text('summary'),
    error: text('error'),
  },
  (table) => [
    index('ingest_log_endpoint').on(table.endpoint, table.id),
    index('ingest_log_success').on(table.success, table.id),
    index('ingest_log_created').on(table.createdAt),
  ],
);
