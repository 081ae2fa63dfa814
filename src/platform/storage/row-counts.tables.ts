import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Number of rows of tables whose lists have a `total`. Triggers keep it (`countingTriggers`). Bound: one row per such table, or per value
 * of the column that its rows are counted by.
 */
export const rowCounts = sqliteTable('row_counts', {
  /** `news_articles`, or `mod_packs/visibility=public`. */
  name: text('name').primaryKey(),
  rows: integer('rows').notNull(),
});
