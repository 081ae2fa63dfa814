import type { BoardRows } from '../../../game/board-captures.ts';
import { median, roundTo } from '../../../platform/kit/values/numbers.ts';
import { comparedName } from '../captures/comparison.domain.ts';
import {
  ACTIVE_RANKS,
  BASE_CONFIDENCE,
  CAPPED_TOP_SCORES,
  CHECKED_GAPS,
  COHORT,
  CONFIDENCE_CEILINGS,
  type EvidenceType,
  GAP_MULTIPLIER,
  MAD_TO_SIGMA,
  MIN_CHECKED_SCORES,
  MIN_GAP_ENTRIES,
  MIN_PEERS,
  MIN_RISE,
  PEER_QUANTILE,
  SUSTAINED,
} from './anomalies.data.ts';

/** Names and scores of a board as columns, sorted by rank. */
export interface RankedScores {
  names: readonly string[];
  scores: readonly number[];
}

/** False only if rank 1 has the lowest score and the scores differ. */
export function isHigherBetter(scores: readonly number[]): boolean {
  const first = scores[0] ?? 0;
  let lowest = first;
  let highest = first;
  for (const score of scores) {
    lowest = Math.min(lowest, score);
    highest = Math.max(highest, score);
  }
  return first === highest || first !== lowest;
}

/** Number of elite ranks for a board size. */
export function cohortSize(entries: number): number {
  return Math.min(entries, Math.max(COHORT.minRanks, Math.floor(entries * COHORT.share)));
}

export interface ScoreOutlier {
  playerName: string;
  modifiedZScore: number;
  cohortSize: number;
  boardSize: number;
}

/** Scores far from the elite of their board, in the log domain. Compared with the whole board, every strong player would be an outlier. */
export function scoreOutliers({ names, scores }: RankedScores, rules: { z: number; higherIsBetter: boolean }): ScoreOutlier[] {
  const cohort = cohortSize(scores.length);
  const top = scores.slice(0, CAPPED_TOP_SCORES);
  if (top.length === 0 || top.every((score) => score === top[0])) return [];
  const logs = Float64Array.from(scores.slice(0, cohort), (score) => Math.log10(Math.max(0, score) + 1));
  const middle = median(logs);
  const deviation = median(logs.map((value) => Math.abs(value - middle)));
  if (deviation === 0) return [];
  const checkedCount = Math.min(cohort, Math.max(MIN_CHECKED_SCORES, Math.floor(cohort / 2)));
  const outliers: ScoreOutlier[] = [];
  for (let index = 0; index < checkedCount; index += 1) {
    const z = (MAD_TO_SIGMA * ((logs[index] ?? 0) - middle)) / deviation;
    if (rules.higherIsBetter ? z <= rules.z : z >= -rules.z) continue;
    outliers.push({ playerName: names[index] ?? '', modifiedZScore: z, cohortSize: cohort, boardSize: scores.length });
  }
  return outliers;
}

export interface RankGap {
  playerName: string;
  /** Four decimals. */
  gapFraction: number;
  /** Four decimals. */
  typicalGapFraction: number;
  /** One decimal. */
  gapMultiplier: number;
}

/** Players above an unusually large gap among the first ranks. */
export function rankGaps({ names, scores }: RankedScores): RankGap[] {
  if (scores.length < MIN_GAP_ENTRIES) return [];
  const gaps = Float64Array.from({ length: scores.length - 1 }, (_, index) => gapBetween(scores[index] ?? 0, scores[index + 1] ?? 0));
  const typical = gaps.length === 0 ? 0 : median(gaps.length > CHECKED_GAPS ? gaps.subarray(CHECKED_GAPS) : gaps);
  if (typical === 0) return [];
  const largeGaps: RankGap[] = [];
  for (const [index, gap] of gaps.subarray(0, CHECKED_GAPS).entries()) {
    const multiplier = gap / typical;
    if (multiplier < GAP_MULTIPLIER) continue;
    largeGaps.push({
      playerName: names[index] ?? '',
      gapFraction: roundTo(gap, 4),
      typicalGapFraction: roundTo(typical, 4),
      gapMultiplier: roundTo(multiplier, 1),
    });
  }
  return largeGaps;
}

function gapBetween(upper: number, lower: number): number {
  const larger = Math.max(Math.abs(upper), Math.abs(lower));
  return larger === 0 ? 0 : Math.abs(upper - lower) / larger;
}

