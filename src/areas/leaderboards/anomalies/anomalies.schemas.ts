import { z } from '@hono/zod-openapi';
import { enumOf, integer, integerOrNull, namedEnum, number, numberOrNull, string } from '../../../platform/http/bodies/body-schemas.ts';
import type { Representation } from '../../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import { byCategory, type ResetOverrides, resetKindOf } from '../boards/boards.domain.ts';
import { ContestType, flag, instant } from '../boards/boards.schemas.ts';
import type { BoardAt, StoredBoard } from '../boards/boards.store.ts';
import { ANOMALY_METHOD, CLUSTER_METHODS, CLUSTER_SIGNALS, EVIDENCE_TYPES, MAX_MEMBERS } from './anomalies.data.ts';
import { type AnomalyRules, confidenceOf, type FlaggedPlayer } from './anomalies.domain.ts';
import type { Cluster, ClusterBoard } from './clusters.domain.ts';
import type { AltClusters } from './clusters.service.ts';

/** Anomalies in the newest capture. */
export interface AnomalyReport {
  players: FlaggedPlayer<StoredBoard>[];
  totalFlagged: number;
  computedAt: UnixSeconds;
  /** Null before the first capture. */
  anchor: UnixSeconds | null;
  rules: AnomalyRules;
  analyzed: BoardAt[];
  excluded: ExcludedBoard[];
  overrides: ResetOverrides;
  clusters: AltClusters;
  isDetectionEnabled: boolean;
  areClustersEnabled: boolean;
}

/** A board that is not analysed. */
export interface ExcludedBoard {
  at: BoardAt;
  reason: 'admin_excluded' | 'below_min_size';
}

const AltClusterBoardBody = z
  .object({
    uuid: integer('Number of the board.', 1),
    name: string('Name of the board.', 'TROVE MASTERY POINTS'),
    category: string('Category of the board.', 'META'),
    contest_type: ContestType.nullable().openapi({ description: 'Contest of the board.', example: null }),
    members: integer('Number of members on the board.', 4),
    member_names: z
      .array(z.string())
      .openapi({ description: `Members on the board, at most ${MAX_MEMBERS}.`, example: ['Ember1', 'Ember2'] }),
    score_min: numberOrNull('Lowest score of the members; null unless found by name.', 1000),
    score_max: numberOrNull('Highest score of the members; null unless found by name.', 1009),
    spread: numberOrNull('Difference of these scores as a share of the larger one; null unless found by name.', 0.00892),
    rank_min: numberOrNull('Best rank of the members; null unless found by name.', 12),
    rank_max: numberOrNull('Worst rank of the members; null unless found by name.', 15),
    matching_hours: numberOrNull('Hours with nearly equal gains; null unless found by gains.', null),
    avg_hourly_gain: numberOrNull('Mean over the members of the sum of these gains; null unless found by gains.', null),
  })
  .openapi('AltClusterBoard', { description: 'Members of a cluster on one board.' });

const AltClusterBody = z
  .object({
    stem: string('Common part of the names; empty without one.', 'ember'),
    label: string('Short label: the stem, or the first name and the number of the others.', 'ember*'),
    method: enumOf(CLUSTER_METHODS).openapi({
      description: 'How the cluster was found: similar names, equal gains, equal hours, or names and one of the others.',
      example: 'name_stem',
    }),
    corroborated_by: z.array(enumOf(CLUSTER_SIGNALS)).openapi({ description: 'All signals of the cluster.', example: ['name_stem'] }),
    member_count: integer('Number of members.', 4),
    members: z
      .array(z.string())
      .openapi({ description: `Members A to Z, at most ${MAX_MEMBERS}.`, example: ['Ember1', 'Ember2', 'Ember3', 'Ember4'] }),
    members_truncated: integer('Number of members that are missing in the list.', 0),
    board_count: integer('Number of boards.', 1),
    boards: z.array(AltClusterBoardBody).openapi({ description: 'Boards by category and name.' }),
    confidence: number('Confidence, 0 to 1.', 0.721),
    summary: string('Summary in one phrase.', '4 names ember* within 0.89 % of each other on 1 board'),
    measurements: z
      .record(z.string(), z.union([z.number(), z.boolean(), z.string(), z.null()]))
      .openapi({ description: 'Measurements, depending on the method.', example: { member_count: 4, board_count: 1, closeness: 0.554 } }),
  })
  .openapi('AltCluster', {
    description: 'Names that may belong to one person. This has other possible causes, such as a guild that plays together.',
  });

