import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { derived } from '../../platform/kit/backup-decision.ts';
import { newestState, type TableDeclarations } from '../../platform/kit/table-declaration.ts';
import * as shapes from '../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../platform/storage/json-column.ts';
import type { ScanningKey } from './scanning-keys.domain.ts';

const KEY: shapes.Shape<ScanningKey> = shapes.fields({ id: shapes.text, pem: shapes.text });

/** Public keys of the secret scanning partner. Bound: one row per source URL. */
export const scanningKeys = sqliteTable('scanning_keys', {
  url: text('url').primaryKey(),
  /** JSON list of the last fetched keys. */
  keys: jsonColumn('keys', shapes.listOf(KEY)).notNull(),
  /** Null before the first success. */
  fetchedAt: integer('fetched_at'),
  /** Time of the last fetch; updating it claims the next one. */
  fetchStartedAt: integer('asked_at').notNull(),
});

/** Backup, personal data and growth of the tables. */
export const secretScanningTables: TableDeclarations = {
  scanning_keys: { backup: derived('read again from the source'), personal: null, growth: newestState('a row per source') },
};
