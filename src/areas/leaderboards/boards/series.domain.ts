import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ResetCadence } from './board-table.data.ts';
import { resetBoundaries } from './boards.domain.ts';

/** Rank and score of a player on a board at an instant. */
interface Point {
  createdAt: UnixSeconds;
  rank: number;
  score: number;
}

/** `synthetic`: derived from a reset of the board, not captured. */
export interface SeriesPoint extends Point {
  synthetic: boolean;
}

/**
 * Series of a player on a board, oldest first. A reset between two captures adds a point with the old score one second before
 * the reset and a point with score 0 at the reset, so that a chart drops at the right time.
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
  // Only the first reset matters: after it the score is 0.
  const [reset] = before.score > 0 ? resetBoundaries(cadence, before.createdAt, after.createdAt) : [];
  if (reset === undefined) return points;
  points.push({ createdAt: reset - 1, rank: before.rank, score: before.score, synthetic: true });
  if (reset < after.createdAt) points.push({ createdAt: reset, rank: 0, score: 0, synthetic: true });
  return points;
}

/** At most `max` items, evenly sampled; includes the first and the last. */
export function sampleEvenly<Item>(items: readonly Item[], max: number): Item[] {
  if (items.length <= max) return [...items];
  const step = (items.length - 1) / (max - 1);
  return Array.from({ length: max }, (_, index) => items[Math.round(index * step)] as Item);
}
