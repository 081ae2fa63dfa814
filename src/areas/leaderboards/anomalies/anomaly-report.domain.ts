import { SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { median, roundTo } from '../../../platform/kit/values/numbers.ts';
import { comparedName } from '../captures/comparison.domain.ts';
import { type EvidenceType, GAP_MULTIPLIER, MAX_REPORTED, PEER_RANKS, SUSTAINED } from './anomalies.data.ts';
import {
  boardConfidence,
  evidenceConfidence,
  isHigherBetter,
  type Magnitude,
  playerConfidence,
  type RankedScores,
  type RankGap,
  rankGaps,
  type ScoreOutlier,
  type SustainedPlayer,
  scoreOutliers,
  velocityOutlier,
} from './anomalies.domain.ts';

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
