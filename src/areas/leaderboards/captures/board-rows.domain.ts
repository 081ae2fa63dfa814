import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { Rows } from '../dump.domain.ts';

/** Form of a name for comparisons within a board. */
export function comparedName(name: string): string {
  return foldCase(name);
}

/** Form of a name for lookups of players. */
export function playerKey(name: string): string {
  return foldCase(name.trim());
}

/**
 * Encodes the rows of a board by column: a line of ranks (empty if they are 1 to n), a line of scores, and one line per name.
 * Names contain no line feed because the dump is read line by line.
 */
export function encodeColumns({ ranks, names, scores }: Rows): string {
  const isCounting = ranks.every((rank, index) => rank === index + 1);
  return [isCounting ? '' : ranks.join(','), scores.join(','), ...names].join('\n');
}

/** The rows of one board at one capture. */
export interface BoardColumns extends Rows {
  /** Indexes of the rows of a name, case-insensitive, best rank first. */
  findAll(name: string): readonly number[];
  /** Index of the best row of a name; undefined if there is none. */
  find(name: string): number | undefined;
}

export function decodeColumns(text: string): BoardColumns {
  const afterRanks = text.indexOf('\n');
  const afterScores = text.indexOf('\n', afterRanks + 1);
  const scoreText = text.slice(afterRanks + 1, afterScores);
  const scores = scoreText === '' ? [] : scoreText.split(',').map(Number);
  const names = scores.length === 0 ? [] : text.slice(afterScores + 1).split('\n');
  const rankText = text.slice(0, afterRanks);
  const ranks = rankText === '' ? scores.map((_, index) => index + 1) : rankText.split(',').map(Number);
  let byName: NameIndex | null = null;
  const indexed = () => {
    byName ??= indexOf(names);
    return byName;
  };
  return {
    ranks,
    names,
    scores,
    find: (name) => indexed().first.get(comparedName(name)),

    findAll(name) {
      const key = comparedName(name);
      const first = indexed().first.get(key);
      return first === undefined ? [] : [first, ...(indexed().others.get(key) ?? [])];
    },
  };
}

/** First index of each name, and the others of the few names with several rows. */
interface NameIndex {
  first: Map<string, number>;
  others: Map<string, number[]>;
}

function indexOf(names: readonly string[]): NameIndex {
  const first = new Map<string, number>();
  const others = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const key = comparedName(name);
    if (!first.has(key)) first.set(key, index);
    else others.set(key, [...(others.get(key) ?? []), index]);
  }
  return { first, others };
}

/** A row of a board: its index, rank and score. */
interface FoundRow {
  index: number;
  rank: number;
  score: number;
}

/**
 * The rows of each name in the encoded rows of a board, best rank first; keys are names in the form of `comparedName`. Searches the
 * text and parses only the numbers up to the last match: a chart of the leaders needs few of the 20,000 rows of a board.
 */
export function findRows(text: string, keys: Iterable<string>): Map<string, FoundRow[]> {
  const afterScores = text.indexOf('\n', text.indexOf('\n') + 1);
  if (afterScores < 0) return new Map();
  const names = `${comparedName(text.slice(afterScores))}\n`;
  const indexes = new Map<string, number[]>();
  for (const key of keys) {
    const matches = matchesOf(names, `\n${key}\n`);
    if (matches.length > 0) indexes.set(key, matches);
  }
  const last = Math.max(-1, ...[...indexes.values()].map((matches) => matches.at(-1) ?? -1));
  const ranks = firstNumbers(text, 0, last + 1);
  const scores = firstNumbers(text, text.indexOf('\n') + 1, last + 1);
  const rowAt = (index: number): FoundRow => ({ index, rank: ranks[index] ?? index + 1, score: scores[index] ?? 0 });
  return new Map([...indexes].map(([key, matches]) => [key, matches.map(rowAt)]));
}

/** Indexes of the lines that equal a line, which is given with the line feeds around it. */
function matchesOf(lines: string, line: string): number[] {
  const matches: number[] = [];
  for (let at = lines.indexOf(line), index = 0, counted = 0; at >= 0; at = lines.indexOf(line, at + 1)) {
    for (let next = lines.indexOf('\n', counted); next < at; next = lines.indexOf('\n', next + 1)) index += 1;
    counted = at;
    matches.push(index);
  }
  return matches;
}

/** The first `count` numbers of the comma-separated line at an offset; empty for an empty line. */
function firstNumbers(text: string, start: number, count: number): number[] {
  const end = text.indexOf('\n', start);
  const numbers: number[] = [];
  for (let at = start; at < end && numbers.length < count; ) {
    const comma = text.indexOf(',', at);
    const stop = comma < 0 || comma > end ? end : comma;
    numbers.push(Number(text.slice(at, stop)));
    at = stop + 1;
  }
  return numbers;
}

/** A row of a player on one board at a capture. */
interface LinePoint {
  anchor: UnixSeconds;
  rank: number;
  score: number;
}

