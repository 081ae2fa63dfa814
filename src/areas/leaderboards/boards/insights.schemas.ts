import { z } from '@hono/zod-openapi';
import { enumOf, namedEnum, orNull } from '../../../platform/http/bodies/body-schemas.ts';
import { choice, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { ANOMALY_METHOD, EVIDENCE_TYPES } from '../anomalies/anomalies.data.ts';
import type { AnomalyReport } from '../anomalies/anomalies.service.ts';
import { confidenceOf } from '../anomalies/anomaly-report.domain.ts';
import { AltClusterBody, toAltClusterBody } from '../anomalies/clusters.schemas.ts';
import { GAIN_PERIODS, GEODE_LEVEL_CAP } from '../leaderboards.data.ts';
import { geodeLevel, masteryLevel, type ResetOverrides, resetKindOf } from './boards.domain.ts';
import {
  ContestType,
  comparisonReason,
  EXAMPLE_ANCHOR,
  flag,
  instant,
  integer,
  number,
  prevAnchor,
  ResetKind,
  string,
} from './boards.schemas.ts';
import type { GainsReport, HealthReport, Records } from './boards.service.ts';
import type { BoardAt, Leader } from './boards.store.ts';

const orNullNumber = (description: string, example: number) => z.number().nullable().openapi({ description, example });

export const HealthBody = z
  .object({
    uuid: integer('Number of the board.', 1),
    name: string('Name of the board.', 'TROVE MASTERY POINTS'),
    category: string('Category of the board.', 'META'),
    reset_kind: ResetKind,
    anchor: instant('Newest capture of the board'),
    prev_anchor: prevAnchor,
    comparable: flag('Whether the sample is compared with the previous game day.', true),
    comparison_reason: comparisonReason,
    population: integer('Total number of rows of the board.', 20_000),
    sample_size: integer('Number of measured rows from the top, at most 50.', 50),
    leader_share: orNullNumber('Share of the leader in the sum of the scores; null if the sum is 0.', 0.0213),
    p1_pn_ratio: orNullNumber('First score divided by the last of the sample; null if the last is 0.', 1.0721),
    gini: orNullNumber('Gini coefficient of the scores, 0 to 1; null if the sum is 0.', 0.0142),
    new_entrants: z.number().int().nullable().openapi({ description: 'Players new to the board; null without a comparison.', example: 2 }),
    turnover_rate: orNullNumber('Share of new players in the sample; null without a comparison.', 0.04),
    median_score_gain: orNullNumber('Median gain of the others; null without a comparison.', 1250.5),
    median_score_gain_pct: orNullNumber('Median gain of the others in percent; null without a comparison.', 0.11),
  })
  .openapi('LeaderboardHealth', { description: 'Health of a board, measured on its top rows.' });

/** Periods of the gains in days. */
const GAIN_DAYS = namedValues('LeaderboardGainDays', 'Length of a period in days.', GAIN_PERIODS);
const MAX_GAINS = 100;

export const GainsQuery = z.object({
  days: choice(GAIN_DAYS, { description: 'Length of the period in days.', example: 7 }).default(7),
  limit: integerWithDefault({
    min: 1,
    max: MAX_GAINS,
    default: 20,
    description: `Maximum number of players, 1 to ${MAX_GAINS}.`,
    example: 20,
  }),
});

const GainBody = z
  .object({
    place: integer('Place in this list, from 1; equal gains share the better place.', 1),
    rank: integer('Rank on the board.', 12),
    player_name: string('Name of the player or club.', 'Nimbus'),
    score: number('Score at the end of the window.', 1_204_455),
    prev_rank: z.number().int().nullable().openapi({ description: 'Rank at the start of the window; null since a reset.', example: 15 }),
    prev_score: number('Score at the start of the window; 0 since a reset.', 1_190_000),
    gain: number('Points added in the window; points removed on a board that ranks low scores first.', 14_455),
  })
  .openapi('LeaderboardGain', { description: 'The gain of a player on a board.' });

const instantOrNull = (description: string) => z.number().int().nullable().openapi({ description, example: EXAMPLE_ANCHOR });

export const GainsBody = z
  .object({
    uuid: integer('Number of the board.', 1),
    name: z.string().nullable().openapi({ description: 'Name of the board; null without a capture.', example: 'TROVE MASTERY POINTS' }),
    days: integer('Requested length of the period.', 7),
    window_start: instantOrNull(
      'Exact start of the window (unix seconds): the earlier capture, or the last reset after it; null without a comparison.',
    ),
    window_end: instantOrNull('Exact end of the window (unix seconds): the newest capture of the board; null if there is none.'),
    reset_at: instantOrNull('Last reset in the period (unix seconds); gains count from it. Null if there is none.'),
    comparable: flag('Whether the gains are known.', true),
    reason: comparisonReason,
    higher_is_better: flag('Whether the board ranks high scores first.', true),
    items: z.array(GainBody).openapi({ description: 'The largest gains; equal gains by rank, then by name.' }),
    count: integer('Number of items.', 20),
    total: integer('Number of players with a gain.', 4120),
    new_players: integer('Number of players without a row at the start of the window; their gain is unknown.', 37),
  })
  .openapi('LeaderboardGains', { description: 'The largest gains on a board between two captures.' });

/** `report`: null for a board without captures. */
export function toGainsBody(uuid: number, days: number, report: GainsReport | null): z.infer<typeof GainsBody> {
  const items = (report?.items ?? []).map(({ place, rank, playerName, score, prevRank, prevScore, gain }) => ({
    place,
    rank,
    player_name: playerName,
    score,
    prev_rank: prevRank,
    prev_score: prevScore,
    gain,
  }));
  const reason = report?.reason ?? 'no_prior_snapshot';
  return {
    uuid,
    name: report?.board.name ?? null,
    days,
    window_start: report?.start ?? null,
    window_end: report?.end ?? null,
    reset_at: report?.resetAt ?? null,
    comparable: reason === 'ok',
    reason,
    higher_is_better: report?.higherIsBetter ?? true,
    items,
    count: items.length,
    total: report?.total ?? 0,
    new_players: report?.newPlayers ?? 0,
  };
}

export function toHealthBody(report: HealthReport, overrides: ResetOverrides): z.infer<typeof HealthBody> {
  const { board, comparison } = report;
  return {
    uuid: board.uuid,
    name: board.name,
    category: board.category,
    reset_kind: resetKindOf(board.uuid, overrides),
    anchor: report.anchor,
    prev_anchor: comparison.prevAnchor,
    comparable: comparison.comparable,
    comparison_reason: comparison.reason,
    population: report.population,
    sample_size: report.sampleSize,
    leader_share: report.leaderShare,
    p1_pn_ratio: report.p1PnRatio,
    gini: report.gini,
    new_entrants: report.newEntrants,
    turnover_rate: report.turnoverRate,
    median_score_gain: report.medianScoreGain,
    median_score_gain_pct: report.medianScoreGainPct,
  };
}

const masteryFields = {
  points: integer('Points, rounded.', 1_204_455),
  level: integer('Level reached with the points.', 2188),
  points_into_level: integer('Points beyond that level.', 75),
  points_to_next_level: integer('Points to the next level.', 1020),
  player_name: string('Name of the player.', 'Nimbus'),
  anchor: instant('Capture of the record'),
};

const MasteryBody = z.object(masteryFields).openapi('MasteryRecord', { description: 'Rank 1 of a mastery board.' });
const GeodeMasteryBody = z
  .object({
    ...masteryFields,
    level: integer('Level in the game, at most 100.', 100),
    points_into_level: integer('Points beyond the uncapped level.', 20),
    points_to_next_level: integer('Points to the next uncapped level.', 80),
    level_cap: integer('Maximum level of the game.', GEODE_LEVEL_CAP),
    uncapped_level: integer('Level without the cap.', 131),
    capped: flag('Whether the level is capped.', true),
  })
  .openapi('GeodeMasteryRecord', { description: 'Rank 1 of the board of Geode Mastery.' });
const PowerRankBody = z
  .object({
    value: integer('Power rank, rounded.', 51_204),
    board_uuid: integer('Board of the power rank.', 1003),
    player_name: string('Name of the player.', 'Oriole'),
    anchor: instant('Capture of the record'),
  })
  .openapi('PowerRankRecord', { description: 'The highest power rank of all classes.' });

export const RecordsBody = z
  .object({
    mastery: orNull(MasteryBody, 'Rank 1 of board 1; null if the newest capture lacks the board.'),
    geode_mastery: orNull(GeodeMasteryBody, 'Rank 1 of board 20; null if the newest capture lacks the board.'),
    power_rank: orNull(PowerRankBody, 'Highest value of boards 1000 to 1017; null if the newest capture has none of them.'),
  })
  .openapi('LeaderboardRecords', { description: 'Current records.' });

function toMasteryBody({ score, playerName, anchor }: Leader): z.infer<typeof MasteryBody> {
  const { level, pointsIntoLevel, pointsToNextLevel } = masteryLevel(score);
  const points = { points: Math.round(score), level, points_into_level: pointsIntoLevel, points_to_next_level: pointsToNextLevel };
  return { ...points, player_name: playerName, anchor };
}

export function toRecordsBody({ mastery, geodeMastery, powerRank }: Records): z.infer<typeof RecordsBody> {
  const geode = geodeMastery && geodeLevel(geodeMastery.score);
  return {
    mastery: mastery && toMasteryBody(mastery),
    geode_mastery:
      geodeMastery && geode
        ? {
            ...toMasteryBody(geodeMastery),
            level: geode.level,
            level_cap: GEODE_LEVEL_CAP,
            uncapped_level: geode.uncappedLevel,
            capped: geode.capped,
          }
        : null,
    power_rank: powerRank && {
      value: Math.round(powerRank.score),
      board_uuid: powerRank.uuid,
      player_name: powerRank.playerName,
      anchor: powerRank.anchor,
    },
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
    entries: z.number().int().nullable().openapi({ description: 'Rows of the board; null for `admin_excluded`.', example: 12 }),
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
    anchor: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'Analysed capture (unix seconds); null before the first.', example: 1_773_140_400 }),
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
