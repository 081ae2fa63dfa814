import { CODEX_TYPES, type CodexType } from '../codex-types.data.ts';
import type { EntryFilter, SortKey } from './entry-filter.domain.ts';
import { TextColumn } from './text-column.domain.ts';

/** What an entry is found and sorted by, as a build stores it. Texts are folded; `tradable` is 0, 1 or null. */
export type OutlineRow = readonly [
  id: number,
  type: CodexType,
  name: string,
  description: string,
  category: string,
  tradable: number | null,
  mastery: number | null,
  masteryGeode: number | null,
  powerRank: number | null,
  indexedAt: number,
  stats: readonly string[],
  abilities: readonly string[],
];

/** Values of stats are not held. */
type OutlineKey = Exclude<SortKey, 'stat_value'>;
interface OutlineSort {
  key: OutlineKey;
  descending: boolean;
}

type Conditions = Omit<EntryFilter, 'branch'>;
type Values = Float64Array<ArrayBuffer>;

const UNKNOWN = -1;

/**
 * Every entry of a branch by what lists ask for, in memory: about a hundred bytes an entry beside its texts. A list is
 * found without reading a row, whatever its conditions and its order. Entries are numbered in the order of their names.
 */
export class CodexOutline {
  readonly #size: number;
  readonly #ids: Uint32Array;
  readonly #types: Int8Array;
  readonly #tradable: Int8Array;
  readonly #categories: Uint32Array;
  readonly #texts = new TextColumn();
  readonly #values: Record<Exclude<OutlineKey, 'category'>, Values>;
  readonly #categoryNumbers = new Map<string, number>();
  readonly #stats = new Map<string, number[]>();
  readonly #abilities = new Map<string, number[]>();
  readonly #orders = new Map<string, Uint32Array>();
  #added = 0;
  #lastName: string | null = null;

  /** Of so many entries, to be added by name, then path. */
  constructor(size: number) {
    const values = () => new Float64Array(size);
    this.#size = size;
    this.#ids = new Uint32Array(size);
    this.#types = new Int8Array(size);
    this.#tradable = new Int8Array(size);
    this.#categories = new Uint32Array(size);
    this.#values = { name: values(), mastery: values(), mastery_geode: values(), power_rank: values(), indexed_at: values() };
  }

  get isComplete(): boolean {
    return this.#added === this.#size;
  }

  add(rows: readonly OutlineRow[]): void {
    this.#texts.add(rows.map(([, , name, description]) => [name, description]));
    for (const row of rows) this.#addRow(row);
  }

  #addRow([id, type, name, , category, tradable, mastery, geode, powerRank, indexedAt, stats, abilities]: OutlineRow): void {
    const entry = this.#added;
    this.#added += 1;
    this.#ids[entry] = id;
    this.#types[entry] = CODEX_TYPES.indexOf(type);
    this.#tradable[entry] = tradable ?? UNKNOWN;
    this.#categories[entry] = numberOf(this.#categoryNumbers, category);
    // Equal names are one step of the order, within which paths decide, whatever its direction.
    const step = entry === 0 ? 0 : (this.#values.name[entry - 1] ?? 0);
    this.#values.name[entry] = name === this.#lastName || entry === 0 ? step : step + 1;
    this.#lastName = name;
    this.#values.mastery[entry] = mastery ?? Number.NaN;
    this.#values.mastery_geode[entry] = geode ?? Number.NaN;
    this.#values.power_rank[entry] = powerRank ?? Number.NaN;
    this.#values.indexed_at[entry] = indexedAt;
    for (const stat of stats) listOf(this.#stats, stat).push(entry);
    for (const ref of abilities) listOf(this.#abilities, ref).push(entry);
  }

  /** How many entries satisfy all conditions, and the ids of those on a page. */
  find(conditions: Conditions, sort: OutlineSort, page: { limit: number; offset: number }): { total: number; ids: number[] } {
    const marks = this.#matching(conditions);
    const total = marks.reduce((sum, mark) => sum + mark, 0);
    const ids: number[] = [];
    const order = this.#orderOf(sort);
    let passed = 0;
    for (let place = 0; passed < total && ids.length < page.limit; place += 1) {
      const entry = order ? (order[place] ?? 0) : place;
      if (marks[entry] === 0) continue;
      passed += 1;
      if (passed > page.offset) ids.push(this.#ids[entry] ?? 0);
    }
    return { total, ids };
  }

  #matching({ type, text, category, tradable, stat, ability }: Conditions): Uint8Array {
    const marks = text === null ? new Uint8Array(this.#size).fill(1) : this.#texts.matches(text);
    if (type !== null) keepEqual(marks, this.#types, CODEX_TYPES.indexOf(type));
    if (category !== undefined) keepEqual(marks, this.#categories, this.#categoryNumbers.get(category) ?? UNKNOWN);
    if (tradable !== undefined) keepEqual(marks, this.#tradable, Number(tradable));
    if (stat !== undefined) keepListed(marks, this.#stats.get(stat));
    if (ability !== undefined) keepListed(marks, this.#abilities.get(ability));
    return marks;
  }

  /** Entries in an order, made when it is first asked for; null: as they are numbered. */
  #orderOf({ key, descending }: OutlineSort): Uint32Array | null {
    if (key === 'name' && !descending) return null;
    const name = `${key} ${descending}`;
    const kept = this.#orders.get(name);
    if (kept) return kept;
    const values = key === 'category' ? this.#categoryRanks() : this.#values[key];
    const order = orderBy(values, descending);
    this.#orders.set(name, order);
    return order;
  }

  /** Of each entry, the place of its category among all. */
  #categoryRanks(): Values {
    const sorted = [...this.#categoryNumbers].sort(([one], [other]) => compareCodePoints(one, other));
    const ranks = new Uint32Array(sorted.length);
    sorted.forEach(([, number], rank) => {
      ranks[number] = rank;
    });
    return Float64Array.from(this.#categories, (number) => ranks[number] ?? 0);
  }
}

function orderBy(values: Values, descending: boolean): Uint32Array {
  // Entries without a value come last in both directions.
  const keys = values.map((value) => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : descending ? -value : value));
  const order = Uint32Array.from(keys, (_, entry) => entry);
  // The difference of two infinities is no number, hence false as well.
  return order.sort((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0) || one - other);
}

function keepEqual(marks: Uint8Array, values: ArrayLike<number>, wanted: number): void {
  for (let entry = 0; entry < marks.length; entry += 1) if (values[entry] !== wanted) marks[entry] = 0;
}

function keepListed(marks: Uint8Array, entries: readonly number[] = []): void {
  const listed = new Uint8Array(marks.length);
  for (const entry of entries) listed[entry] = 1;
  keepEqual(marks, listed, 1);
}

function numberOf(numbers: Map<string, number>, text: string): number {
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  return number;
}

function listOf(lists: Map<string, number[]>, key: string): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** The order of the database: that of the bytes of UTF-8, which is that of code points. */
function compareCodePoints(one: string, other: string): number {
  const [points, others] = [[...one], [...other]];
  for (let place = 0; place < Math.min(points.length, others.length); place += 1) {
    const difference = (points[place]?.codePointAt(0) ?? 0) - (others[place]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return points.length - others.length;
}
