import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp, references } from '../../platform/kit/backup-decision.ts';
import type { TableDeclarations } from '../../platform/kit/table-declaration.ts';

/** Published captures: the row of an anchor has its published version. Bound: one row per capture, 8,760 per year. */
export const boardCaptures = sqliteTable(
  'board_captures',
  {
    anchor: integer('anchor').primaryKey(),
    /** Part of the keys of all data of the capture, so that a new upload does not overwrite the published one. */
    version: text('version').notNull(),
    /** SHA-256 of the dump. */
    digest: text('digest').notNull(),
    boards: integer('boards').notNull(),
    entries: integer('entries').notNull(),
    /** Number of player shards. */
    playerShards: integer('player_shards').notNull(),
    visibleAt: integer('visible_at').notNull(),
    /** Key of the raw dump; null after its deletion. */
    rawKey: text('raw_key'),
    /** Packs with the boards and the players of the capture; null: not packed. */
    boardPack: text('board_pack'),
    playerPack: text('player_pack'),
  },
  (table) => [
    // Null sorts lowest, so unpacked captures come first.
    index('board_captures_board_pack').on(table.boardPack, table.anchor),
    index('board_captures_player_pack').on(table.playerPack, table.anchor),
    index('board_captures_raw_key').on(table.rawKey),
  ],
);

/** Names of boards, as of the newest capture with the board. Bound: one row per board, a few hundred. */
export const boards = sqliteTable(
  'boards',
  {
    uuid: integer('uuid').primaryKey(),
    nameId: text('name_id').notNull(),
    name: text('name').notNull(),
    categoryId: text('category_id').notNull(),
    category: text('category').notNull(),
    /** The newest capture with the board. The names are from there, unless their capture was deleted. */
    anchor: integer('anchor').notNull(),
  },
  (table) => [index('boards_anchor').on(table.anchor)],
);

/**
 * Boards of captures. Rows of unpublished versions are invisible to reads.
 * Bound: one row per board and capture, 1.4 million and about 220 MB per year.
 */
export const captureBoards = sqliteTable(
  'capture_boards',
  {
    uuid: integer('uuid').notNull(),
    anchor: integer('anchor').notNull(),
    version: text('version').notNull(),
    entries: integer('entries').notNull(),
    contestType: text('contest_type', { enum: ['daily', 'weekly'] }),
    /** The first row; null for an empty board. */
    leaderName: text('leader_name'),
    leaderScore: real('leader_score'),
  },
  (table) => [
    primaryKey({ columns: [table.uuid, table.anchor, table.version] }),
    index('capture_boards_capture').on(table.anchor, table.version),
    index('capture_boards_contests').on(table.uuid, table.anchor).where(sql`${table.contestType} is not null`),
  ],
);

/** Backup, personal data and growth of the tables. */
export const leaderboardsTables: TableDeclarations = {
  board_captures: {
    backup: backedUp('directory of the captures in BOARDS'),
    personal: 'Leaderboards',
    growth: { by: 'hourly captures', aYear: '2 MB', kept: 'permanently', afterwards: 'stays; the rows of boards are in R2' },
  },
  boards: {
    backup: backedUp('names of boards'),
    personal: 'Leaderboards',
    growth: { by: 'boards of the game', aYear: 'none', kept: 'while a capture has them', afterwards: 'deleted with the last capture' },
  },
  capture_boards: {
    backup: backedUp('directory of the captures in BOARDS', references('anchor, version', 'board_captures', 'anchor, version')),
    personal: 'Leaderboards',
    growth: {
      by: 'boards of hourly captures, 165 each',
      aYear: '220 MB',
      kept: 'permanently',
      afterwards: 'stays; a deleted capture takes its rows along',
    },
  },
};
