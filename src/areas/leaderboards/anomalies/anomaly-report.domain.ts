import { SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/time/clock.ts';
import { roundTo } from '../../../platform/values/rounding.ts';
import { comparedName } from '../captures/comparison.domain.ts';
import { type EvidenceType, GAP_MULTIPLIER, MAX_REPORTED } from './anomalies.data.ts';
import {
  boardConfidence,
  cohortSize,
  evidenceConfidence,
  isHigherBetter,
  type Magnitude,
  playerConfidence,
  type RankedScores,
  rankGaps,
  scoreOutliers,
  velocityOutlier,
} from './anomalies.domain.ts';

export interface AnomalyRules {
  zThreshold: number;
  velocityMultiplier: number;
  minBoardSize: number;
}

/** One unusual figure. */
export interface Evidence extends Magnitude {
  type: EvidenceType;
  summary: string;
  measurements: Record<string, number>;
}

/** What is unusual about a player on one board. */
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

/** Unusual figures of one board. `earlier` is only asked for when somebody was found. */
export async function boardFindings(
  rows: RankedScores & { ranks: readonly number[] },
  rules: AnomalyRules,
  earlier: () => Promise<EarlierRows | null>,
  anchor: UnixSeconds,
): Promise<Finding[]> {
  const higherIsBetter = isHigherBetter(rows.scores);
  const findings = new Map<string, Finding>();
  const add = (name: string, evidence: Evidence) => findingOf(findings, rows, name)?.evidence.push(evidence);
  for (const outlier of scoreOutliers(rows, { z: rules.zThreshold, higherIsBetter }))
    add(outlier.playerName, scoreEvidence(outlier, rules));
  for (const gap of rankGaps(rows)) add(gap.playerName, gapEvidence(gap));
  const before = findings.size > 0 ? await earlier() : null;
  if (before) for (const finding of findings.values()) addVelocity(finding, { rows, before, higherIsBetter, rules, anchor });
  return [...findings.values()];
}

function findingOf(findings: Map<string, Finding>, rows: RankedScores & { ranks: readonly number[] }, name: string): Finding | undefined {
  const index = rows.names.indexOf(name);
  if (!findings.has(name) && index >= 0) {
    findings.set(name, { playerName: name, rank: rows.ranks[index] ?? 0, score: rows.scores[index] ?? 0, evidence: [] });
  }
  return findings.get(name);
}

function scoreEvidence({ modifiedZScore, cohortSize, boardSize }: ReturnType<typeof scoreOutliers>[number], rules: AnomalyRules): Evidence {
  const z = roundTo(modifiedZScore, 2);
  return {
    type: 'score_outlier',
    summary: `modified z-score ${z} among the first ${cohortSize} of ${boardSize}`,
    measurements: { modified_z_score: z, cohort_size: cohortSize, board_size: boardSize },
    magnitude: Math.abs(modifiedZScore),
    threshold: rules.zThreshold,
  };
}

function gapEvidence({ gapFraction, typicalGapFraction, gapMultiplier }: ReturnType<typeof rankGaps>[number]): Evidence {
  return {
    type: 'rank_gap',
    summary: `${gapMultiplier} times the typical gap to the next rank`,
    measurements: { gap_fraction: gapFraction, typical_gap_fraction: typicalGapFraction, gap_multiplier: gapMultiplier },
    magnitude: gapMultiplier,
    threshold: GAP_MULTIPLIER,
  };
}

interface VelocityInput {
  rows: RankedScores;
  before: EarlierRows;
  higherIsBetter: boolean;
  rules: AnomalyRules;
  anchor: UnixSeconds;
}

/** Adds the gain of a player since the earlier capture, when it is out of proportion to that of the elite. */
function addVelocity(finding: Finding, { rows, before, higherIsBetter, rules, anchor }: VelocityInput): void {
  const hours = (anchor - before.anchor) / SECONDS_PER_HOUR;
  const gainOf = (name: string, score: number): number => {
    const earlier = before.scoreOf(name);
    return earlier === undefined ? 0 : ((higherIsBetter ? score - earlier : earlier - score) || 0) / hours;
  };
  const own = comparedName(finding.playerName);
  const peers: number[] = [];
  for (const [index, name] of rows.names.slice(0, cohortSize(rows.names.length)).entries()) {
    if (comparedName(name) !== own) peers.push(gainOf(name, rows.scores[index] ?? 0));
  }
  const velocity = velocityOutlier(gainOf(finding.playerName, finding.score), peers, rules.velocityMultiplier);
  if (!velocity) return;
  const ratio = velocity.gainPerHour / velocity.peerGainPerHour;
  finding.evidence.push({
    type: 'velocity_outlier',
    summary: `gains ${roundTo(ratio, 1)} times what is fast among ${velocity.peers} peers`,
    measurements: {
      gain_per_hour: roundTo(velocity.gainPerHour, 2),
      peer_gain_per_hour: roundTo(velocity.peerGainPerHour, 2),
      peers: velocity.peers,
      hours: roundTo(hours, 2),
    },
    magnitude: ratio,
    threshold: rules.velocityMultiplier,
  });
}

/** What is unusual about a player on all boards. */
export interface FlaggedPlayer<Board> {
  playerName: string;
  confidence: number;
  boards: (Finding & { board: Board; confidence: number })[];
}

/** Findings by player, the most certain first; the list is cut, the total is not. */
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
