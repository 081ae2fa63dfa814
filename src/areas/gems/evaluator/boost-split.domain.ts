import { roundTo } from '../../../platform/values/rounding.ts';
import type { StatPosition } from '../simulator/gem.domain.ts';
import type { StatFigures } from '../simulator/gem-figures.domain.ts';

/** Boosts on each of a gem's three stats. */
export type BoostSplit = [number, number, number];

/** A shown value read back: where in the roll range its containers are on average. */
export interface MeasuredStat {
  containers: number;
  /** Per container, in units of the stat's base, steps taken off. */
  threshold: number;
  /** 0 at the range's low end, 1 at its high end; anything outside for a value that cannot be. */
  raw: number;
  /** `raw` brought into 0-1. */
  progress: number;
}

export function measureStat(figures: StatFigures, value: number, containers: number, increment: number): MeasuredStat {
  const threshold = (value / figures.statBase - increment) / containers;
  const raw = (threshold - figures.lo) / (figures.hi - figures.lo);
  return { containers, threshold, raw, progress: clamp(raw) };
}

/**
 * The split that explains the values best: lowest score, in lexicographic order the first of equals.
 * `measure` gives a stat with so many boosts on it.
 */
export function deriveSplit(available: number, measure: (position: StatPosition, boosts: number) => MeasuredStat): BoostSplit {
  const rated = ([0, 1, 2] as const).map((position) =>
    Array.from({ length: available + 1 }, (_, boosts) => rate(measure(position, boosts))),
  );
  const ratingOf = (position: StatPosition, boosts: number): Rating => rated[position]?.[boosts] ?? IMPOSSIBLE;
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

/** How well a stat fits: the square of what it misses its range by, and its progress, both from figures of four decimals. */
interface Rating {
  miss: number;
  progress: number;
}

const IMPOSSIBLE: Rating = { miss: Number.POSITIVE_INFINITY, progress: 0 };

function rate({ raw, progress }: MeasuredStat): Rating {
  const shown = roundTo(raw, 4);
  return { miss: (shown - clamp(shown)) ** 2, progress: roundTo(progress, 4) };
}

/** Misses weigh fully, unevenness of the three stats a quarter. */
function scoreOf(first: Rating, second: Rating, third: Rating): number {
  const spread = Math.max(first.progress, second.progress, third.progress) - Math.min(first.progress, second.progress, third.progress);
  return roundTo(first.miss + second.miss + third.miss + 0.25 * spread ** 2, 9);
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
