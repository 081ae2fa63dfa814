import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp, derived } from '../../platform/kit/backup-decision.ts';
import { newestState, type TableDeclarations } from '../../platform/kit/table-declaration.ts';
import * as shapes from '../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../platform/storage/json-column.ts';

/**
 * Archive of the official news; articles are never deleted. Ids increase from the bottom of the feed to the top. Bound: a few hundred
 * articles a year.
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
    categories: jsonColumn('categories', shapes.listOf(shapes.text)).notNull(),
    image: text('image'),
    publishedAt: integer('published_at'),
  },
  (table) => [index('news_articles_published').on(table.publishedAt, table.id)],
);

/** Archive of the community calendar; events are never deleted. Bound: a few thousand events a year. */
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
  /** JSON list; null for a feed whose items have their own table. */
  items: text('items'),
});

/** Backup, personal data and growth of the tables. */
export const feedsTables: TableDeclarations = {
  news_articles: {
    backup: backedUp('the feed has recent articles only'),
    personal: 'Feeds',
    growth: { by: 'articles of the game', aYear: '1 MB', kept: 'permanently', afterwards: 'stays: never pruned' },
  },
  community_events: {
    backup: backedUp('the calendar has upcoming events only'),
    personal: 'Feeds',
    growth: { by: 'events of the community, 500 bytes', aYear: '1 MB', kept: 'permanently', afterwards: 'stays' },
  },
  feed_snapshots: { backup: derived('read again from the source'), personal: 'Feeds', growth: newestState('a row per source') },
};
