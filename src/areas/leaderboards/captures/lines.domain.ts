import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { BoardColumns, FoundRow } from './board-columns.domain.ts';

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
