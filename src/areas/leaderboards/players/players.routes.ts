import { z } from '@hono/zod-openapi';
import { integer, integerOrNull, number, orNull, string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable, nestedTable } from '../../../platform/http/tables/table.ts';
import type { ResetOverrides } from '../boards/boards.domain.ts';
import { leaderboardsRead, overridesOf, publicBoardsRead } from '../boards/boards.routes.ts';
import {
  BoardBody,
  EXAMPLE_ANCHOR,
  entryFields,
  flag,
  instant,
  PlayerHistoryQuery,
  PlayerPath,
  PlayerSeriesQuery,
  seriesPoints,
  toBoardBody,
  toEntryBody,
  toPointBodies,
  toWindowBody,
  windowFields,
} from '../boards/boards.schemas.ts';
import type { HistoryItem, PlayerBoards, PlayerHistory, PlayerProfile, PlayerSeries, PlayersService } from './players.service.ts';
import type { PlayerClass, PlayerSigil } from './profile-figures.domain.ts';

const playerName = string('Name of the player, spelled as in the newest row.', 'Nimbus');

const slotFields = {
  slot: integer('Index of the row among those of the same name on this board, from 0, tracked across captures.', 0),
  slots: integer('Rows with this name on the board; 1 unless several characters share the name.', 1),
};

const HistoryItemBody = z
  .object({
    ...entryFields,
    leaderboard: integer('Number of the board.', 1),
    board_name: string('Name of the board.', 'TROVE MASTERY POINTS'),
    board: BoardBody,
    created_at: instant('Anchor of the capture'),
    ...slotFields,
  })
  .openapi('LeaderboardHistoryItem', { description: 'A row of a player on a board at a capture.' });

const toItemBody = (item: HistoryItem, overrides: ResetOverrides): z.infer<typeof HistoryItemBody> => ({
  ...toEntryBody(item, item.board.uuid),
  leaderboard: item.board.uuid,
  board_name: item.board.name,
  board: toBoardBody(item.board, overrides),
  created_at: item.createdAt,
  slot: item.slot,
  slots: item.slots,
});

const PlayerHistoryBody = z
  .object({
    player_name: playerName,
    items: z.array(HistoryItemBody).openapi({ description: 'Rows of the player, newest capture first.' }),
    count: integer('Number of items.', 50),
  })
  .openapi('PlayerHistory', { description: 'History of a player.' });

function toPlayerHistoryBody(history: PlayerHistory, overrides: ResetOverrides): z.infer<typeof PlayerHistoryBody> {
  const items = history.items.map((item) => toItemBody(item, overrides));
  return { player_name: history.playerName, items, count: items.length };
}

const PlayerSeriesBody = z
  .object({
    player_name: string('Requested name.', 'nimbus'),
    canonical_name: playerName,
    ...windowFields,
    anchors: z
      .array(z.number().int())
      .openapi({ description: 'Captures that contain the player, oldest first (unix seconds).', example: [EXAMPLE_ANCHOR] }),
    duplicate_boards: z
      .array(z.number().int())
      .openapi({ description: 'Boards on which the name appears more than once; each row has its own series.', example: [] }),
    series: z
      .array(
        z
          .object({
            uuid: integer('Number of the board.', 1),
            name: string('Name of the board.', 'TROVE MASTERY POINTS'),
            best_rank: integer('Best rank in the window.', 1),
            ...slotFields,
            points: seriesPoints,
          })
          .openapi('PlayerLine', { description: 'The series of a player on one board.' }),
      )
      .openapi({ description: 'One series per board and slot, best rank first.' }),
  })
  .openapi('PlayerSeries', { description: 'Series of a player on every board.' });

function toPlayerSeriesBody(series: PlayerSeries): z.infer<typeof PlayerSeriesBody> {
  return {
    player_name: series.playerName,
    canonical_name: series.canonicalName,
    ...toWindowBody(series),
    duplicate_boards: series.duplicateBoards,
    series: series.series.map(({ uuid, name, bestRank, slot, slots, points }) => ({
      uuid,
      name,
      best_rank: bestRank,
      slot,
      slots,
      points: toPointBodies(points),
    })),
  };
}

