import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { derived, type TableDecisions } from '../../platform/kit/backup-decision.ts';

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

/** What a backup does with the tables of the area. */
export const adminBackup: TableDecisions = {
  storage_sizes: derived('measured again by a job'),
};
