import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Mail on its way, and for some weeks what became of it. The text goes as soon as it was sent: it may hold a link. */
export const mailOutbox = sqliteTable(
  'mail_outbox',
  {
    id: text('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text'),
    createdAt: integer('created_at').notNull(),
    /** When the next try is due; null when there will be none. */
    nextTryAt: integer('next_try_at'),
    tries: integer('tries').notNull().default(0),
    /** Real time until which one try has the mail to itself. */
    leaseUntil: integer('lease_until').notNull().default(0),
    state: text('state', { enum: ['waiting', 'sent', 'kept', 'failed'] })
      .notNull()
      .default('waiting'),
    lastError: text('last_error'),
  },
  (table) => [index('mail_outbox_due').on(table.nextTryAt), index('mail_outbox_created').on(table.createdAt)],
);
