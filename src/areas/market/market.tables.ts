import { desc } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Every listing ever seen. `live` marks those that may still be active: it leads the indexes, so that what is asked for
 * most never walks through what expired long ago. Equal values are sorted by id, in both directions where many are equal.
 * A listing that is seen again moves in two indexes only: that is what most of the writes are.
 * Bound: what inserts bring, at most 150,000 rows a dump; administrators reset it.
 */
export const marketListings = sqliteTable(
  'market_listings',
  {
    /** Lower-case UUID. */
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    type: text('type'),
    stack: integer('stack').notNull(),
    /** Of the whole stack. */
    price: integer('price').notNull(),
    /** Price of one in thousandths. */
    milliEach: integer('milli_each').notNull(),
    createdAt: integer('created_at').notNull(),
    lastSeen: integer('last_seen').notNull(),
    /** `last_seen` before the insert named by `revision`; null when that one saw the listing first. */
    previousSeen: integer('previous_seen'),
    /** Number of the insert that changed the row last. */
    revision: integer('revision').notNull(),
    live: integer('live', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    index('market_live_last_seen').on(table.live, desc(table.lastSeen), table.id, table.createdAt),
    index('market_live_price_each').on(table.live, table.milliEach, table.id),
    index('market_live_created_at').on(table.live, table.createdAt, table.id),
    index('market_live_price').on(table.live, table.price, table.id),
    index('market_live_stack').on(table.live, table.stack, table.id),
    index('market_live_stack_down').on(table.live, desc(table.stack), table.id),
    index('market_live_name').on(table.live, table.name, table.id),
    index('market_name_last_seen').on(table.name, desc(table.lastSeen), table.id),
    index('market_name_created_at').on(table.name, table.createdAt, table.id),
  ],
);

/** Names that were ever stored, with how many listings each has. Bound: one row a tracked name. */
export const marketItems = sqliteTable('market_items', {
  name: text('name').primaryKey(),
  listings: integer('listings').notNull(),
});

/** What the inserts add up to; a single row, absent before the first one. Bound: one row. */
export const marketState = sqliteTable('market_state', {
  id: integer('id').primaryKey(),
  /** Inserts that changed anything so far. */
  revision: integer('revision').notNull(),
  /** Time that the newest of them noted its listings as seen at. */
  insertSeen: integer('insert_seen').notNull().default(0),
  /** The latest `last_seen` of all. */
  newestSeen: integer('newest_seen').notNull(),
  /** All stored listings, and those marked live. */
  listings: integer('listings').notNull(),
  live: integer('live').notNull(),
});
