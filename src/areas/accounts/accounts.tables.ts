import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expires, type TableDecisions } from '../../platform/kit/backup-decision.ts';

/**
 * Failed attempts at passwords, codes and mailed links, by a keyed hash of what was tried: client address and email address, account,
 * device, session or link. Bound: one row per key that failed within two days, deleted daily; attempts are rate limited per address.
 */
export const failedAttempts = sqliteTable(
  'login_failures',
  {
    // The name of the column is older than the other kinds of keys.
    keyHash: text('email_hash').primaryKey(),
    failures: integer('failures').notNull(),
    /** First failure of the window. */
    since: integer('since').notNull(),
    lockedUntil: integer('locked_until').notNull(),
  },
  (table) => [index('login_failures_since').on(table.since)],
);

/** What a backup does with the tables of the area. */
export const accountsBackup: TableDecisions = {
  login_failures: expires('two days'),
};
