import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Captures that can be read; the row of an anchor names the version of its data that counts. Bound: one row a capture, 8,760 a year. */
export const boardCaptures = sqliteTable(
  'board_captures',
  {
    anchor: integer('anchor').primaryKey(),
    /** Part of the keys of everything that belongs to the capture: a new upload writes beside the old one. */
    version: text('version').notNull(),
    /** SHA-256 of the dump. */
    digest: text('digest').notNull(),
    boards: integer('boards').notNull(),
    entries: integer('entries').notNull(),
    /** Parts by name hash that its players lie in. */
    playerShards: integer('player_shards').notNull(),
    visibleAt: integer('visible_at').notNull(),
    /** Where the raw dump lies; null once it was deleted. */
    rawKey: text('raw_key'),
    /** Objects of the whole game day that hold the boards and the players of the capture; null: it has its own. */
    boardPack: text('board_pack'),
    playerPack: text('player_pack'),
  },
  (table) => [
    // Unpacked captures come first: null sorts lowest.
    index('board_captures_board_pack').on(table.boardPack, table.anchor),
    index('board_captures_player_pack').on(table.playerPack, table.anchor),
    index('board_captures_raw_key').on(table.rawKey),
  ],
);

/** Names of a board, from the newest capture with the board. Bound: one row per board, some hundred. */
export const boards = sqliteTable('boards', {
  uuid: integer('uuid').primaryKey(),
  nameId: text('name_id').notNull(),
  name: text('name').notNull(),
  categoryId: text('category_id').notNull(),
  category: text('category').notNull(),
  /** Capture the texts are from. */
  anchor: integer('anchor').notNull(),
});

/**
 * One row for each board of a capture. Rows of a version that no capture names are not there for readers.
 * Bound: one row a board and capture, 1.4 million a year, about 220 MB a year.
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
