import { z } from '@hono/zod-openapi';
import { integer, integerOrNull, namedEnum, number, numberOrNull, string } from '../../../platform/http/bodies/body-schemas.ts';
import { choice, integerWithDefault, optionalInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Comparison, Entry, SeriesPoint } from './boards.domain.ts';
import { BOARD_SORTS, delveOf, isPlayerBoard, type ResetOverrides, resetKindOf } from './boards.domain.ts';
import type { StoredBoard } from './boards.store.ts';

export const EXAMPLE_ANCHOR = 1_773_140_400;

export const flag = (description: string, example: boolean) => z.boolean().openapi({ description, example });
export const instant = (description: string) => integer(`${description} (unix seconds).`, EXAMPLE_ANCHOR);

const MAX_UUID = 999_999_999_999_999;

/** Digits only: the API does not serve boards with a negative uuid. */
export const BoardPath = z.object({
  uuid: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a leaderboard number')
    .transform(Number)
    .openapi({ type: 'integer', minimum: 0, maximum: MAX_UUID, description: 'Number of the leaderboard.', example: 1 }),
});

export const PlayerPath = z.object({
  name: z.string().min(1).max(200).openapi({ description: 'Name of the player; case-insensitive, trimmed.', example: 'Nimbus' }),
});

/** Accepts instants below 1: the handler rejects them with 400 instead of 422. */
const instantParameter = (description: string, extension: { 'x-sample'?: true } = {}) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be an integer (unix seconds)')
    .transform(Number)
    .optional()
    .openapi({ type: 'integer', minimum: 1, description, example: EXAMPLE_ANCHOR, ...extension });

/** Selects a capture; the newest without both. */
const captureFields = {
  created_at: instantParameter(
    'Anchor of the capture (unix seconds), truncated to the minute. Midnight UTC means 11:00 of the same date unless there is a capture at midnight.',
  ),
  at: instantParameter('Any time (unix seconds); selects the newest capture at or before it. Ignored if `created_at` is given.', {
    'x-sample': true,
  }),
};

const days = integerWithDefault({ min: 1, max: 30, default: 7, description: 'Days before the newest capture.', example: 7 });

export const TimestampsQuery = z.object({
  limit: integerWithDefault({ min: 1, max: 365, default: 60, description: 'Maximum number of anchors, 1 to 365.', example: 60 }),
});
export const BoardsQuery = z.object({
  ...captureFields,
  sort: choice(BOARD_SORTS, { description: 'Sort order: display order of the game, name or number.', example: 'order' }).default('order'),
});
export const EntriesQuery = z.object({
  ...captureFields,
  limit: integerWithDefault({
    min: 1,
    max: 1000,
    default: 100,
    description: 'Maximum number of rows on the page, 1 to 1000.',
    example: 100,
  }),
  offset: integerWithDefault({ min: 0, max: 1_000_000_000, default: 0, description: 'Number of rows to skip.', example: 0 }),
});
export const BoardHistoryQuery = z.object({
  days,
  top: integerWithDefault({
    min: 1,
    max: 20,
    default: 5,
    description: 'Number of players from the top of the newest capture, 1 to 20.',
    example: 5,
  }),
});
export const PlayerHistoryQuery = z.object({
  uuid: optionalInteger({ min: 0, max: MAX_UUID, description: 'Only this leaderboard.', example: 1 }),
  limit: integerWithDefault({ min: 1, max: 500, default: 50, description: 'Maximum number of rows, 1 to 500.', example: 50 }),
});
export const PlayerSeriesQuery = z.object({ days });

export const ContestType = namedEnum('LeaderboardContestKind', 'Kind of contest.', ['daily', 'weekly']);
export const ResetKind = namedEnum('LeaderboardResetKind', 'Reset cadence of a board.', ['daily', 'weekly', 'default']).openapi({
  description: 'Reset cadence of the board: daily at 11:00 UTC, Mondays at 11:00 UTC, or never (`default`).',
  example: 'default',
});

const boardFields = {
  uuid: integer('Number of the board.', 1),
  name_id: string('Id of the name in the game.', 'Leaderboard_MetaExperience'),
  name: string('Display name in the game.', 'TROVE MASTERY POINTS'),
  category_id: string('Id of the category in the game.', 'Leaderboard_Category_Meta'),
  category: string('Display name of the category in the game.', 'META'),
  contest_type: ContestType.nullable().openapi({ description: 'Contest of the board; null for none.', example: null }),
  reset_kind: ResetKind,
  player_board: flag('`false` for boards that rank clubs.', true),
};

export const BoardBody = z.object(boardFields).openapi('Leaderboard', { description: 'A leaderboard.' });

export function toBoardBody(board: StoredBoard, overrides: ResetOverrides): z.infer<typeof BoardBody> {
  return {
    uuid: board.uuid,
    name_id: board.nameId,
    name: board.name,
    category_id: board.categoryId,
    category: board.category,
    contest_type: board.contestType,
    reset_kind: resetKindOf(board.uuid, overrides),
    player_board: isPlayerBoard(board.uuid),
  };
}

const ContestBody = z
  .object({
    time: instant('Anchor of the capture'),
    type: ContestType.openapi({ description: 'Kind of contest.', example: 'daily' }),
  })
  .openapi('LeaderboardContest', { description: 'A capture at which the board was a contest.' });

export const BoardDetailBody = z
  .object({
    ...boardFields,
    contests: z.array(ContestBody).openapi({ description: 'Newest 365 captures at which the board was a contest, newest first.' }),
  })
  .openapi('LeaderboardDetail', { description: 'A leaderboard with its contests.' });