function toAltClusterBody(cluster: Cluster<StoredBoard>, nameOf: (key: string) => string): z.infer<typeof AltClusterBody> {
  const { stem, method, signals, members, confidence, summary, measurements } = cluster;
  const names = members.slice(0, MAX_MEMBERS).map(nameOf);
  const isNamed = stem !== null && (method === 'name_stem' || method === 'both');
  return {
    stem: stem ?? '',
    label: isNamed ? `${stem}*` : `${names[0] ?? ''} +${members.length - 1}`,
    method,
    corroborated_by: [...signals],
    member_count: members.length,
    members: names,
    members_truncated: Math.max(0, members.length - MAX_MEMBERS),
    board_count: cluster.boards.length,
    boards: cluster.boards.toSorted(byCategory).map((board) => toClusterBoardBody(board, nameOf)),
    confidence,
    summary,
    measurements,
  };
}

function toClusterBoardBody({ board, members, scores, movement }: ClusterBoard<StoredBoard>, nameOf: (key: string) => string) {
  return {
    uuid: board.uuid,
    name: board.name,
    category: board.category,
    contest_type: board.contestType,
    members: members.length,
    member_names: members.slice(0, MAX_MEMBERS).map(nameOf),
    score_min: scores?.min ?? null,
    score_max: scores?.max ?? null,
    spread: scores && roundTo(scores.spread, 6),
    rank_min: scores?.rankMin ?? null,
    rank_max: scores?.rankMax ?? null,
    matching_hours: movement?.hours ?? null,
    avg_hourly_gain: movement && roundTo(movement.averageGain, 2),
  };
}

const confidence = number('Confidence, 0 to 1.', 0.731);

const EvidenceBody = z
  .object({
    type: enumOf(EVIDENCE_TYPES).openapi({
      description: 'The anomalous figure: score, gap to the next rank, hourly gain, or share of active hours.',
      example: 'rank_gap',
    }),
    summary: string('Summary in one phrase.', '14.2 times the typical gap to the next rank'),
    measurements: z.record(z.string(), z.union([z.number(), z.boolean()])).openapi({
      description: 'Measurements, depending on the type.',
      example: {
        player_rank: 1,
        player_score: 1_204_455,
        next_rank: 2,
        next_rank_score: 1_106_650,
        gap_fraction: 0.0812,
        typical_gap_fraction: 0.0057,
        gap_multiplier: 14.2,
        threshold_multiplier: 10,
      },
    }),
    confidence,
  })
  .openapi('AnomalyEvidence', { description: 'An anomaly.' });

const FlaggedBoardBody = z
  .object({
    uuid: integer('Number of the board.', 1),
    name: string('Name of the board.', 'TROVE MASTERY POINTS'),
    category: string('Category of the board.', 'META'),
    contest_type: ContestType.nullable().openapi({ description: 'Contest of the board.', example: null }),
    rank: integer('Rank of the player.', 1),
    score: number('Score of the player.', 1_204_455),
    confidence,
    evidence: z.array(EvidenceBody).openapi({ description: 'Anomalies on the board.' }),
  })
  .openapi('AnomalyBoard', { description: 'Anomalies of a player on one board.' });

const analysisFields = {
  uuid: integer('Number of the board.', 10_003),
  name: string('Name of the board.', 'BOARD 10003'),
  category: string('Category of the board.', 'STATS'),
  reset_kind: namedEnum('AnalyzedResetKind', 'Reset cadence of an analysed board.', ['daily', 'weekly', 'default', 'none']).openapi({
    description: 'Reset cadence of the board: daily, weekly, never (`default`), or never by a setting (`none`).',
    example: 'weekly',
  }),
  contest_type: ContestType.nullable().openapi({ description: 'Contest of the board.', example: null }),
};

const AnalyzedBoardBody = z
  .object({ ...analysisFields, entries: integer('Total number of rows of the board.', 20_000) })
  .openapi('AnalyzedBoard', { description: 'An analysed board.' });

const ExcludedBoardBody = z
  .object({
    ...analysisFields,
    reason: namedEnum('BoardExclusionReason', 'Reason why a board is not analysed.', ['admin_excluded', 'below_min_size']).openapi({
      description: 'Reason: excluded by an administrator, or too few rows.',
      example: 'below_min_size',
    }),
    entries: integerOrNull('Rows of the board; null for `admin_excluded`.', 12),
  })
  .openapi('ExcludedBoard', { description: 'A board excluded from the analysis.' });

