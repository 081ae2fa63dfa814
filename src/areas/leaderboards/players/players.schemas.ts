import { z } from '@hono/zod-openapi';
import { orNull } from '../../../platform/http/bodies/body-schemas.ts';
import {
  BoardBody,
  EXAMPLE_ANCHOR,
  entryFields,
  flag,
  instant,
  integer,
  number,
  seriesPoints,
  string,
  toBoardBody,
  toEntryBody,
  toPointBodies,
  toWindowBody,
  windowFields,
} from '../boards/boards.schemas.ts';
import type { ResetOverrides } from '../boards/resets.domain.ts';
import type { HistoryItem, PlayerBoards, PlayerHistory, PlayerProfile, PlayerSeries } from './players.service.ts';

const playerName = string('Name of the player, as the newest row spells it.', 'Nimbus');

const slotFields = {
  slot: integer('Which of the rows of the name on this board, from 0; followed from capture to capture.', 0),
  slots: integer('Rows of the name on this board: 1 unless several characters share it.', 1),
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

export const PlayerHistoryBody = z
  .object({
    player_name: playerName,
    items: z.array(HistoryItemBody).openapi({ description: 'Rows of the player, newest capture first.' }),
    count: integer('Number of items.', 50),
  })
  .openapi('PlayerHistory', { description: 'Where a player stood.' });

export function toPlayerHistoryBody(history: PlayerHistory, overrides: ResetOverrides): z.infer<typeof PlayerHistoryBody> {
  const items = history.items.map((item) => toItemBody(item, overrides));
  return { player_name: history.playerName, items, count: items.length };
}

export const PlayerSeriesBody = z
  .object({
    player_name: string('The name asked for.', 'nimbus'),
    canonical_name: playerName,
    ...windowFields,
    anchors: z
      .array(z.number().int())
      .openapi({ description: 'Captures that have the player, oldest first (unix seconds).', example: [EXAMPLE_ANCHOR] }),
    duplicate_boards: z
      .array(z.number().int())
      .openapi({ description: 'Boards on which the name stands more than once: each of its rows has a line of its own.', example: [] }),
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
          .openapi('PlayerLine', { description: 'The line of a player on one board.' }),
      )
      .openapi({ description: 'One line a board and slot, best rank first.' }),
  })
  .openapi('PlayerSeries', { description: 'How a player moved on every board.' });

export function toPlayerSeriesBody(series: PlayerSeries): z.infer<typeof PlayerSeriesBody> {
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

const orNullInteger = (description: string, example: number) => z.number().int().nullable().openapi({ description, example });

const SummaryBody = z
  .object({
    boards_appeared: integer('Boards the player ever appeared on.', 8),
    appearances: integer('Rows in all captures, each board once a capture.', 4120),
    best_rank: orNullInteger('Best rank ever on any board; null for a name that no capture has.', 1),
    best_rank_board_uuid: orNullInteger('The board of that rank.', 1),
    best_rank_board_name: orNull(z.string(), 'Name of that board.').openapi({ example: 'TROVE MASTERY POINTS' }),
    top10_count: integer('Boards with a best rank up to 10.', 3),
    top100_count: integer('Boards with a best rank up to 100.', 6),
    latest_anchor: orNullInteger('Newest capture that has the player (unix seconds).', EXAMPLE_ANCHOR),
  })
  .openapi('PlayerSummary', { description: 'A player at a glance, over all captures.' });

const PersonalBestBody = z
  .object({
    leaderboard: integer('Number of the board.', 1),
    board_name: orNull(z.string(), 'Name of the board.').openapi({ example: 'TROVE MASTERY POINTS' }),
    category: orNull(z.string(), 'Category of the board.').openapi({ example: 'META' }),
    best_rank: integer('Best rank in any capture.', 1),
    latest_rank: integer('Rank in the newest capture that has the player on the board.', 2),
    latest_score: number('Score in that capture.', 1_204_455),
    appearances: integer('Captures that have the player on the board.', 515),
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
  summary: SummaryBody,
  boards: z.array(PersonalBestBody).openapi({ description: 'One item a board: best rank first, then the board seen last.' }),
};

export const PlayerBoardsBody = z
  .object({ player_name: playerName, ...boardsFields })
  .openapi('PlayerBoards', { description: 'Best, first and latest row of a player on every board.' });

export function toPlayerBoardsBody({ playerName: name, summary, boards }: PlayerBoards): z.infer<typeof PlayerBoardsBody> {
  const [best] = boards;
  return {
    player_name: name,
    summary: {
      boards_appeared: summary.boardsAppeared,
      appearances: summary.appearances,
      best_rank: summary.best?.bestRank ?? null,
      best_rank_board_uuid: summary.best?.uuid ?? null,
      best_rank_board_name: best?.board?.name ?? null,
      top10_count: summary.top10,
      top100_count: summary.top100,
      latest_anchor: summary.latestAnchor,
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

export const PlayerProfileBody = z
  .object({
    player_name: playerName,
    verified: flag('Whether an account has claimed the name and an administrator approved it. False: names cannot be claimed.', false),
    ...boardsFields,
    recent: z.array(RecentItemBody).openapi({ description: 'Rows of the last 7 days, newest first, the newest 200.' }),
  })
  .openapi('PlayerProfile', { description: 'What is known of a player.' });

export function toPlayerProfileBody({ recent, ...player }: PlayerProfile): z.infer<typeof PlayerProfileBody> {
  const { player_name, summary, boards } = toPlayerBoardsBody(player);
  const items = recent.map((item) => ({
    ...toEntryBody(item, item.board.uuid),
    leaderboard: item.board.uuid,
    board_name: item.board.name,
    created_at: item.createdAt,
  }));
  return { player_name, verified: false, summary, boards, recent: items };
}
