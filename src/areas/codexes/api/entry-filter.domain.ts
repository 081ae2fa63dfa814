import { namedValues } from '../../../platform/values/named-values.ts';
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

/** How many entries of the branch satisfy single conditions. */
export interface Counted {
  /** All entries of the branch. */
  all: number;
  /** All entries of the type, or of the branch. */
  universe: number;
  category?: number;
  stat?: number;
  ability?: number;
  /** Of any type. */
  text?: number;
}

/** Where a list starts: from the entries that satisfy one condition, or along the index of its order. */
export type Source = 'order' | 'category' | 'stat' | 'ability' | 'text';

export interface Plan {
  source: Source;
  /** The source has few entries: each is tested by itself. Otherwise the index is compared with what satisfies each condition. */
  isFew: boolean;
  /** So many entries contain the text that the page is full before many are tested. */
  isTextTested: boolean;
}

/** So many entries are read and sorted for a page. */
const FEW = 2000;
/** So many entries are tested for a text, by estimate. */
const MAX_TESTED = 5000;
/** The trigram index finds nothing shorter. */
const TRIGRAM_LENGTH = 3;

export function isShortText(text: string): boolean {
  return [...text].length < TRIGRAM_LENGTH;
}

/** How a list is found. `end`: matches up to the end of the page, or infinity for all of them. */
export function planList({ text }: EntryFilter, counted: Counted, end: number): Plan {
  let source: Source = 'order';
  let fewest = counted.universe;
  for (const other of ['category', 'stat', 'ability', 'text'] as const) {
    const size = counted[other] ?? fewest;
    if (size < fewest) [source, fewest] = [other, size];
  }
  const share = (counted.text ?? 0) / Math.max(1, counted.all);
  // A short text matches many trigrams per entry.
  const isTextTested = text !== null && share > 1 / 2 && (isShortText(text) || end / share <= MAX_TESTED);
  return fewest <= FEW ? { source, isFew: true, isTextTested: true } : { source: 'order', isFew: false, isTextTested };
}

/** Precomputed total of a list with at most one condition besides its type; otherwise undefined. */
export function countedTotal(filter: EntryFilter, counted: Counted): number | undefined {
  const given = [filter.category, filter.stat, filter.ability, filter.tradable, filter.text ?? undefined];
  const conditions = given.filter((value) => value !== undefined).length;
  if (conditions === 0) return counted.universe;
  if (conditions > 1) return undefined;
  return counted.category ?? counted.stat ?? counted.ability ?? (filter.type === null ? counted.text : undefined);
}
