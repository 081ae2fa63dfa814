import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Every article that the official feed ever had; nothing is deleted. A later `id` was further up in the feed.
 * Bound: what the official feed publishes, some hundred rows a year.
 */
export const newsArticles = sqliteTable(
  'news_articles',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    url: text('url').notNull().unique(),
    title: text('title').notNull(),
    author: text('author').notNull(),
    summary: text('summary').notNull(),
    category: text('category').notNull(),
    /** JSON list. */
    categories: text('categories', { mode: 'json' }).$type<string[]>().notNull(),
    image: text('image'),
    publishedAt: integer('published_at'),
  },
  (table) => [index('news_articles_published').on(table.publishedAt, table.id)],
);

/**
 * Every event that the community calendar ever had; nothing is deleted. Status follows from the clock.
 * Bound: what the calendar publishes, some thousand rows a year.
 */
export const communityEvents = sqliteTable(
  'community_events',
  {
    eventId: text('event_id').primaryKey(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    category: text('category').notNull(),
    image: text('image'),
    icon: text('icon'),
    lookup: text('lookup'),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at').notNull(),
  },
  (table) => [
    index('community_events_ends').on(table.endsAt),
    index('community_events_starts').on(table.startsAt),
    index('community_events_category').on(table.category, table.endsAt),
  ],
);

/** Last good data of each feed. Bound: one row per feed. */
export const feedSnapshots = sqliteTable('feed_snapshots', {
  feed: text('feed').primaryKey(),
  fetchedAt: integer('fetched_at').notNull(),
  /** JSON list; null for a feed whose items have a table of their own. */
  items: text('items'),
});
