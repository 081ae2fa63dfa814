import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Pending deliveries of every kind. A row is deleted when its delivery is done, refused, given up or expired. Bound: pending
 * deliveries; a row ends with its last attempt.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    kind: text('kind').notNull(),
    /** Unique within the kind: a second insertion changes nothing. */
    key: text('key').notNull(),
    payload: text('payload').notNull().default(''),
    /** Tries that failed. */
    tries: integer('tries').notNull().default(0),
    nextTryAt: integer('next_try_at').notNull(),
    /** Real time until which one try holds the row. */
    leaseUntil: integer('lease_until').notNull().default(0),
    /** When the delivery is no longer wanted; null: never. */
    expiresAt: integer('expires_at'),
    lastError: text('last_error'),
  },
  (table) => [primaryKey({ columns: [table.kind, table.key] }), index('outbox_due').on(table.kind, table.nextTryAt)],
);
