import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { WEBHOOK_EVENTS } from '../webhook-events.data.ts';

/** Pictures that accounts have designed for the messages of their webhooks. Bound: 10 an account. */
export const webhookDesigns = sqliteTable(
  'webhook_designs',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    event: text('event', { enum: WEBHOOK_EVENTS }).notNull(),
    /** In pixels, as the drawing says itself. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** As it was written, placeholders included. */
    svg: text('svg').notNull(),
  },
  (table) => [index('webhook_designs_user').on(table.userId, table.createdAt, table.id)],
);
