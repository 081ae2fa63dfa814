import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp, references } from '../../kit/backup-decision.ts';
import type { TableDeclarations, TableGrowth } from '../../kit/table-declaration.ts';

/** Second factors of accounts. A row without `confirmedAt` is a set-up that was not finished. Bound: one row per account. */
export const secondFactors = sqliteTable('second_factors', {
  userId: text('user_id').primaryKey(),
  /** The shared secret, encrypted and bound to the account. */
  sealedSecret: text('sealed_secret').notNull(),
  createdAt: integer('created_at').notNull(),
  /** When the first code was accepted; null while the set-up is not finished. */
  confirmedAt: integer('confirmed_at'),
  /** Time step of the last accepted code. Codes of this and earlier steps are refused. */
  lastStep: integer('last_step').notNull().default(0),
});

/** Unused recovery codes, as SHA-256. A used code is deleted. Bound: 10 rows per account. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    userId: text('user_id').notNull(),
  },
  (table) => [index('recovery_codes_user').on(table.userId)],
);

/** Changes of second factors, for the owner and the operator. Bound: deleted after 400 days, or with the account. */
export const secondFactorEvents = sqliteTable(
  'second_factor_events',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    kind: text('kind', { enum: ['enabled', 'disabled', 'recovery_code_used', 'recovery_codes_replaced', 'reset_by_operator'] }).notNull(),
    /** For a reset: user and machine of the operator. */
    actor: text('actor'),
    at: integer('at').notNull(),
  },
  (table) => [index('second_factor_events_user').on(table.userId), index('second_factor_events_at').on(table.at)],
);

const WITH_FACTORS: TableGrowth = {
  by: 'accounts with a second factor',
  aYear: 'less than 1 MB',
  large: '5 MB',
  kept: 'until the account is deleted',
  afterwards: 'deleted',
};

/** Backup, personal data and growth of the tables. */
export const secondFactorTables: TableDeclarations = {
  second_factors: {
    backup: backedUp('an account without it would be open to its password alone', {
      ...references('user_id', 'users'),
      journal: { key: ['user_id'], columns: ['sealed_secret', 'confirmed_at'], restores: 'rows' },
    }),
    personal: 'Second factor',
    growth: WITH_FACTORS,
  },
  recovery_codes: {
    backup: backedUp('replace a lost device', {
      ...references('user_id', 'users'),
      journal: { key: ['user_id'], columns: ['code_hash'], restores: 'rows' },
    }),
    personal: 'Second factor',
    growth: WITH_FACTORS,
  },
  second_factor_events: {
    backup: backedUp('record of changes for owners and operators', references('user_id', 'users')),
    personal: 'Second factor',
    growth: { by: 'changes of second factors', aYear: 'none', kept: '400 days', afterwards: 'deleted' },
  },
};
