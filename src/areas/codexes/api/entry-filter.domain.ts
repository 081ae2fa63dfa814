import type { CodexType } from '../codex-types.data.ts';

/** Conditions on entries, all of which must hold. */
export interface EntryFilter {
  branch: string;
  type: CodexType | null;
  /** Folded; name or description contains it. */
  text: string | null;
  category?: string | undefined;
  tradable?: boolean | undefined;
  stat?: string | undefined;
  ability?: string | undefined;
}

export const SORT_KEYS = ['name', 'category', 'mastery', 'mastery_geode', 'power_rank', 'indexed_at', 'stat_value'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  key: SortKey;
  descending: boolean;
}

/** Every order as clients name it: `name`, `-mastery` and so on. */
export const SORTS = SORT_KEYS.flatMap((key) => [key, `-${key}`] as const);
export type SortName = (typeof SORTS)[number];

export function readSort(name: SortName): Sort {
  const descending = name.startsWith('-');
  return { key: (descending ? name.slice(1) : name) as SortKey, descending };
}

/** The trigram index finds nothing shorter. */
export const TRIGRAM_LENGTH = 3;

/** Where a query finds its candidates: by the text, a stat, an ability or a category, or along the order of the answer. */
export type Driver = 'text' | 'stat' | 'ability' | 'category' | 'order';

/** How many entries satisfy single conditions, as far as it is counted. */
export interface Counted {
  /** All entries of the type, or of the branch. */
  universe: number;
  category?: number;
  stat?: number;
  ability?: number;
}

/** Total that the counts alone tell: for no condition but the type, or one that is counted; else undefined. */
export function knownTotal(filter: EntryFilter, counted: Counted): number | undefined {
  if (filter.text !== null || filter.tradable !== undefined) return undefined;
  const given = [filter.category, filter.stat, filter.ability].filter((value) => value !== undefined);
  if (given.length === 0) return counted.universe;
  return given.length === 1 ? (counted.category ?? counted.stat ?? counted.ability) : undefined;
}

/** The driver that reads the fewest candidates, and how many: a text is not counted before it is searched. */
export function narrowest(filter: EntryFilter, counted: Counted): { driver: Driver; candidates: number } {
  const choices: { driver: Driver; candidates: number }[] = [{ driver: 'order', candidates: counted.universe }];
  for (const driver of ['category', 'stat', 'ability'] as const) {
    const candidates = counted[driver];
    if (candidates !== undefined) choices.push({ driver, candidates });
  }
  const best = choices.reduce((one, other) => (other.candidates < one.candidates ? other : one));
  const isSearchable = filter.text !== null && [...filter.text].length >= TRIGRAM_LENGTH;
  return isSearchable && best.candidates > SEARCH_BELOW ? { driver: 'text', candidates: Number.NaN } : best;
}

/** So few candidates are looked through faster than a text is searched for. */
const SEARCH_BELOW = 300;

/** Matches of a text may stand far behind in the order: it is part of the name. */
const UNEVEN = 3;

/**
 * The driver of a page that reads the fewest rows, by estimate. Many matches lie close together along the order; few are
 * found by the narrowest condition and sorted. `end`: matches up to the end of the page.
 */
export function pageDriver(filter: EntryFilter, counted: Counted, total: number, sort: Sort, end: number): Driver {
  // The values stand beside the stat.
  if (sort.key === 'stat_value') return 'stat';
  const share = Math.min(1, end / Math.max(1, total));
  const { driver, candidates } = narrowest(filter, counted);
  const costs: [driver: Driver, rows: number][] = [
    ['order', counted.universe * share * (filter.text === null ? 1 : UNEVEN)],
    [driver, driver === 'text' ? total * 2 : candidates],
  ];
  // The entries of a category stand by name.
  if (counted.category !== undefined && sort.key === 'name' && !sort.descending) costs.push(['category', counted.category * share]);
  return costs.reduce((one, other) => (other[1] < one[1] ? other : one))[0];
}
