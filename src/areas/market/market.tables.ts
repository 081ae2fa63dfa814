import { desc } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp, derived } from '../../platform/kit/backup-decision.ts';
import type { TableDeclarations, TableGrowth } from '../../platform/kit/table-declaration.ts';

/**
 * All listings ever seen. `live` marks listings that may be active; it is the first column of most indexes, so that reads of
 * active listings do not scan expired ones. Equal values are sorted by id; `stack`, where many are equal, has an index per
 * direction. Most writes update `last_seen`, which is in two indexes only.
 * Bound: at most 150,000 new rows per dump; administrators can reset the table.
 */
export const marketListings = sqliteTable(
  'market_listings',
  {
    /** Lower-case UUID. */
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    type: text('type'),
    stack: integer('stack').notNull(),
    /** Price of the whole stack. */
    price: integer('price').notNull(),
    /** Unit price in thousandths. */
    milliEach: integer('milli_each').notNull(),
    createdAt: integer('created_at').notNull(),
    lastSeen: integer('last_seen').notNull(),
    /** `last_seen` before the insert `revision`; null if that insert created the listing. */
    previousSeen: integer('previous_seen'),
    /** Number of the last insert that changed the row. */
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

/** Names of items with a stored listing, and the number of listings. Bound: one row per tracked name. */
export const marketItems = sqliteTable('market_items', {
  name: text('name').primaryKey(),
  listings: integer('listings').notNull(),
});

/** State of the market after all inserts; absent before the first insert. Bound: one row. */
export const marketState = sqliteTable('market_state', {
  id: integer('id').primaryKey(),
  /** Number of inserts that changed a listing. */
  revision: integer('revision').notNull(),
  /** `last_seen` of the newest of these inserts. */
  insertSeen: integer('insert_seen').notNull().default(0),
  /** Maximum `last_seen` of all listings. */
  newestSeen: integer('newest_seen').notNull(),
  /** Listings created before this time are archived and no longer stored here; null before the first archived month. */
  archivedUntil: integer('archived_until'),
  /** Number of all listings, and of those marked live. */
  listings: integer('listings').notNull(),
  live: integer('live').notNull(),
});

/**
 * Statistics of all items, computed once per change for all isolates. `part`: `active`, `pages`, `deals:<days>` or `window:<days>`;
 * `body`: their JSON. Bound: 39 rows, at most 40 kB each, and about 150 bytes an item for `active` and 700 for `pages`.
 */
export const marketAnalytics = sqliteTable('market_analytics', {
  part: text('part').primaryKey(),
  /** Revision of the market, and the time that the statistics describe. */
  revision: integer('revision').notNull(),
  asOf: integer('as_of').notNull(),
  body: text('body').notNull(),
});

/**
 * Listings of an item that were created on an archived day (UTC). Unit prices in thousandths. Never deleted. Bound: one row per item and
 * day; without rowid.
 */
export const marketDays = sqliteTable(
  'market_days',
  {
    name: text('name').notNull(),
    /** Start of the day. */
    day: integer('day').notNull(),
    listings: integer('listings').notNull(),
    stack: integer('stack').notNull(),
    /** Sum of the prices. */
    value: integer('value').notNull(),
    /** Quartiles of the unit price. */
    milliP25: integer('milli_p25').notNull(),
    milliP50: integer('milli_p50').notNull(),
    milliP75: integer('milli_p75').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.day] })],
);

/** Stages of an archived month: its file is stored, its days are stored, its listings are deleted. */
export const ARCHIVE_STAGES = ['file', 'days', 'done'] as const;

/** Files of archived listings, by month of creation. Never deleted. Bound: one row per month. */
export const marketArchive = sqliteTable('market_archive', {
  /** `2025-03` */
  month: text('month').primaryKey(),
  /** Key of the compressed JSON Lines file in the bucket of the archive. */
  key: text('key').notNull(),
  listings: integer('listings').notNull(),
  bytes: integer('bytes').notNull(),
  sha256: text('sha256').notNull(),
  archivedAt: integer('archived_at').notNull(),
  stage: text('stage', { enum: ARCHIVE_STAGES }).notNull(),
});

const FIXED_ROWS: TableGrowth = {
  by: 'nothing: a fixed number of rows',
  aYear: 'none',
  kept: 'newest state',
  afterwards: 'replaced by each insert',
};

/** Backup, personal data and growth of the tables. */
export const marketTables: TableDeclarations = {
  market_listings: {
    backup: backedUp('reported once'),
    personal: null,
    growth: {
      by: 'new listings, 11,000 or 20,000 a day; 648 bytes each with nine indexes',
      aYear: '2.6 GB',
      large: '4.7 GB',
      kept: '`market_keep_days`, 400, and the rest of the month',
      afterwards: 'a file a month in R2 and `market_days`',
    },
  },
  market_state: {
    backup: backedUp('number of the last insert'),
    personal: null,
    growth: FIXED_ROWS,
  },
  market_items: {
    backup: derived('counted from market_listings by the restore'),
    personal: null,
    growth: { by: 'tracked names', aYear: 'none', kept: 'while the name has listings', afterwards: 'replaced' },
  },
  market_days: {
    backup: backedUp('their listings are only in files'),
    personal: null,
    growth: {
      by: 'tracked items and days, 100 bytes',
      aYear: '7 MB',
      large: '37 MB',
      kept: 'permanently',
      afterwards: 'stays: the only figures of archived listings',
    },
  },
  market_archive: {
    backup: backedUp('which files hold the archived listings'),
    personal: null,
    growth: { by: 'months', aYear: '12 rows', kept: 'permanently', afterwards: 'stays' },
  },
  market_analytics: {
    backup: derived('computed by the job market-analytics'),
    personal: null,
    growth: FIXED_ROWS,
  },
};