/** Number of latest scores that the rate of a line is computed from. */
const RATE_POINTS = 4;
/** Cost factor of a falling score. */
const FALL_COST = 8;
/** Maximum rows and lines for a comparison of all assignments: 5! = 120. */
const MAX_COMPARED = 5;
/** Maximum number of rows of one name on one board and capture; more are ignored. The game has had two. */
export const MAX_LINES = 20;

/**
 * Splits the rows of a name that appears several times on a board into lines, one per character. A row belongs to the line
 * with the nearest expected score. Rows may be in any order; lines are in the order of their slots.
 */
export function splitLines<Point extends LinePoint>(rows: readonly Point[]): Point[][] {
  const lines: Point[][] = [];
  const captures = [...Map.groupBy(rows, ({ anchor }) => anchor)].sort(([one], [other]) => one - other);
  for (const [, listed] of captures) {
    const sorted = listed.toSorted((one, other) => other.score - one.score || one.rank - other.rank).slice(0, MAX_LINES);
    const chosen = assign(sorted, lines);
    for (const [index, row] of sorted.entries()) {
      const line = chosen[index] ?? null;
      if (line === null) lines.push([row]);
      else lines[line]?.push(row);
    }
  }
  const first = (line: readonly Point[]) => line[0] as Point;
  return lines.sort((one, other) => first(one).anchor - first(other).anchor || first(other).score - first(one).score);
}

/** Index of the line of each row; null for a new line. */
function assign(rows: readonly LinePoint[], lines: readonly (readonly LinePoint[])[]): (number | null)[] {
  const costs = rows.map((row) => lines.map((line) => costOf(row, line)));
  return rows.length <= MAX_COMPARED && lines.length <= MAX_COMPARED ? leastCost(costs, lines.length) : greedy(costs);
}

function costOf({ score }: LinePoint, line: readonly LinePoint[]): number {
  const recent = line.slice(-RATE_POINTS).map((point) => point.score);
  const last = recent.at(-1) ?? 0;
  const rate = recent.length > 1 ? Math.max(0, (last - (recent[0] ?? 0)) / (recent.length - 1)) : 0;
  return Math.abs(score - (last + rate)) + FALL_COST * Math.max(0, last - score);
}

/** The assignment with the lowest total cost; as many rows as possible get an existing line. */
function leastCost(costs: readonly (readonly number[])[], lines: number): (number | null)[] {
  let best: { total: number; chosen: (number | null)[] } | null = null;
  const visit = (chosen: (number | null)[], total: number) => {
    const row = chosen.length;
    if (row === costs.length) {
      if (best === null || total < best.total) best = { total, chosen };
      return;
    }
    for (let line = 0; line < lines; line += 1) {
      if (!chosen.includes(line)) visit([...chosen, line], total + (costs[row]?.[line] ?? 0));
    }
    // A row gets a new line only if there are more rows than lines.
    if (chosen.filter((line) => line === null).length < costs.length - lines) visit([...chosen, null], total);
  };
  visit([], 0);
  return (best as { chosen: (number | null)[] } | null)?.chosen ?? [];
}

/** Assigns each row to the cheapest line that is left. */
function greedy(costs: readonly (readonly number[])[]): (number | null)[] {
  const assigned = new Set<number>();
  return costs.map((own) => {
    let cheapest: number | null = null;
    for (const [line, cost] of own.entries()) {
      if (!assigned.has(line) && (cheapest === null || cost < (own[cheapest] ?? 0))) cheapest = line;
    }
    if (cheapest !== null) assigned.add(cheapest);
    return cheapest;
  });
}

/** Order of the two captures of a comparison. */
const EARLIER = 0;
const LATER = 1;

/** The row of the same character at the earlier capture; null if there is none. */
export function earlierRow(rows: BoardColumns, index: number, before: BoardColumns): FoundRow | null {
  const name = rows.names[index] ?? '';
  const own = rows.findAll(name);
  const earlier = before.findAll(name);
  const [only] = earlier;
  if (only === undefined) return null;
  if (own.length === 1 && earlier.length === 1) return rowAt(before, only);
  const lines = splitLines([
    ...earlier.map((at) => ({ anchor: EARLIER, ...rowAt(before, at) })),
    ...own.map((at) => ({ anchor: LATER, ...rowAt(rows, at) })),
  ]);
  const line = lines.find((points) => isRowOf(points.at(-1), LATER, index));
  return line?.find(({ anchor }) => anchor === EARLIER) ?? null;
}

/** Whether a point is the row with an index at a capture. */
export function isRowOf(point: (FoundRow & { anchor: number }) | undefined, anchor: number, index: number): boolean {
  return point?.anchor === anchor && point.index === index;
}

/** The row with an index. */
export function rowAt({ ranks, scores }: BoardColumns, index: number): FoundRow {
  return { index, rank: ranks[index] ?? 0, score: scores[index] ?? 0 };
}