export const TimestampsBody = z
  .object({
    items: z
      .array(z.number().int())
      .openapi({ description: 'Anchors of captures, newest first (unix seconds).', example: [EXAMPLE_ANCHOR] }),
    count: integer('Number of items.', 1),
  })
  .openapi('LeaderboardTimestamps', { description: 'Anchors of leaderboard captures.' });

const requestedAnchor = instant('Anchor of the capture; if there is none, the requested time, by default now');
const captureAnchor = integerOrNull('Anchor of the capture (unix seconds); null if there is none.', EXAMPLE_ANCHOR);

export const BoardsBody = z
  .object({
    created_at: requestedAnchor,
    anchor: captureAnchor,
    items: z.array(BoardBody).openapi({ description: 'Boards with entries, in the order of the game.' }),
    count: integer('Number of items.', 165),
  })
  .openapi('Leaderboards', { description: 'The leaderboards of a capture.' });

const DelveBody = z
  .object({ depth: integer('Depth reached.', 153), minutes: number('Time needed, one decimal.', 42.5) })
  .openapi('LeaderboardDelve', { description: 'Meaning of the score of a delve board.' });

export const entryFields = {
  rank: integer('Rank in the game.', 1),
  player_name: string('Name of the player or club.', 'Nimbus'),
  score: number('Score; some boards rank low scores first.', 1_204_455),
  prev_rank: integerOrNull('Rank on the previous game day; null without a comparison.', 2),
  prev_score: numberOrNull('Score on the previous game day; null without a comparison.', 1_200_000),
  rank_delta: integerOrNull('Ranks gained since then; null without a comparison.', 1),
  score_delta: numberOrNull('Score gained since then; null without a comparison.', 4455),
  is_new: flag('Whether the player was not on the board on the previous game day; `false` without a comparison.', false),
  delve: DelveBody.optional(),
};

export const EntryBody = z.object(entryFields).openapi('LeaderboardEntry', { description: 'A row of a leaderboard.' });

export function toEntryBody(entry: Entry, uuid: number): z.infer<typeof EntryBody> {
  const delve = delveOf(uuid, entry.score);
  return {
    rank: entry.rank,
    player_name: entry.playerName,
    score: entry.score,
    prev_rank: entry.prevRank,
    prev_score: entry.prevScore,
    rank_delta: entry.rankDelta,
    score_delta: entry.scoreDelta,
    is_new: entry.isNew,
    ...(delve ? { delve } : {}),
  };
}

export const comparisonReason = namedEnum('LeaderboardComparisonReason', 'Whether the comparison is available.', [
  'ok',
  'no_prior_snapshot',
  'crossed_reset',
]).openapi({
  description: '`ok`, or the reason for no comparison: no earlier capture of the board, or a reset since then.',
  example: 'ok',
});
export const prevAnchor = integerOrNull(
  'Newest capture of the board before the game day (unix seconds); null if there is none.',
  1_773_136_800,
);

const ComparisonBody = z
  .object({ comparable: flag('Whether the comparison is available.', true), prev_anchor: prevAnchor, reason: comparisonReason })
  .openapi('LeaderboardComparison', { description: 'Capture that entries are compared with.' });

export function toComparisonBody({ comparable, prevAnchor, reason }: Comparison): z.infer<typeof ComparisonBody> {
  return { comparable, prev_anchor: prevAnchor, reason };
}

export const EntriesBody = z
  .object({
    uuid: integer('Number of the board.', 1),
    created_at: requestedAnchor,
    anchor: captureAnchor,
    items: z.array(EntryBody).openapi({ description: 'Rows of this page, by rank.' }),
    count: integer('Number of rows on this page.', 100),
    total: integer('Total number of rows of the board.', 20_000),
    comparison: ComparisonBody,
  })
  .openapi('LeaderboardEntries', { description: 'A page of a leaderboard.' });

const SeriesPointBody = z
  .object({
    created_at: instant('Time of the point'),
    rank: integer('Rank; 0 after a reset.', 3),
    score: number('Score.', 1_190_021.5),
    synthetic: flag('Whether the point is derived from a reset instead of a capture.', false),
  })
  .openapi('LeaderboardPoint', { description: 'Rank and score at a point in time.' });

export const seriesPoints = z.array(SeriesPointBody).openapi({ description: 'Points, oldest first.' });

export function toPointBodies(points: readonly SeriesPoint[]): z.infer<typeof SeriesPointBody>[] {
  return points.map(({ createdAt, rank, score, synthetic }) => ({ created_at: createdAt, rank, score, synthetic }));
}

export const windowFields = {
  days: integer('Length of the window.', 7),
  window_start: instant('Start of the window'),
  window_end: instant('End of the window: the newest capture'),
  anchors: z
    .array(z.number().int())
    .openapi({ description: 'Captures of the series, oldest first (unix seconds).', example: [EXAMPLE_ANCHOR] }),
};

export function toWindowBody(window: { days: number; windowStart: UnixSeconds; windowEnd: UnixSeconds; anchors: UnixSeconds[] }) {
  return { days: window.days, window_start: window.windowStart, window_end: window.windowEnd, anchors: window.anchors };
}

export const BoardHistoryBody = z
  .object({
    uuid: integer('Number of the board.', 1),
    ...windowFields,
    series: z
      .array(
        z
          .object({ player_name: string('Name of the player.', 'Nimbus'), current_rank: integer('Current rank.', 1), points: seriesPoints })
          .openapi('LeaderboardLine', { description: 'The series of one player.' }),
      )
      .openapi({ description: 'Players from the top of the newest capture, by rank.' }),
  })
  .openapi('LeaderboardHistory', { description: 'History of the leaders of a board.' });
