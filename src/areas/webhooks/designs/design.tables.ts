import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { WebhookEvent } from '../webhook-events.domain.ts';

/** Image designs of accounts for webhook messages. Bound: 10 per account. */
export const webhookDesigns = sqliteTable(
  'webhook_designs',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    event: text('event').$type<WebhookEvent>().notNull(),
    /** In pixels. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** Source SVG with placeholders. */
    svg: text('svg').notNull(),
  },
  (table) => [index('webhook_designs_user').on(table.userId, table.createdAt, table.id)],
);
