import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { FEEDBACK_CATEGORIES } from './feedback.data.ts';
import type { AttachmentMeta } from './feedback.domain.ts';

/**
 * Names of the market items to track, once an administrator changed the bundled list; while it is empty that one holds.
 * Bound: a list that administrators keep.
 */
export const interestItems = sqliteTable('interest_items', {
  name: text('name').primaryKey(),
});

/** Supporters in the order they are shown. Bound: a list that administrators keep. */
export const supporters = sqliteTable('supporters', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull().unique(),
});

/**
 * Feedback as it is kept: what was written and with what program, never from where.
 * Bound: what the feedback budgets let in, an hour for an address and for all.
 */
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