const SummaryBody = z
  .object({
    boards_appeared: integer('Number of boards the player ever appeared on.', 8),
    appearances: integer('Number of rows in all captures, each board once per capture.', 4120),
    best_rank: integerOrNull('Best rank ever on any board; null for an unknown name.', 1),
    best_rank_board_uuid: integerOrNull('Board of the best rank.', 1),
    best_rank_board_name: orNull(z.string(), 'Name of the board of the best rank.').openapi({ example: 'TROVE MASTERY POINTS' }),
    top10_count: integer('Number of boards with a best rank of 10 or better.', 3),
    top100_count: integer('Number of boards with a best rank of 100 or better.', 6),
    latest_anchor: integerOrNull('Newest capture that contains the player (unix seconds).', EXAMPLE_ANCHOR),
    last_played: integerOrNull('Newest capture in which a score of the player rose (unix seconds); null if none ever did.', EXAMPLE_ANCHOR),
  })
  .openapi('PlayerSummary', { description: 'Summary of a player over all captures.' });

const PersonalBestBody = z
  .object({
    leaderboard: integer('Number of the board.', 1),
    board_name: orNull(z.string(), 'Name of the board.').openapi({ example: 'TROVE MASTERY POINTS' }),
    category: orNull(z.string(), 'Category of the board.').openapi({ example: 'META' }),
    best_rank: integer('Best rank in any capture.', 1),
    latest_rank: integer('Rank in the newest capture with the player on the board.', 2),
    latest_score: number('Score in that capture.', 1_204_455),
    appearances: integer('Number of captures with the player on the board.', 515),
    first_seen: instant('Oldest of these captures'),
    last_seen: instant('Newest of these captures'),
  })
  .openapi('PlayerBest', { description: 'Best, first and latest row of a player on one board, over all captures.' });

const RecentItemBody = z
  .object({
    ...entryFields,
    leaderboard: integer('Number of the board.', 1),
    board_name: string('Name of the board.', 'TROVE MASTERY POINTS'),
    created_at: instant('Anchor of the capture'),
  })
  .openapi('PlayerRecentItem', { description: 'A row of a player on a board at a capture of the last days.' });

const boardsFields = {
  renamed_from: z.string().nullable().openapi({
    description: 'The requested name, if the response is about the name that it was renamed to; otherwise null.',
    example: null,
  }),
  summary: SummaryBody,
  boards: z.array(PersonalBestBody).openapi({ description: 'One item per board: best rank first, then most recently seen.' }),
};

const PlayerBoardsBody = z
  .object({ player_name: playerName, ...boardsFields })
  .openapi('PlayerBoards', { description: 'Best, first and latest row of a player on every board.' });

function toPlayerBoardsBody({ playerName: name, renamedFrom, summary, boards }: PlayerBoards): z.infer<typeof PlayerBoardsBody> {
  const [best] = boards;
  return {
    player_name: name,
    renamed_from: renamedFrom,
    summary: {
      boards_appeared: summary.boardsAppeared,
      appearances: summary.appearances,
      best_rank: summary.best?.bestRank ?? null,
      best_rank_board_uuid: summary.best?.uuid ?? null,
      best_rank_board_name: best?.board?.name ?? null,
      top10_count: summary.top10,
      top100_count: summary.top100,
      latest_anchor: summary.latestAnchor,
      last_played: summary.lastPlayed,
    },
    boards: boards.map(({ board, ...total }) => ({
      leaderboard: total.uuid,
      board_name: board?.name ?? null,
      category: board?.category ?? null,
      best_rank: total.bestRank,
      latest_rank: total.latestRank,
      latest_score: total.latestScore,
      appearances: total.appearances,
      first_seen: total.firstSeen,
      last_seen: total.lastSeen,
    })),
  };
}

const SigilBody = z
  .object({
    power_rank: integer('Highest Power Rank of a class, in the newest captures.', 31_250),
    power_rank_board: integer('Its board.', 1011),
    power_rank_class: string('Its class.', 'Lunar Lancer'),
    main_mastery: integer('Level of the main mastery.', 760),
    geode_mastery: integer('Level of Geode Mastery, not capped.', 84),
    mastery: integer('Total mastery: the sum, with Geode Mastery at most at 100.', 844),
  })
  .openapi('PlayerSigil', { description: 'What the sigil of a player shows; see `/v1/stats/sigil`.' });

const PlayerClassBody = z
  .object({
    class_index: integer('Number of the class in the game.', 11),
    name: string('Name of the class.', 'Lunar Lancer'),
    icon: z.string().nullable().openapi({ description: 'URL of an image of the class, or null.', example: null }),
    power_rank_board: integerOrNull('Power Rank board of the class; null if it does not list the player.', 1011),
    effort_board: integerOrNull('Effort board of the class; null if it does not list the player.', 4011),
    paragon_board: integerOrNull('Paragon board of the class; null if it does not list the player.', 5011),
  })
  .openapi('PlayerClass', { description: 'A class of a player.' });

