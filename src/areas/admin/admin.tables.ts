import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { derived } from '../../platform/kit/backup-decision.ts';
import { newestState, type TableDeclarations } from '../../platform/kit/table-declaration.ts';

/** Measured size of each bucket. A pass over a large bucket takes several runs of the job. Bound: one row per bucket. */
export const storageSizes = sqliteTable('storage_sizes', {
  store: text('store').primaryKey(),
  /** Result of the last complete pass; null before the first one. */
  objects: integer('objects'),
  bytes: integer('bytes'),
  measuredAt: integer('measured_at'),
  /** Position and sums of the running pass; null between passes. */
  cursor: text('cursor'),
  passObjects: integer('pass_objects').notNull().default(0),
  passBytes: integer('pass_bytes').notNull().default(0),
});

/** Backup, personal data and growth of the tables. */
export const adminTables: TableDeclarations = {
  storage_sizes: { backup: derived('measured again by a job'), personal: null, growth: newestState('a row per bucket') },
};
