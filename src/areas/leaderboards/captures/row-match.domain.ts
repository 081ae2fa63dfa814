import type { BoardColumns, FoundRow } from './board-columns.domain.ts';
import { splitLines } from './lines.domain.ts';

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
