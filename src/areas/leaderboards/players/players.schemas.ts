import { z } from '@hono/zod-openapi';
import { orNull } from '../../../platform/http/bodies/body-schemas.ts';
import {
  BoardBody,
  EXAMPLE_ANCHOR,
  entryFields,
  flag,
  instant,
  integer,
  seriesPoints,
  string,
  toBoardBody,
  toEntryBody,
  toPointBodies,
  toWindowBody,
  windowFields,
} from '../boards/boards.schemas.ts';
import type { ResetOverrides } from '../boards/resets.domain.ts';
import type { HistoryItem, PlayerHistory, PlayerProfile, PlayerSeries } from './players.service.ts';

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

const SummaryBody = z
  .object({
    boards: integer('Boards at the newest capture that has the player.', 8),
    best_rank: integer('Best rank among them.', 1),
    first_places: integer('Boards led.', 1),
    top_10: integer('Boards with a rank up to 10.', 3),
    top_100: integer('Boards with a rank up to 100.', 6),
    last_seen: instant('The newest capture that has the player'),
  })
  .openapi('PlayerSummary', { description: 'A player at a glance.' });

export const PlayerProfileBody = z
  .object({
    player_name: playerName,
    verified: flag('Whether the name stands in a capture, so that it is spelt as the game spells it.', true),
    summary: orNull(SummaryBody, 'The player at a glance; null for a name no capture has.'),
    boards: z.array(HistoryItemBody).openapi({ description: 'Rows at the newest capture that has the player, in the order of the game.' }),
    recent: z.array(HistoryItemBody).openapi({ description: 'The 20 newest rows.' }),
  })
  .openapi('PlayerProfile', { description: 'What is known of a player.' });

export function toPlayerProfileBody(
  { playerName, boards, items }: PlayerProfile,
  overrides: ResetOverrides,
): z.infer<typeof PlayerProfileBody> {
  const ranks = boards.map(({ rank }) => rank);
  const upTo = (rank: number) => ranks.filter((own) => own <= rank).length;
  const [newest] = boards;
  return {
    player_name: playerName,
    verified: newest !== undefined,
    summary: newest
      ? {
          boards: boards.length,
          best_rank: Math.min(...ranks),
          first_places: upTo(1),
          top_10: upTo(10),
          top_100: upTo(100),
          last_seen: newest.createdAt,
        }
      : null,
    boards: boards.map((item) => toItemBody(item, overrides)),
    recent: items.map((item) => toItemBody(item, overrides)),
  };
}