const PlayerProfileBody = z
  .object({
    player_name: playerName,
    verified: flag('Not implemented; always `false`.', false),
    ...boardsFields,
    sigil: orNull(SigilBody, 'Null unless Power Rank and both masteries are known, and if several players have the name.'),
    classes: z
      .array(PlayerClassBody)
      .openapi({ description: 'Classes of the player by Power Rank, highest first; those without one last.' }),
    recent: z.array(RecentItemBody).openapi({ description: 'Rows of the last 7 days, newest first, the newest 200.' }),
  })
  .openapi('PlayerProfile', { description: 'Profile of a player.' });

function toSigilBody(sigil: PlayerSigil): z.infer<typeof SigilBody> {
  return {
    power_rank: sigil.powerRank,
    power_rank_board: sigil.powerRankBoard,
    power_rank_class: sigil.powerRankClass,
    main_mastery: sigil.mainMastery,
    geode_mastery: sigil.geodeMastery,
    mastery: sigil.mastery,
  };
}

const toClassBody = ({ classIndex, name, powerRankBoard, effortBoard, paragonBoard }: PlayerClass): z.infer<typeof PlayerClassBody> => ({
  class_index: classIndex,
  name,
  icon: null,
  power_rank_board: powerRankBoard,
  effort_board: effortBoard,
  paragon_board: paragonBoard,
});

function toPlayerProfileBody({ recent, ...player }: PlayerProfile): z.infer<typeof PlayerProfileBody> {
  const { player_name, renamed_from, summary, boards } = toPlayerBoardsBody(player);
  const items = recent.map((item) => ({
    ...toEntryBody(item, item.board.uuid),
    leaderboard: item.board.uuid,
    board_name: item.board.name,
    created_at: item.createdAt,
  }));
  const sigil = player.sigil && toSigilBody(player.sigil);
  return { player_name, verified: false, renamed_from, summary, boards, sigil, classes: player.classes.map(toClassBody), recent: items };
}

const TOTALS =
  'A name that was renamed and not seen since leads to the later name; `renamed_from` is then the requested one. Captures that were inserted late, replaced or deleted are included after the daily rebuild.';

/** Endpoints of players: history, series, profile and boards. */
export function createPlayerEndpoints(service: PlayersService): Endpoint[] {
  return [
    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/players/{name}/history',
      operationId: 'listPlayerHistory',
      summary: 'List player history',
      description:
        'Lists the rows of a player, newest capture first, each compared like board entries. Empty for an unknown name. Covers the last 400 captures, or game days once they are packed.',
      params: PlayerPath,
      query: PlayerHistoryQuery,
      errors: ['service_unavailable'],
      ok: { description: 'The rows.', schema: PlayerHistoryBody },
      table: listTable(PlayerHistoryBody, 'items'),
    }).handle(async ({ params, query, settings }) => {
      const history = await service.history(params.name, { uuid: query.uuid, limit: query.limit }, settings);
      return json(toPlayerHistoryBody(history, overridesOf(settings)));
    }),

    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/players/{name}/series',
      operationId: 'getPlayerSeries',
      summary: 'Get a player series',
      description:
        'Returns rank and score of a player on every board over the days before the newest capture. Boards that reset get synthetic points at each reset. A name that appears several times on a board has one series per row, numbered by `slot`.',
      params: PlayerPath,
      query: PlayerSeriesQuery,
      errors: ['service_unavailable'],
      ok: { description: 'The series.', schema: PlayerSeriesBody },
      table: nestedTable(PlayerSeriesBody, 'series', 'points'),
    }).handle(async ({ params, query, settings, now }) =>
      json(toPlayerSeriesBody(await service.series(params.name, query.days, settings, now))),
    ),

    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards/players/{name}/profile',
      operationId: 'getPlayerProfile',
      summary: 'Get a player profile',
      description: `Returns the best, first and latest row of a player on every board over all captures, and the rows of the last 7 days, compared with the rows of the previous game day. Empty for an unknown name. ${TOTALS}`,
      params: PlayerPath,
      errors: ['service_unavailable'],
      ok: { description: 'The profile.', schema: PlayerProfileBody },
    }).handle(async ({ params, settings, now }) => json(toPlayerProfileBody(await service.profile(params.name, settings, now)))),

    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards/players/{name}/boards',
      operationId: 'getPlayerBoards',
      summary: 'List boards of a player',
      description: `Lists the best, first and latest row of a player on every board over all captures: the profile without recent rows. Empty for an unknown name. ${TOTALS}`,
      params: PlayerPath,
      errors: ['service_unavailable'],
      ok: { description: 'The boards.', schema: PlayerBoardsBody },
    }).handle(async ({ params, settings }) => json(toPlayerBoardsBody(await service.boards(params.name, settings)))),
  ];
}
