import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { derived } from '../../platform/kit/backup-decision.ts';
import { fullTextIndex, newestState, type TableDeclarations } from '../../platform/kit/table-declaration.ts';

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

/** Backup, personal data and growth of the tables. */
export const searchTables: TableDeclarations = {
  search_entries: {
    backup: derived('collected again from their areas'),
    personal: 'Search',
    growth: {
      by: 'players who were ever on a board, 300 bytes',
      aYear: '30 MB',
      large: '60 MB',
      kept: 'as long as the source',
      afterwards: 'deleted with the source',
    },
  },
  search_sources: { backup: derived('state of the collection'), personal: 'Search', growth: newestState('a row per source') },
  search_names: fullTextIndex('Search'),
  search_texts: fullTextIndex('Search'),
};