function toAnalysisBody({ board }: BoardAt, overrides: ResetOverrides) {
  const { uuid, name, category, contestType } = board;
  const kind = overrides.get(uuid) === 'never' ? 'none' : resetKindOf(uuid, overrides);
  return { uuid, name, category, reset_kind: kind, contest_type: contestType } as const;
}

export const AnomaliesBody = z
  .object({
    players: z
      .array(
        z
          .object({
            player_name: string('Name of the player.', 'Nimbus'),
            confidence,
            leaderboards: z.array(FlaggedBoardBody).openapi({ description: 'Boards with anomalies of the player.' }),
          })
          .openapi('AnomalyPlayer', { description: 'A player with anomalies.' }),
      )
      .openapi({ description: 'At most 500 players, highest confidence first.' }),
    clusters: z
      .array(AltClusterBody)
      .openapi({ description: 'At most 500 clusters of names that may belong to one person, highest confidence first.' }),
    clusters_boards_scanned: integer('Number of boards searched for clusters.', 160),
    computed_at: instant('Time when the report was computed'),
    anchor: integerOrNull('Analysed capture (unix seconds); null before the first.', 1_773_140_400),
    method: string('Method and limits of the analysis.', ANOMALY_METHOD),
    config: z
      .object({
        z_threshold: number('Modified z-score from which a score is an anomaly.', 5),
        velocity_multiplier: number('Multiple of the gain of fast peers from which a gain is an anomaly.', 10),
        min_board_size: integer('Minimum number of rows of an analysed board.', 20),
      })
      .openapi('AnomalyConfig', { description: 'Applied thresholds.' }),
    total_flagged: integer('Number of players with anomalies.', 12),
    boards_analyzed: integer('Number of analysed boards.', 160),
    boards_excluded: integer('Number of boards excluded by an administrator.', 0),
    analyzed_boards: z.array(AnalyzedBoardBody).openapi({ description: 'Boards analysed, by category and name.' }),
    excluded_boards: z.array(ExcludedBoardBody).openapi({ description: 'Excluded player boards, by category and name.' }),
    alt_clusters_enabled: flag('Whether clusters are searched.', true),
    cheater_detection_enabled: flag('Whether players are analysed.', true),
  })
  .openapi('LeaderboardAnomalies', { description: 'Anomalies in the newest capture.' });

export function toAnomaliesBody(report: AnomalyReport): z.infer<typeof AnomaliesBody> {
  const { rules } = report;
  return {
    players: report.players.map((player) => ({
      player_name: player.playerName,
      confidence: player.confidence,
      leaderboards: player.boards.map(({ board, rank, score, confidence, evidence }) => ({
        uuid: board.uuid,
        name: board.name,
        category: board.category,
        contest_type: board.contestType,
        rank,
        score,
        confidence,
        evidence: evidence.map((item) => ({
          type: item.type,
          summary: item.summary,
          measurements: item.measurements,
          confidence: confidenceOf(item),
        })),
      })),
    })),
    clusters: report.clusters.clusters.map((cluster) => toAltClusterBody(cluster, report.clusters.nameOf)),
    clusters_boards_scanned: report.clusters.boardsScanned,
    computed_at: report.computedAt,
    anchor: report.anchor,
    method: ANOMALY_METHOD,
    config: { z_threshold: rules.zThreshold, velocity_multiplier: rules.velocityMultiplier, min_board_size: rules.minBoardSize },
    total_flagged: report.totalFlagged,
    boards_analyzed: report.analyzed.length,
    boards_excluded: report.excluded.filter(({ reason }) => reason === 'admin_excluded').length,
    analyzed_boards: report.analyzed.map((at) => ({ ...toAnalysisBody(at, report.overrides), entries: at.entries })),
    excluded_boards: report.excluded.map(({ at, reason }) => ({
      ...toAnalysisBody(at, report.overrides),
      reason,
      entries: reason === 'admin_excluded' ? null : at.entries,
    })),
    alt_clusters_enabled: report.areClustersEnabled,
    cheater_detection_enabled: report.isDetectionEnabled,
  };
}

export type AnomaliesReply = Representation<z.output<typeof AnomaliesBody>>;
