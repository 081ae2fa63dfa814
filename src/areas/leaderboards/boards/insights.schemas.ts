import { z } from '@hono/zod-openapi';
import { enumOf, namedEnum, orNull } from '../../../platform/http/bodies/body-schemas.ts';
import { ANOMALY_METHOD, EVIDENCE_TYPES } from '../anomalies/anomalies.data.ts';
import type { AnomalyReport } from '../anomalies/anomalies.service.ts';
import { confidenceOf } from '../anomalies/anomaly-report.domain.ts';
import { GEODE_LEVEL_CAP } from '../leaderboards.data.ts';
import { resetKindOf } from './board-order.domain.ts';
import type { BoardAt, Leader } from './boards.repository.ts';
import { ContestType, comparisonReason, flag, instant, integer, number, prevAnchor, ResetKind, string } from './boards.schemas.ts';
import type { HealthReport, Records } from './boards.service.ts';
import type { ResetOverrides } from './resets.domain.ts';
import { geodeLevel, masteryLevel } from './scores.domain.ts';

const orNullNumber = (description: string, example: number) => z.number().nullable().openapi({ description, example });

export const HealthBody = z
  .object({
    uuid: integer('Number of the board.', 1),
    name: string('Name of the board.', 'TROVE MASTERY POINTS'),
    category: string('Its category.', 'META'),
    reset_kind: ResetKind,
    anchor: instant('Newest capture of the board'),
    prev_anchor: prevAnchor,
    comparable: flag('Whether the sample is compared with an earlier game day.', true),
    comparison_reason: comparisonReason,
    population: integer('Rows of the board.', 20_000),
    sample_size: integer('Rows measured, from the top: 50 at most.', 50),
    leader_share: orNullNumber('Share of the leader in all scores of the sample; null when they sum up to nothing.', 0.0213),
    p1_pn_ratio: orNullNumber('First score through the last of the sample; null when the last is 0.', 1.0721),
    gini: orNullNumber('Inequality of the scores, 0 to 1; null when they sum up to nothing.', 0.0142),
    new_entrants: z.number().int().nullable().openapi({ description: 'Players new to the board; null without a comparison.', example: 2 }),
    turnover_rate: orNullNumber('Their share of the sample; null without a comparison.', 0.04),
    median_score_gain: orNullNumber('Median gain of the others; null without a comparison.', 1250.5),
    median_score_gain_pct: orNullNumber('Median gain of the others in percent; null without a comparison.', 0.11),
  })
  .openapi('LeaderboardHealth', { description: 'How a board fares, measured on its top rows.' });

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
  level: integer('Level they make.', 2188),
  points_into_level: integer('Points beyond that level.', 75),
  points_to_next_level: integer('Points to the next level.', 1020),
  player_name: string('Name of the player.', 'Nimbus'),
  anchor: instant('Capture of the record'),
};

const MasteryBody = z.object(masteryFields).openapi('MasteryRecord', { description: 'Rank 1 of a mastery board.' });
const GeodeMasteryBody = z
  .object({
    ...masteryFields,
    level: integer('Level they make in the game, 100 at most.', 100),
    points_into_level: integer('Points beyond the uncapped level.', 20),
    points_to_next_level: integer('Points to the next uncapped level.', 80),
    level_cap: integer('Highest level of the game.', GEODE_LEVEL_CAP),
    uncapped_level: integer('Level without the cap.', 131),
    capped: flag('Whether the cap takes effect.', true),
  })
  .openapi('GeodeMasteryRecord', { description: 'Rank 1 of the board of Geode Mastery.' });
const PowerRankBody = z
  .object({
    value: integer('Power rank, rounded.', 51_204),
    board_uuid: integer('Board it stands on.', 1003),
    player_name: string('Name of the player.', 'Oriole'),
    anchor: instant('Capture of the record'),
  })
  .openapi('PowerRankRecord', { description: 'The highest power rank of all classes.' });

export const RecordsBody = z
  .object({
    mastery: orNull(MasteryBody, 'Rank 1 of board 1; null when the newest capture lacks it.'),
    geode_mastery: orNull(GeodeMasteryBody, 'Rank 1 of board 20; null when the newest capture lacks it.'),
    power_rank: orNull(PowerRankBody, 'The best of boards 1000 to 1017; null when the newest capture has none of them.'),
  })
  .openapi('LeaderboardRecords', { description: 'Who is best of all.' });

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

