import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Number of rows of tables whose lists have a `total`. Triggers keep it (`countingTriggers`). Bound: one row per such table. */
export const rowCounts = sqliteTable('row_counts', {
  /** Name of the table. */
  name: text('name').primaryKey(),
  rows: integer('rows').notNull(),
});
