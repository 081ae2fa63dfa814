import MiniSearch from 'minisearch';

/** A section of a guide, an error code, or an operation. */
export interface SearchEntry {
  url: string;
  title: string;
  /** Title of the page. */
  page: string;
  text: string;
}

export const MAX_RESULTS = 10;
/** In characters. */
export const MAX_QUERY = 100;

const STOP_WORDS = new Set(
  'a an and are at be can do does for from get how i in is it my of on or see that the this to what when where which why will with'.split(
    ' ',
  ),
);

/** Builds the index and returns the search function. Server and browser run the same code. */
export function createSearch(entries: readonly SearchEntry[]): (query: string) => SearchEntry[] {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['title', 'page', 'text'],
    processTerm: (term) => {
      const word = term.toLowerCase();
      return STOP_WORDS.has(word) ? null : word;
    },
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) =>
    index
      .search(query.slice(0, MAX_QUERY))
      .slice(0, MAX_RESULTS)
      .flatMap(({ id }) => entries[id] ?? []);
}
