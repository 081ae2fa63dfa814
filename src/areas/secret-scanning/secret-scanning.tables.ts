import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ScanningKey } from './scanning-keys.domain.ts';

/** Public keys of the secret scanning partner, one row for each address they were read from. Bound: one row an address of keys. */
export const scanningKeys = sqliteTable('scanning_keys', {
  url: text('url').primaryKey(),
  /** JSON list: the last ones that were read. */
  keys: text('keys', { mode: 'json' }).$type<ScanningKey[]>().notNull(),
  /** Null before the first success. */
  fetchedAt: integer('fetched_at'),
  /** When they were last asked for; whoever moves it on does the asking. */
  askedAt: integer('asked_at').notNull(),
});
