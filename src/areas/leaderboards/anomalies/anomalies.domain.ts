import type { BoardRows } from '../../../game/board-captures.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { median, roundTo } from '../../../platform/kit/values/numbers.ts';
import { isHigherBetter } from '../boards/boards.domain.ts';
import { comparedName } from '../captures/board-rows.domain.ts';
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
  MAX_REPORTED,
  MIN_CHECKED_SCORES,
  MIN_GAP_ENTRIES,
  MIN_PEERS,
  MIN_RISE,
  PEER_QUANTILE,
  PEER_RANKS,
  SUSTAINED,
} from './anomalies.data.ts';

/** Names and scores of a board as columns, sorted by rank. */
interface RankedScores {
  names: readonly string[];
  scores: readonly number[];
}

/** Number of elite ranks for a board size. */
export function cohortSize(entries: number): number {
  return Math.min(entries, Math.max(COHORT.minRanks, Math.floor(entries * COHORT.share)));
}

interface ScoreOutlier {
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

interface RankGap {
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
interface Magnitude {
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

interface SustainedPlayer {
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

export interface AnomalyRules {
  zThreshold: number;
  velocityMultiplier: number;
  minBoardSize: number;
}

/** One anomaly. */
export interface Evidence extends Magnitude {
  type: EvidenceType;
  summary: string;
  measurements: Record<string, number | boolean>;
}

/** Anomalies of a player on one board. */
export interface Finding {
  playerName: string;
  rank: number;
  score: number;
  evidence: Evidence[];
}

/** The rows of the board at an earlier capture of the same reset cycle. */
export interface EarlierRows {
  anchor: UnixSeconds;
  scoreOf(name: string): number | undefined;
}

type RankedRows = RankedScores & { ranks: readonly number[] };

/** Anomalies of one board. `earlier` is called only if a player is flagged. */
export async function boardFindings(
  rows: RankedRows,
  rules: AnomalyRules,
  earlier: () => Promise<EarlierRows | null>,
  anchor: UnixSeconds,
): Promise<Finding[]> {
  const higherIsBetter = isHigherBetter(rows.scores);
  const findings = new Map<string, Finding>();
  const add = (name: string, evidence: Evidence) => findingOf(findings, rows, name)?.evidence.push(evidence);
  for (const outlier of scoreOutliers(rows, { z: rules.zThreshold, higherIsBetter }))
    add(outlier.playerName, scoreEvidence(outlier, rows, higherIsBetter, rules));
  for (const gap of rankGaps(rows)) add(gap.playerName, gapEvidence(gap, rows));
  const before = findings.size > 0 ? await earlier() : null;
  if (before) for (const finding of findings.values()) addVelocity(finding, { rows, before, higherIsBetter, rules, anchor });
  return [...findings.values()];
}

function findingOf(findings: Map<string, Finding>, rows: RankedRows, name: string): Finding | undefined {
  const index = rows.names.indexOf(name);
  if (!findings.has(name) && index >= 0) {
    findings.set(name, { playerName: name, rank: rows.ranks[index] ?? 0, score: rows.scores[index] ?? 0, evidence: [] });
  }
  return findings.get(name);
}

const roundScore = (score: number) => roundTo(score, 2);

function scoreEvidence(
  { playerName, modifiedZScore, cohortSize: cohort, boardSize }: ScoreOutlier,
  rows: RankedRows,
  higherIsBetter: boolean,
  rules: AnomalyRules,
): Evidence {
  const z = roundTo(modifiedZScore, 2);
  const score = rows.scores[rows.names.indexOf(playerName)] ?? 0;
  const middle = median(rows.scores.slice(0, cohort));
  return {
    type: 'score_outlier',
    summary: `modified z-score ${z} among the first ${cohort} of ${boardSize}`,
    measurements: {
      player_score: roundScore(score),
      elite_median: roundScore(middle),
      modified_z_score: z,
      threshold: rules.zThreshold,
      median_multiplier: middle === 0 ? 0 : roundTo(score / middle, 2),
      higher_is_better: higherIsBetter,
      cohort_size: cohort,
      board_size: boardSize,
    },
    magnitude: Math.abs(modifiedZScore),
    threshold: rules.zThreshold,
  };
}

function gapEvidence(
  { playerName, gapFraction, typicalGapFraction, gapMultiplier }: RankGap,
  { ranks, names, scores }: RankedRows,
): Evidence {
  const index = names.indexOf(playerName);
  return {
    type: 'rank_gap',
    summary: `${gapMultiplier} times the typical gap to the next rank`,
    measurements: {
      player_rank: ranks[index] ?? 0,
      player_score: roundScore(scores[index] ?? 0),
      next_rank: ranks[index + 1] ?? 0,
      next_rank_score: roundScore(scores[index + 1] ?? 0),
      gap_fraction: gapFraction,
      typical_gap_fraction: typicalGapFraction,
      gap_multiplier: gapMultiplier,
      threshold_multiplier: GAP_MULTIPLIER,
    },
    magnitude: gapMultiplier,
    threshold: GAP_MULTIPLIER,
  };
}

/** Evidence that a player was active in nearly all hours. */
export function sustainedEvidence({ activeHours, fraction }: SustainedPlayer, hours: number): Evidence {
  return {
    type: 'sustained_velocity',
    summary: `scores rose in ${activeHours} of ${hours} hours since the weekly reset`,
    measurements: {
      active_hours: activeHours,
      captures_since_reset: hours,
      uptime_fraction: roundTo(fraction, 3),
      threshold_fraction: SUSTAINED.fraction,
    },
    magnitude: fraction,
    threshold: SUSTAINED.fraction,
  };
}

interface VelocityInput {
  rows: RankedScores;
  before: EarlierRows;
  higherIsBetter: boolean;
  rules: AnomalyRules;
  anchor: UnixSeconds;
}

/** Adds the gain of a player since the earlier capture if it is far above that of the first ranks. */
function addVelocity(finding: Finding, { rows, before, higherIsBetter, rules, anchor }: VelocityInput): void {
  const hours = (anchor - before.anchor) / SECONDS_PER_HOUR;
  const gainOf = (name: string, score: number): number => {
    const earlier = before.scoreOf(name);
    return earlier === undefined ? 0 : (higherIsBetter ? score - earlier : earlier - score) / hours;
  };
  const peers = rows.names.slice(0, PEER_RANKS).map((name, index) => gainOf(name, rows.scores[index] ?? 0));
  const velocity = velocityOutlier(gainOf(finding.playerName, finding.score), peers, rules.velocityMultiplier);
  const previous = before.scoreOf(finding.playerName);
  if (!velocity || previous === undefined) return;
  const ratio = velocity.gainPerHour / velocity.peerGainPerHour;
  finding.evidence.push({
    type: 'velocity_outlier',
    summary: `gains ${roundTo(ratio, 1)} times the fast rate among ${velocity.peers} peers`,
    measurements: {
      score_delta: roundScore(finding.score - previous),
      duration_hours: roundTo(hours, 2),
      rate_per_hour: roundScore(velocity.gainPerHour),
      peer_p95_rate_per_hour: roundScore(velocity.peerGainPerHour),
      rate_multiplier: roundTo(ratio, 1),
      threshold_multiplier: rules.velocityMultiplier,
      previous_anchor: before.anchor,
      previous_score: roundScore(previous),
      peers: velocity.peers,
    },
    magnitude: ratio,
    threshold: rules.velocityMultiplier,
  });
}

/** Anomalies of a player on all boards. */
export interface FlaggedPlayer<Board> {
  playerName: string;
  confidence: number;
  boards: (Finding & { board: Board; confidence: number })[];
}

/** Findings by player, highest confidence first, at most `MAX_REPORTED`; `total` counts all players. */
export function flaggedPlayers<Board>(findings: readonly (Finding & { board: Board })[]): {
  players: FlaggedPlayer<Board>[];
  total: number;
} {
  const byPlayer = Map.groupBy(findings, ({ playerName }) => comparedName(playerName));
  const players = [...byPlayer.values()].map((own) => ({
    playerName: own[0]?.playerName ?? '',
    confidence: playerConfidence(own),
    boards: own.map((finding) => ({ ...finding, confidence: boardConfidence(finding.evidence) })),
  }));
  const count = ({ boards }: FlaggedPlayer<Board>) => boards.reduce((sum, { evidence }) => sum + evidence.length, 0);
  players.sort(
    (one, other) =>
      other.confidence - one.confidence ||
      count(other) - count(one) ||
      (comparedName(one.playerName) < comparedName(other.playerName) ? -1 : 1),
  );
  return { players: players.slice(0, MAX_REPORTED), total: players.length };
}

export function confidenceOf({ type, magnitude, threshold }: Evidence): number {
  return evidenceConfidence(type, magnitude, threshold);
}
