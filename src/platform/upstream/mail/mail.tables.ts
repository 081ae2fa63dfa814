import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expires } from '../../kit/backup-decision.ts';
import type { TableDeclarations } from '../../kit/table-declaration.ts';
import { MAIL_KINDS } from './mail-caps.data.ts';

/**
 * Mail and its result. The attempts of a waiting mail are in the outbox (`mail.sql.ts`). The text is deleted after sending, because it
 * may contain a link. Bound: 30 days of mail, 20 per day and recipient.
 */
export const mailOutbox = sqliteTable(
  'mail_outbox',
  {
    id: text('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text'),
    createdAt: integer('created_at').notNull(),
    /** Number of attempts; 0 while the mail waits. */
    tries: integer('tries').notNull().default(0),
    /** `held`: a notice over the caps, to be merged. `kept`: stored in the mailbox instead of sent (development). */
    state: text('state', { enum: ['waiting', 'sent', 'kept', 'failed', 'held'] })
      .notNull()
      .default('waiting'),
    /** Error of the last attempt of a failed mail. */
    lastError: text('last_error'),
    kind: text('kind', { enum: MAIL_KINDS }).notNull().default('notice'),
    /** Account that caused the mail to an address other than its own. */
    causedBy: text('caused_by'),
    /** Number of further notices with this subject that were only counted. */
    repeats: integer('repeats').notNull().default(0),
  },
  (table) => [
    index('mail_outbox_created').on(table.createdAt),
    index('mail_outbox_counted').on(table.recipient, table.kind, table.createdAt).where(sql`state <> 'held'`),
    index('mail_outbox_held').on(table.recipient, table.subject, table.createdAt).where(sql`state = 'held'`),
    index('mail_outbox_caused').on(table.causedBy, table.createdAt).where(sql`caused_by is not null`),
  ],
);

/** Backup, personal data and growth of the tables. */
export const mailTables: TableDeclarations = {
  mail_outbox: {
    backup: expires('30 days; mails that were not sent yet are lost'),
    personal: 'Mail to you',
    growth: { by: 'mails', aYear: 'none', kept: '30 days', afterwards: 'deleted' },
  },
};
