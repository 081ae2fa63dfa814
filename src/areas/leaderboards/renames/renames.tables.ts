import { sql } from 'drizzle-orm';
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { backedUp } from '../../../platform/kit/backup-decision.ts';
import type { TableDeclarations } from '../../../platform/kit/table-declaration.ts';
import * as shapes from '../../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../../platform/storage/json-column.ts';
import type { RenameEvidence } from './renames.domain.ts';

/** Detected renames of players. Keys are names in lower case. Bound: a few rows per capture. */
export const playerRenames = sqliteTable(
  'player_renames',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    fromKey: text('from_key').notNull(),
    toKey: text('to_key').notNull(),
    fromName: text('from_name').notNull(),
    toName: text('to_name').notNull(),
    fromAnchor: integer('from_anchor').notNull(),
    toAnchor: integer('to_anchor').notNull(),
    confidence: real('confidence').notNull(),
    matchedBoards: integer('matched_boards').notNull(),
    methodVersion: integer('method_version').notNull(),
    createdAt: integer('created_at').notNull(),
    evidence: jsonColumn('evidence', shapes.sentAsStored<RenameEvidence>()).notNull(),
  },
  (table) => [
    uniqueIndex('player_renames_pair').on(table.fromKey, table.toKey, table.toAnchor),
    index('player_renames_to').on(table.toKey),
    index('player_renames_list').on(sql`to_anchor desc`, sql`confidence desc`, sql`id desc`),
  ],
);

/** Backup, personal data and growth of the tables. */
export const renamesTables: TableDeclarations = {
  player_renames: {
    backup: backedUp('a search in all captures takes days'),
    personal: 'Leaderboards',
    growth: { by: 'renames, about four a capture', aYear: '20 MB', kept: 'permanently', afterwards: 'stays' },
  },
};
