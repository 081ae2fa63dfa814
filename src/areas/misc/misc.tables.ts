import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp } from '../../platform/kit/backup-decision.ts';
import type { TableDeclarations, TableGrowth } from '../../platform/kit/table-declaration.ts';
import * as shapes from '../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../platform/storage/json-column.ts';
import type { AttachmentMeta } from './feedback.domain.ts';
import { FEEDBACK_CATEGORIES, IMAGE_TYPES } from './feedback.domain.ts';

const ATTACHMENT: shapes.Shape<AttachmentMeta> = shapes.fields({
  filename: shapes.text,
  contentType: shapes.oneOf(IMAGE_TYPES),
  size: shapes.number,
});

/** Names of tracked market items; while empty, the bundled list applies. Bound: maintained by administrators. */
export const interestItems = sqliteTable('interest_items', {
  name: text('name').primaryKey(),
});

/** Supporters in display order. Bound: maintained by administrators. */
export const supporters = sqliteTable('supporters', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull().unique(),
});

/** Feedback: text and client software, without the IP address. Bound: the rate limits of feedback, per IP address and in total. */
export const feedbackEntries = sqliteTable('feedback_entries', {
  id: text('id').primaryKey(),
  message: text('message').notNull(),
  contact: text('contact'),
  category: text('category', { enum: FEEDBACK_CATEGORIES }).notNull(),
  appVersion: text('app_version'),
  os: text('os'),
  client: text('client'),
  /** `{filename, contentType, size}` of each attachment, in order. */
  attachments: jsonColumn('attachments', shapes.wholeListOf(ATTACHMENT)).notNull(),
  receivedAt: integer('received_at').notNull(),
});

const BY_ADMINISTRATORS: TableGrowth = {
  by: 'decisions of administrators',
  aYear: 'none',
  kept: 'until an administrator removes it',
  afterwards: 'deleted',
};

/** Backup, personal data and growth of the tables. */
export const miscTables: TableDeclarations = {
  feedback_entries: {
    backup: backedUp('sent once by clients'),
    personal: 'Feedback',
    growth: { by: 'reports of users', aYear: '1 MB', large: '5 MB', kept: 'as its settings say', afterwards: 'deleted' },
  },
  interest_items: {
    backup: backedUp('maintained by administrators'),
    personal: null,
    growth: BY_ADMINISTRATORS,
  },
  supporters: {
    backup: backedUp('maintained by administrators'),
    personal: 'Supporters',
    growth: BY_ADMINISTRATORS,
  },
};
