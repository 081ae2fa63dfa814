import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { derived, type TableDecisions } from '../../platform/kit/backup-decision.ts';

/**
 * Documents of the search. The id starts with the length of `words`, then has the position of the type: reads in the order of ids return
 * short names first, and test length and type without reading the row (`search.store.ts`).
 * Bound: the entries of one branch, mods, boards, tracked items, sections of the documentation, and one row per player ever on a board.
 */
export const searchEntries = sqliteTable(
  'search_entries',
  {
    id: integer('id').primaryKey(),
    /** Position in `SEARCH_TYPES`. */
    type: integer('type').notNull(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    /** The folded words of the name, with a space between two. */
    words: text('words').notNull(),
    about: text('about').notNull(),
    text: text('text').notNull(),
    link: text('link').notNull(),
    image: text('image'),
    /** Digest of the document. */
    hash: text('hash').notNull(),
  },
  (table) => [uniqueIndex('search_entries_key').on(table.type, table.key)],
);

/** State of the copy of each source. Bound: one row per type. */
export const searchSources = sqliteTable('search_sources', {
  type: integer('type').primaryKey(),
  /** Version of the documents in the index; empty before the first complete copy. */
  version: text('version').notNull(),
  /** Version that is being copied, with the last key copied; null between copies. */
  target: text('target'),
  after: text('after').notNull(),
});

/** What a backup does with the tables of the area. */
export const searchBackup: TableDecisions = {
  search_entries: derived('collected again from their areas'),
  search_sources: derived('state of the collection'),
  search_names: derived('full-text index of search_entries'),
  search_texts: derived('full-text index of search_entries'),
};
