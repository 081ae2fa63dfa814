import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Failed sign-ins by hash of the email address, including addresses without an account.
 * Bound: one row per address that failed within the window, deleted daily.
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
