import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Failed sign-ins by the hash of the address, whether an account has it or not.
 * Bound: one row an address that failed within its window, deleted daily.
 */
export const loginFailures = sqliteTable(
  'login_failures',
  {
    emailHash: text('email_hash').primaryKey(),
    failures: integer('failures').notNull(),
    /** First failure of the window. */
    since: integer('since').notNull(),
    lockedUntil: integer('locked_until').notNull(),
  },
  (table) => [index('login_failures_since').on(table.since)],
);
