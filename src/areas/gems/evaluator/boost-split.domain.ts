import { roundTo } from '../../../platform/kit/values/rounding.ts';
import type { StatPosition } from '../simulator/gem.domain.ts';
import type { StatFigures } from '../simulator/gem-figures.domain.ts';

/** Boosts on each of the three stats of a gem. */
export type BoostSplit = [number, number, number];

/** Average position of the containers of a stat in the roll range, derived from the displayed value. */
export interface MeasuredStat {
  containers: number;
  /** Value per container without level steps, in units of the base of the stat. */
  threshold: number;
  /** 0 at the low end of the range, 1 at the high end; outside 0 to 1 for an impossible value. */
  raw: number;
  /** `raw`, clamped to 0 to 1. */
  progress: number;
}

export function measureStat(figures: StatFigures, value: number, containers: number, increment: number): MeasuredStat {
  const threshold = (value / figures.statBase - increment) / containers;
  const raw = (threshold - figures.lo) / (figures.hi - figures.lo);
  return { containers, threshold, raw, progress: clamp(raw) };
}

/**
 * Most likely split of the boosts: the lowest score, the first in lexicographic order on a tie. `measure` returns the measured stat
 * for a number of boosts.
 */
export function deriveSplit(available: number, measure: (position: StatPosition, boosts: number) => MeasuredStat): BoostSplit {
  const ratings = ([0, 1, 2] as const).map((position) =>
    Array.from({ length: available + 1 }, (_, boosts) => rate(measure(position, boosts))),
  );
  const ratingOf = (position: StatPosition, boosts: number): Rating => ratings[position]?.[boosts] ?? IMPOSSIBLE;
  let best: BoostSplit = [0, 0, available];
  let bestScore = Number.POSITIVE_INFINITY;
  for (let first = 0; first <= available; first += 1) {
    for (let second = 0; second <= available - first; second += 1) {
      const third = available - first - second;
      const score = scoreOf(ratingOf(0, first), ratingOf(1, second), ratingOf(2, third));
      if (score < bestScore) {
        best = [first, second, third];
        bestScore = score;
      }
    }
  }
  return best;
}

/** Fit of a stat: squared distance to its range, and progress, both calculated from values with four decimals. */
interface Rating {
  distanceSquared: number;
  progress: number;
}

const IMPOSSIBLE: Rating = { distanceSquared: Number.POSITIVE_INFINITY, progress: 0 };

function rate({ raw, progress }: MeasuredStat): Rating {
  const rounded = roundTo(raw, 4);
  return { distanceSquared: (rounded - clamp(rounded)) ** 2, progress: roundTo(progress, 4) };
}

/** Sum of the squared distances, plus a quarter of the squared spread of the progress of the three stats. */
function scoreOf(first: Rating, second: Rating, third: Rating): number {
  const spread = Math.max(first.progress, second.progress, third.progress) - Math.min(first.progress, second.progress, third.progress);
  return roundTo(first.distanceSquared + second.distanceSquared + third.distanceSquared + 0.25 * spread ** 2, 9);
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
