import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expires } from '../kit/backup-decision.ts';
import type { TableDeclarations } from '../kit/table-declaration.ts';

/**
 * Pending deliveries of all kinds. A row is deleted when its delivery is done, refused, exhausted or expired. Bound: the pending
 * deliveries.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    kind: text('kind').notNull(),
    /** Unique within the kind: a second insert has no effect. */
    key: text('key').notNull(),
    payload: text('payload').notNull().default(''),
    /** Failed attempts. */
    tries: integer('tries').notNull().default(0),
    nextTryAt: integer('next_try_at').notNull(),
    /** End of the lease of the running attempt, real time. */
    leaseUntil: integer('lease_until').notNull().default(0),
    /** When the delivery expires; null: never. */
    expiresAt: integer('expires_at'),
    lastError: text('last_error'),
  },
  (table) => [primaryKey({ columns: [table.kind, table.key] }), index('outbox_due').on(table.kind, table.nextTryAt)],
);

/** Backup, personal data and growth of the tables. */
export const outboxTables: TableDeclarations = {
  outbox: {
    backup: expires('pending deliveries; those of the time of the backup were made since, or are too old'),
    personal: 'Mail to you',
    growth: { by: 'pending deliveries', aYear: 'none', kept: 'until delivered', afterwards: 'deleted' },
  },
};
