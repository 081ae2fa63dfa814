import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { MAIL_KINDS } from './mail-caps.data.ts';

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
    /** `held`: a notice over the cap, which waits to be merged with others into one mail. */
    state: text('state', { enum: ['waiting', 'sent', 'kept', 'failed', 'held'] })
      .notNull()
      .default('waiting'),
    lastError: text('last_error'),
    kind: text('kind', { enum: MAIL_KINDS }).notNull().default('notice'),
    /** Account that had the mail sent to an address that is not its own. */
    causedBy: text('caused_by'),
    /** Notices with this subject that are only counted, because enough of them are held. */
    repeats: integer('repeats').notNull().default(0),
  },
  (table) => [
    index('mail_outbox_due').on(table.nextTryAt),
    index('mail_outbox_created').on(table.createdAt),
    index('mail_outbox_counted').on(table.recipient, table.kind, table.createdAt).where(sql`state <> 'held'`),
    index('mail_outbox_held').on(table.recipient, table.subject, table.createdAt).where(sql`state = 'held'`),
    index('mail_outbox_caused').on(table.causedBy, table.createdAt).where(sql`caused_by is not null`),
  ],
);
