import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { ResetCadence } from './board-table.data.ts';
import { resetBoundaries } from './resets.domain.ts';

/** Place and score of a player on a board at an instant. */
export interface Point {
  createdAt: UnixSeconds;
  rank: number;
  score: number;
}

/** `synthetic`: not captured, but follows from the board's reset. */
export interface SeriesPoint extends Point {
  synthetic: boolean;
}

/**
 * The line of a player on a board, ascending. Between two captures each reset of the board adds a point that holds the old
 * score until just before it, and one of nothing after it, so that a chart falls where the board was emptied.
 */
export function seriesPoints(real: readonly Point[], cadence: ResetCadence): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  for (const [index, point] of real.entries()) {
    const before = real[index - 1];
    if (before) points.push(...resetPoints(before, point, cadence));
    points.push({ ...point, synthetic: false });
  }
  return points;
}

function resetPoints(before: Point, after: Point, cadence: ResetCadence): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  // Once emptied the board holds nothing to fall again.
  const [reset] = before.score > 0 ? resetBoundaries(cadence, before.createdAt, after.createdAt) : [];
  if (reset === undefined) return points;
  points.push({ createdAt: reset - 1, rank: before.rank, score: before.score, synthetic: true });
  if (reset < after.createdAt) points.push({ createdAt: reset, rank: 0, score: 0, synthetic: true });
  return points;
}
