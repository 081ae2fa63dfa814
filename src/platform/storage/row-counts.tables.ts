import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { derived } from '../kit/backup-decision.ts';
import { newestState, type TableDeclarations } from '../kit/table-declaration.ts';

/**
 * Number of rows of tables whose lists have a `total`. Triggers keep it (`countingTriggers`). Bound: one row per such table, or per value
 * of the column that its rows are counted by.
 */
export const rowCounts = sqliteTable('row_counts', {
  /** `news_articles`, or `mod_packs/visibility=public`. */
  name: text('name').primaryKey(),
  rows: integer('rows').notNull(),
});

/** Backup, personal data and growth of the tables. */
export const rowCountTables: TableDeclarations = {
  row_counts: { backup: derived('the triggers count the restored rows'), personal: null, growth: newestState('a row per count') },
};
