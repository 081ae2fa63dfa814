import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { backedUp, expires, references } from '../../platform/kit/backup-decision.ts';
import type { TableDeclarations } from '../../platform/kit/table-declaration.ts';

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

/**
 * Suspensions of accounts: the open one, which keeps the account inactive, and ended ones as the audit trail. Bound: rows are written by
 * superusers, and deleted with the account.
 */
export const accountSuspensions = sqliteTable(
  'account_suspensions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    reason: text('reason').notNull(),
    startedAt: integer('started_at').notNull(),
    /** Accounts of the superusers. */
    startedBy: text('started_by').notNull(),
    endedAt: integer('ended_at'),
    endedBy: text('ended_by'),
    /** Why it was ended. */
    endReason: text('end_reason'),
  },
  (table) => [
    index('account_suspensions_user').on(table.userId, table.startedAt),
    uniqueIndex('account_suspensions_open').on(table.userId).where(sql`ended_at IS NULL`),
  ],
);

/** Backup, personal data and growth of the tables. */
export const accountsTables: TableDeclarations = {
  login_failures: {
    backup: expires('two days'),
    personal: 'Sign-ins',
    growth: { by: 'failed sign-ins', aYear: 'none', kept: '2 days', afterwards: 'deleted' },
  },
  account_suspensions: {
    backup: backedUp('record of suspensions; the open one can be ended', {
      ...references('user_id', 'users'),
      journal: { key: ['id'], columns: ['ended_at', 'end_reason'], restores: 'rows' },
    }),
    personal: 'Suspensions',
    growth: { by: 'suspended accounts', aYear: 'less than 100 kB', kept: 'as long as the account', afterwards: 'deleted with it' },
  },
};
