import MiniSearch from 'minisearch';

/** Something that can be found: a section of a guide, an error code, an operation. */
export interface SearchEntry {
  url: string;
  title: string;
  /** Page that it is on. */
  page: string;
  text: string;
}

/** Most results of a search. */
export const MAX_RESULTS = 10;
/** Longest query, in characters. */
export const MAX_QUERY = 100;

/** Words of questions that say nothing of the subject. */
const STOP_WORDS = new Set(
  'a an and are at be can do does for from get how i in is it my of on or see that the this to what when where which why will with'.split(
    ' ',
  ),
);

/** Builds the index; the result finds the best matches of a query. The pages and the script of the pages run the same code. */
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