const confidence = number('How much it says, 0 to 1.', 0.731);

const EvidenceBody = z
  .object({
    type: enumOf(EVIDENCE_TYPES).openapi({
      description: 'The unusual figure: the score, the gap to the next rank, the gain an hour, or the share of active hours.',
      example: 'rank_gap',
    }),
    summary: string('In words.', '14.2 times the typical gap to the next rank'),
    measurements: z.record(z.string(), z.union([z.number(), z.boolean()])).openapi({
      description: 'The figures; which ones depends on the type.',
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
  .openapi('AnomalyEvidence', { description: 'One unusual figure.' });

const FlaggedBoardBody = z
  .object({
    uuid: integer('Number of the board.', 1),
    name: string('Name of the board.', 'TROVE MASTERY POINTS'),
    category: string('Its category.', 'META'),
    contest_type: ContestType.nullable().openapi({ description: 'The contest it is part of.', example: null }),
    rank: integer('Rank of the player.', 1),
    score: number('Score of the player.', 1_204_455),
    confidence,
    evidence: z.array(EvidenceBody).openapi({ description: 'What is unusual there.' }),
  })
  .openapi('AnomalyBoard', { description: 'What is unusual about a player on one board.' });

const analysisFields = {
  uuid: integer('Number of the board.', 10_003),
  name: string('Name of the board.', 'BOARD 10003'),
  category: string('Its category.', 'STATS'),
  reset_kind: namedEnum('AnalyzedResetKind', 'When an analysed board is emptied.', ['daily', 'weekly', 'default', 'none']).openapi({
    description: 'When the board is emptied: daily, weekly, never (`default`), or never by the setting of an administrator (`none`).',
    example: 'weekly',
  }),
  contest_type: ContestType.nullable().openapi({ description: 'The contest it is part of.', example: null }),
};

const AnalyzedBoardBody = z
  .object({ ...analysisFields, entries: integer('Rows of the board.', 20_000) })
  .openapi('AnalyzedBoard', { description: 'A board that was analysed.' });

const ExcludedBoardBody = z
  .object({
    ...analysisFields,
    reason: namedEnum('BoardExclusionReason', 'Why a board is not analysed.', ['admin_excluded', 'below_min_size']).openapi({
      description: 'Why it was left out: an administrator excluded it, or it has too few rows.',
      example: 'below_min_size',
    }),
    entries: z.number().int().nullable().openapi({ description: 'Rows of the board; null for `admin_excluded`.', example: 12 }),
  })
  .openapi('ExcludedBoard', { description: 'A board that was left out of the analysis.' });

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
            leaderboards: z.array(FlaggedBoardBody).openapi({ description: 'Where.' }),
          })
          .openapi('AnomalyPlayer', { description: 'A player with unusual figures.' }),
      )
      .openapi({ description: 'The 500 most certain, most certain first.' }),
    clusters: z
      .array(z.record(z.string(), z.unknown()))
      .openapi({ description: 'Groups of players who move alike. They are not searched for: always empty.', example: [] }),
    clusters_boards_scanned: integer('Boards searched for such groups: always 0.', 0),
    computed_at: instant('When the figures were computed'),
    anchor: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'Capture they are of (unix seconds); null before the first.', example: 1_773_140_400 }),
    method: string('What was done, and what it does not mean.', ANOMALY_METHOD),
    config: z
      .object({
        z_threshold: number('Modified z-score from which a score is unusual.', 5),
        velocity_multiplier: number('Times the gain of fast peers from which a gain is unusual.', 10),
        min_board_size: integer('Smaller boards are not analysed.', 20),
      })
      .openapi('AnomalyConfig', { description: 'The thresholds in force.' }),
    total_flagged: integer('Players with unusual figures.', 12),
    boards_analyzed: integer('Boards analysed.', 160),
    boards_excluded: integer('Boards that an administrator excluded.', 0),
    analyzed_boards: z.array(AnalyzedBoardBody).openapi({ description: 'Boards analysed, by category and name.' }),
    excluded_boards: z.array(ExcludedBoardBody).openapi({ description: 'Boards of players left out, by category and name.' }),
  })
  .openapi('LeaderboardAnomalies', { description: 'Unusual figures in the newest capture: statistics, not accusations.' });

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
    clusters: [],
    clusters_boards_scanned: 0,
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
  };
}
