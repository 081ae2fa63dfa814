import { z } from '@hono/zod-openapi';
import { integer, integerOrNull, number, numberOrNull, orNull, string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { choice, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { GAIN_PERIODS, GEODE_LEVEL_CAP } from '../leaderboards.data.ts';
import { geodeLevel, masteryLevel, type ResetOverrides, resetKindOf } from './boards.domain.ts';
import { overridesOf, publicBoardsRead } from './boards.routes.ts';
import { BoardPath, comparisonReason, EXAMPLE_ANCHOR, flag, instant, prevAnchor, ResetKind } from './boards.schemas.ts';
import type { BoardsService, GainsReport, HealthReport, Records } from './boards.service.ts';
import type { Leader } from './boards.store.ts';

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
    leader_share: numberOrNull('Share of the leader in the sum of the scores; null if the sum is 0.', 0.0213),
    p1_pn_ratio: numberOrNull('First score divided by the last of the sample; null if the last is 0.', 1.0721),
    gini: numberOrNull('Gini coefficient of the scores, 0 to 1; null if the sum is 0.', 0.0142),
    new_entrants: integerOrNull('Players new to the board; null without a comparison.', 2),
    turnover_rate: numberOrNull('Share of new players in the sample; null without a comparison.', 0.04),
    median_score_gain: numberOrNull('Median gain of the others; null without a comparison.', 1250.5),
    median_score_gain_pct: numberOrNull('Median gain of the others in percent; null without a comparison.', 0.11),
  })
  .openapi('LeaderboardHealth', { description: 'Health of a board, measured on its top rows.' });

/** Periods of the gains in days. */
const GAIN_DAYS = namedValues('LeaderboardGainDays', 'Length of a period in days.', GAIN_PERIODS);
const MAX_GAINS = 100;

const GainsQuery = z.object({
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
    prev_rank: integerOrNull('Rank at the start of the window; null since a reset.', 15),
    prev_score: number('Score at the start of the window; 0 since a reset.', 1_190_000),
    gain: number('Points added in the window; points removed on a board that ranks low scores first.', 14_455),
  })
  .openapi('LeaderboardGain', { description: 'The gain of a player on a board.' });

const instantOrNull = (description: string) => z.number().int().nullable().openapi({ description, example: EXAMPLE_ANCHOR });

const GainsBody = z
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

function toHealthBody(report: HealthReport, overrides: ResetOverrides): z.infer<typeof HealthBody> {
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

const RecordsBody = z
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

function toRecordsBody({ mastery, geodeMastery, powerRank }: Records): z.infer<typeof RecordsBody> {
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

/** Cache lifetime of the records; captures are an hour apart. */
const RECORDS_MAX_AGE_SECONDS = 900;
const GAINS_MAX_AGE_SECONDS = 300;

/** Endpoints of health, gains and records. */
export function createInsightEndpoints(service: BoardsService): Endpoint[] {
  return [
    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards/{uuid}/health',
      operationId: 'getLeaderboardHealth',
      summary: 'Get leaderboard health',
      description: 'Returns competition and movement figures, measured on the first 50 rows of the newest capture of the board.',
      params: BoardPath,
      errors: ['not_found', 'service_unavailable'],
      ok: { description: 'The figures.', schema: HealthBody },
    }).handle(async ({ params, settings }) => json(toHealthBody(await service.health(params.uuid, settings), overridesOf(settings)))),

    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards/{uuid}/gains',
      operationId: 'listLeaderboardGains',
      summary: 'List largest gains',
      description:
        'Lists the players of the newest capture of a board who gained most since the newest capture at least `days` older, or since the oldest capture if all are younger. After a reset in between, scores began at 0 and the gains count from the reset; a board that ranks low scores first has no gains then. Players without a row at the start are only counted.',
      params: BoardPath,
      query: GainsQuery,
      errors: ['not_found', 'service_unavailable'],
      ok: { description: 'The gains.', schema: GainsBody },
      table: listTable(GainsBody, 'items'),
    }).handle(async ({ params: { uuid }, query, settings }) =>
      json(toGainsBody(uuid, query.days, await service.gains(uuid, query, settings)), { maxAge: GAINS_MAX_AGE_SECONDS }),
    ),

    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards/records',
      operationId: 'getLeaderboardRecords',
      summary: 'List records',
      description:
        'Returns the leaders of the two mastery boards and of all power rank boards in the newest capture. Points and values are rounded to integers.',
      ok: { description: 'The records.', schema: RecordsBody },
    }).handle(async () => json(toRecordsBody(await service.records()), { maxAge: RECORDS_MAX_AGE_SECONDS })),
  ];
}
