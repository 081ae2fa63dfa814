import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { MAIL_KINDS } from './mail-caps.data.ts';

/**
 * Mail, and its result for some weeks; the attempts of a waiting mail are in the outbox (`mail.sql.ts`). The text is deleted
 * once sent: it may contain a link. Bound: 30 days of mail, 20 per day and recipient.
 */
export const mailOutbox = sqliteTable(
  'mail_outbox',
  {
    id: text('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text'),
    createdAt: integer('created_at').notNull(),
    /** Tries it took; 0 while it waits. */
    tries: integer('tries').notNull().default(0),
    /** `held`: a notice over the cap that waits for a merged mail. */
    state: text('state', { enum: ['waiting', 'sent', 'kept', 'failed', 'held'] })
      .notNull()
      .default('waiting'),
    /** Why it failed. */
    lastError: text('last_error'),
    kind: text('kind', { enum: MAIL_KINDS }).notNull().default('notice'),
    /** Account that had the mail sent to an address that is not its own. */
    causedBy: text('caused_by'),
    /** Number of further notices with this subject that are only counted. */
    repeats: integer('repeats').notNull().default(0),
  },
  (table) => [
    index('mail_outbox_created').on(table.createdAt),
    index('mail_outbox_counted').on(table.recipient, table.kind, table.createdAt).where(sql`state <> 'held'`),
    index('mail_outbox_held').on(table.recipient, table.subject, table.createdAt).where(sql`state = 'held'`),
    index('mail_outbox_caused').on(table.causedBy, table.createdAt).where(sql`caused_by is not null`),
  ],
);
