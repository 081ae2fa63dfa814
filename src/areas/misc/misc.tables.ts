import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { FEEDBACK_CATEGORIES } from './feedback.data.ts';
import type { AttachmentMeta } from './feedback.domain.ts';

/** Names of the market items to track, once an administrator changed the bundled list; while it is empty that one holds. */
export const interestItems = sqliteTable('interest_items', {
  name: text('name').primaryKey(),
});

/** Supporters in the order they are shown. */
export const supporters = sqliteTable('supporters', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull().unique(),
});

/** Feedback as it is kept: what was written and with what program, never from where. */
export const feedbackEntries = sqliteTable('feedback_entries', {
  id: text('id').primaryKey(),
  message: text('message').notNull(),
  contact: text('contact'),
  category: text('category', { enum: FEEDBACK_CATEGORIES }).notNull(),
  appVersion: text('app_version'),
  os: text('os'),
  client: text('client'),
  /** `{filename, contentType, size}` of each attachment, in order. */
  attachments: text('attachments', { mode: 'json' }).$type<AttachmentMeta[]>().notNull(),
  receivedAt: integer('received_at').notNull(),
});

/** Entries still to be forwarded; a row goes when it is delivered, given up, or too old. */
export const feedbackOutbox = sqliteTable(
  'feedback_outbox',
  {
    id: text('id').primaryKey(),
    /** Tries that failed. */
    failures: integer('failures').notNull().default(0),
    nextTryAt: integer('next_try_at').notNull(),
    /** Real time until which a try holds the row; null when none does. */
    leaseUntil: integer('lease_until'),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('feedback_outbox_next_try').on(table.nextTryAt)],
);