interface Velocity {
  /** Gain of the player, and the 95th percentile of the gains of the peers; points per hour. */
  gainPerHour: number;
  peerGainPerHour: number;
  peers: number;
}

/** Compares a gain with those of the peers. Null if it is below the threshold, or if too few peers have a gain. */
export function velocityOutlier(gainPerHour: number, peerGains: readonly number[], multiplier: number): Velocity | null {
  const ascending = Float64Array.from(peerGains.filter((gain) => gain > 0)).sort();
  if (ascending.length < MIN_PEERS) return null;
  const peerGain = ascending[Math.max(0, Math.floor(PEER_QUANTILE * ascending.length) - 1)] ?? 0;
  return gainPerHour >= peerGain * multiplier ? { gainPerHour, peerGainPerHour: peerGain, peers: ascending.length } : null;
}

/** Fields of a finding that determine its confidence. */
export interface Magnitude {
  type: string;
  magnitude: number;
  threshold: number;
}

const ceilingOf = (type: string): number => CONFIDENCE_CEILINGS[type as EvidenceType] ?? BASE_CONFIDENCE;

/** Confidence in a finding, three decimals. */
export function evidenceConfidence(type: string, magnitude: number, threshold: number): number {
  if (type === 'sustained_velocity') return sustainedConfidence(magnitude, threshold);
  if (!Object.hasOwn(CONFIDENCE_CEILINGS, type) || !(magnitude > threshold)) return BASE_CONFIDENCE;
  const ratio = magnitude / threshold;
  return roundTo(Math.min(ceilingOf(type), BASE_CONFIDENCE + (1 - BASE_CONFIDENCE) * (1 - Math.exp(1 - ratio))), 3);
}

/** Linear from the threshold to 1; both arguments are shares of all hours. */
function sustainedConfidence(fraction: number, threshold: number): number {
  const { baseConfidence } = SUSTAINED;
  const above = Math.max(0, (fraction - threshold) / (1 - threshold));
  return roundTo(Math.min(CONFIDENCE_CEILINGS.sustained_velocity, baseConfidence + (1 - baseConfidence) * above), 3);
}

/** Confidence in the findings on one board: that of the strongest. */
export function boardConfidence(evidence: readonly Magnitude[]): number {
  return Math.max(0, ...evidence.map(({ type, magnitude, threshold }) => evidenceConfidence(type, magnitude, threshold)));
}

/** Confidence in the findings on all boards, three decimals. Capped by the maximum of the type if all are of one type. */
export function playerConfidence(boards: readonly { evidence: readonly Magnitude[] }[]): number {
  const doubt = boards.reduce((product, { evidence }) => product * (1 - boardConfidence(evidence)), 1);
  const types = new Set(boards.flatMap(({ evidence }) => evidence.map(({ type }) => type)));
  const [only] = types;
  const ceiling = types.size === 1 && only !== undefined ? ceilingOf(only) : 1;
  return roundTo(Math.min(ceiling, 1 - doubt), 3);
}

/** Lower-case names among the first ranks of a board whose score rose since the earlier capture. */
export function risingNames(earlier: BoardRows, later: BoardRows): string[] {
  const before = new Map<string, number>();
  for (const [index, name] of earlier.names.entries()) {
    const key = comparedName(name);
    if (!before.has(key)) before.set(key, earlier.scores[index] ?? Number.NaN);
  }
  const first = later.names.slice(0, ACTIVE_RANKS).map(comparedName);
  return first.filter((key, index) => (later.scores[index] ?? Number.NaN) - (before.get(key) ?? Number.NaN) >= MIN_RISE);
}

export interface SustainedPlayer {
  /** Name in the form of `comparedName`. */
  key: string;
  activeHours: number;
  /** Share of all hours. */
  fraction: number;
}

/**
 * Players who were active in nearly all hours of a reset cycle; empty until the cycle has `SUSTAINED.minHours` hours.
 * `activeNames`: the names of each hour.
 */
export function sustainedPlayers(activeNames: Iterable<ReadonlySet<string>>, hours: number): SustainedPlayer[] {
  if (hours < SUSTAINED.minHours) return [];
  const counts = new Map<string, number>();
  for (const names of activeNames) for (const key of names) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .map(([key, activeHours]) => ({ key, activeHours, fraction: activeHours / hours }))
    .filter(({ fraction }) => fraction >= SUSTAINED.fraction);
}
