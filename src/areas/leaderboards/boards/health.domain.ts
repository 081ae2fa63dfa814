import { median } from '../../../platform/kit/values/median.ts';
import { roundTo } from '../../../platform/kit/values/rounding.ts';
import type { Entry } from '../captures/comparison.domain.ts';

/** Competition and movement on a board, measured on its top rows. */
export interface BoardHealth {
  /** Share of the leader in the sum of the scores of the sample, four decimals; null if the sum is 0. */
  leaderShare: number | null;
  /** First score divided by the last, four decimals; null if the last is 0. */
  p1PnRatio: number | null;
  /** Gini coefficient of the scores, 0 to 1, four decimals; null if the sum is 0. */
  gini: number | null;
  newEntrants: number | null;
  turnoverRate: number | null;
  medianScoreGain: number | null;
  medianScoreGainPct: number | null;
}

/** Gini coefficient, unrounded; 0 for equal numbers. NaN if the sum is 0. */
export function gini(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other);
  const count = ascending.length;
  const sum = ascending.reduce((total, value) => total + value, 0);
  const weighted = ascending.reduce((total, value, index) => total + (index + 1) * value, 0);
  return (2 * weighted) / (count * sum) - (count + 1) / count;
}

const finiteOrNull = (value: number, decimals: 2 | 4) => (Number.isFinite(value) ? roundTo(value, decimals) : null);

/** Measures the top rows of a board, best first. */
export function boardHealth(top: readonly Entry[], isComparable: boolean): BoardHealth {
  const scores = top.map(({ score }) => score);
  const sum = scores.reduce((total, score) => total + score, 0);
  const returning = top.flatMap(({ scoreDelta, prevScore }) =>
    scoreDelta === null || prevScore === null ? [] : [{ scoreDelta, prevScore }],
  );
  const shares = returning.filter(({ prevScore }) => prevScore !== 0).map(({ scoreDelta, prevScore }) => (scoreDelta / prevScore) * 100);
  const newEntrants = top.filter(({ isNew }) => isNew).length;
  return {
    leaderShare: finiteOrNull((scores[0] ?? Number.NaN) / sum, 4),
    p1PnRatio: finiteOrNull((scores[0] ?? Number.NaN) / (scores.at(-1) ?? Number.NaN), 4),
    gini: finiteOrNull(gini(scores), 4),
    newEntrants: isComparable ? newEntrants : null,
    turnoverRate: isComparable ? finiteOrNull(newEntrants / top.length, 4) : null,
    medianScoreGain: isComparable ? finiteOrNull(median(returning.map(({ scoreDelta }) => scoreDelta)), 2) : null,
    medianScoreGainPct: isComparable ? finiteOrNull(median(shares), 2) : null,
  };
}
