import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { median, roundTo } from '../../../platform/kit/values/numbers.ts';
import type { BoardColumns } from '../captures/board-rows.domain.ts';
import { earlierRow, rowAt } from '../captures/board-rows.domain.ts';
import type { ResetCadence } from './board-table.data.ts';
import type { Comparison, Entry } from './boards.domain.ts';
import { isHigherBetter, resetBoundaries } from './boards.domain.ts';

/** Hides floating-point errors of the difference; no score has more decimals. */
const GAIN_DECIMALS = 6;

/** The time between two captures, or since a reset between them. */
export interface GainWindow {
  /** Exact start: the earlier capture, or the last reset after it. Null if the board has one capture and no reset in the period. */
  start: UnixSeconds | null;
  /** The newest capture. */
  end: UnixSeconds;
  /** The earlier capture; null if there is none, or if scores began at 0 at a reset. */
  startAnchor: UnixSeconds | null;
  /** The last reset in the window; gains count from it. */
  resetAt: UnixSeconds | null;
}

/** `earlier`: the capture to compare with; null if there is none. A reset within the period starts the window: scores were 0 then. */
export function gainWindow(captures: { at: UnixSeconds; earlier: UnixSeconds | null; days: number; cadence: ResetCadence }): GainWindow {
  const { at, earlier, days, cadence } = captures;
  const resetAt = resetBoundaries(cadence, earlier ?? at - days * SECONDS_PER_DAY, at).at(-1) ?? null;
  if (resetAt !== null) return { start: resetAt, end: at, startAnchor: null, resetAt };
  return { start: earlier, end: at, startAnchor: earlier, resetAt: null };
}

interface Gain {
  /** Place in the list, from 1; equal gains share the better place. */
  place: number;
  /** Rank on the board. */
  rank: number;
  playerName: string;
  score: number;
  /** Null after a reset. */
  prevRank: number | null;
  prevScore: number;
  gain: number;
}

export interface Gains {
  reason: Comparison['reason'];
  higherIsBetter: boolean;
  items: Gain[];
  /** Players with a gain. */
  total: number;
  /** Players without a row at the earlier capture, whose gain is unknown. */
  newPlayers: number;
}

/**
 * The largest gains: points added, or points removed on a board that ranks low scores first. Equal gains are in the order of ranks, then of
 * names. `before`: rows of the earlier capture. Since a reset, gains are the scores; low scores have no gain then.
 */
export function largestGains(
  rows: BoardColumns,
  { before, isSinceReset, limit }: { before: BoardColumns | null; isSinceReset: boolean; limit: number },
): Gains {
  const higherIsBetter = isHigherBetter(rows.scores);
  const none = { higherIsBetter, items: [], total: 0, newPlayers: 0 };
  if (isSinceReset && !higherIsBetter) return { ...none, reason: 'crossed_reset' };
  if (!isSinceReset && before === null) return { ...none, reason: 'no_prior_snapshot' };
  const gains: Omit<Gain, 'place'>[] = [];
  let newPlayers = 0;
  for (const [index, playerName] of rows.names.entries()) {
    const { rank, score } = rowAt(rows, index);
    const earlier = before === null ? null : earlierRow(rows, index, before);
    if (before !== null && earlier === null) {
      newPlayers += 1;
      continue;
    }
    const prevScore = earlier?.score ?? 0;
    const gain = roundTo(higherIsBetter ? score - prevScore : prevScore - score, GAIN_DECIMALS);
    if (gain > 0) gains.push({ rank, playerName, score, prevRank: earlier?.rank ?? null, prevScore, gain });
  }
  gains.sort((one, other) => other.gain - one.gain || one.rank - other.rank || compareNames(one.playerName, other.playerName));
  const items = gains.slice(0, limit).map((item) => ({ place: 0, ...item }));
  for (const [index, item] of items.entries()) {
    const above = items[index - 1];
    item.place = above?.gain === item.gain ? above.place : index + 1;
  }
  return { reason: 'ok', higherIsBetter, items, total: gains.length, newPlayers };
}

/** By code units, which every system orders alike. */
const compareNames = (one: string, other: string) => (one < other ? -1 : Number(one > other));

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
