import { namedValues } from '../../../platform/kit/values/named-values.ts';
import type { CodexType } from '../codex-types.data.ts';

/** Conditions on entries; all must match. */
export interface EntryFilter {
  branch: string;
  /** Language of the text; null for English. */
  language: string | null;
  type: CodexType | null;
  /** Case-folded text contained in name or description. */
  text: string | null;
  category?: string | undefined;
  tradable?: boolean | undefined;
  stat?: string | undefined;
  ability?: string | undefined;
}

const SORT_KEYS = ['name', 'category', 'mastery', 'mastery_geode', 'power_rank', 'indexed_at', 'stat_value'] as const;
type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  key: SortKey;
  descending: boolean;
}

/** Values of the query parameter `sort`: `name`, `-mastery` etc. */
export const SORTS = namedValues(
  'CodexSort',
  'Order of a list of entries.',
  SORT_KEYS.flatMap((key) => [key, `-${key}`] as const),
);
export type SortName = (typeof SORTS)[number];

export function readSort(name: SortName): Sort {
  const descending = name.startsWith('-');
  return { key: (descending ? name.slice(1) : name) as SortKey, descending };
}

/** Number of entries of the branch that satisfy single conditions. */
export interface ConditionCounts {
  /** All entries of the branch. */
  all: number;
  /** All entries of the type; of the branch if the filter has no type. */
  universe: number;
  category?: number;
  stat?: number;
  ability?: number;
  /** Entries of any type that contain the text. */
  text?: number;
}

/** Driving table of a query: the entries that satisfy one condition, or the index of the sort order. */
export type DrivingSource = 'order' | 'category' | 'stat' | 'ability' | 'text';

export interface Plan {
  source: DrivingSource;
  /** The source has few entries: each entry is tested with EXISTS. Otherwise the index is joined with the result of each condition. */
  hasFewEntries: boolean;
  /** The text is tested on each entry: so many entries contain it that the page is full after a few. */
  testsText: boolean;
}

/** Maximum number of entries to read and sort for a page. */
export const MAX_SORTED_ENTRIES = 2000;
/** Maximum estimated number of entries to test for a text. */
const MAX_TESTED_ENTRIES = 5000;
/** The trigram index matches no shorter text. */
const TRIGRAM_LENGTH = 3;

export function isShortText(text: string): boolean {
  return [...text].length < TRIGRAM_LENGTH;
}

/** Counts of a filter that nobody counted yet: each condition is expected to match few entries, in this order. */
export const EXPECTED_COUNTS: ConditionCounts = {
  all: Number.POSITIVE_INFINITY,
  universe: Number.POSITIVE_INFINITY,
  text: 1,
  stat: 2,
  ability: 3,
  category: 4,
};

/**
 * Plans the query of a list. `end` is the number of matches up to the end of the page, or infinity to count all. The query reads a bounded
 * number of entries even if the counts are wrong; `isComplete` then tells whether it found all of them.
 */
export function planList(filter: EntryFilter, counted: ConditionCounts, end: number): Plan {
  const { text } = filter;
  let source: DrivingSource = 'order';
  let fewest = counted.universe;
  for (const other of ['category', 'stat', 'ability', 'text'] as const) {
    const size = (filter[other] ?? undefined) === undefined ? fewest : (counted[other] ?? fewest);
    if (size < fewest) [source, fewest] = [other, size];
  }
  const share = (counted.text ?? 0) / Math.max(1, counted.all);
  // A short text matches many trigrams per entry.
  const testsText = text !== null && share > 1 / 2 && (isShortText(text) || end / share <= MAX_TESTED_ENTRIES);
  return fewest <= MAX_SORTED_ENTRIES
    ? { source, hasFewEntries: true, testsText: true }
    : { source: 'order', hasFewEntries: false, testsText };
}

/** Whether a query by the plan reads all entries that match, given the true counts. */
export function isComplete({ source }: Plan, counted: ConditionCounts): boolean {
  return source === 'order' || (counted[source] ?? Number.POSITIVE_INFINITY) <= MAX_SORTED_ENTRIES;
}

/** Total from the facets for a list with at most one condition besides the type; otherwise undefined. */
export function totalFromFacets(filter: EntryFilter, counted: ConditionCounts): number | undefined {
  const conditionValues = [filter.category, filter.stat, filter.ability, filter.tradable, filter.text ?? undefined];
  const conditions = conditionValues.filter((value) => value !== undefined).length;
  if (conditions === 0) return counted.universe;
  if (conditions > 1) return undefined;
  return counted.category ?? counted.stat ?? counted.ability ?? (filter.type === null ? counted.text : undefined);
}
