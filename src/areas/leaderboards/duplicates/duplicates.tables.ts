import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp } from '../../../platform/kit/backup-decision.ts';
import type { TableDeclarations } from '../../../platform/kit/table-declaration.ts';
import * as shapes from '../../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../../platform/storage/json-column.ts';
import { DUPLICATE_KINDS, DUPLICATE_VERDICTS, type DuplicateEvidence } from './duplicates.domain.ts';

/**
 * Names that a capture lists more than once or in several spellings, as found in that capture. Bound: 500 names per capture, normally
 * about 16.
 */
export const duplicateSightings = sqliteTable(
  'player_duplicate_sightings',
  {
    key: text('key').notNull(),
    anchor: integer('anchor').notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: DUPLICATE_KINDS }).notNull(),
    boards: integer('boards').notNull(),
    maxOccurrences: integer('max_occurrences').notNull(),
    /** A to Z. */
    spellings: jsonColumn('spellings', shapes.listOf(shapes.text)).notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.anchor] }), index('player_duplicate_sightings_capture').on(table.anchor)],
);

/** Sightings of a name, merged, and their analysis. The key is the name in lower case. Bound: some names per capture. */
export const playerDuplicates = sqliteTable(
  'player_duplicates',
  {
    key: text('key').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind', { enum: DUPLICATE_KINDS }).notNull(),
    verdict: text('verdict', { enum: DUPLICATE_VERDICTS }).notNull(),
    boards: integer('boards').notNull(),
    maxOccurrences: integer('max_occurrences').notNull(),
    /** A to Z. */
    spellings: jsonColumn('spellings', shapes.listOf(shapes.text)).notNull(),
    firstAnchor: integer('first_anchor').notNull(),
    lastAnchor: integer('last_anchor').notNull(),
    evidence: jsonColumn('evidence', shapes.sentAsStored<DuplicateEvidence>()).notNull(),
    /** Whether verdict and evidence are outdated. */
    isStale: integer('is_stale', { mode: 'boolean' }).notNull().default(false),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('player_duplicates_kind').on(table.kind, sql`last_anchor desc`, sql`boards desc`, table.name),
    index('player_duplicates_list').on(sql`last_anchor desc`, sql`boards desc`, table.name),
    index('player_duplicates_stale').on(table.isStale, sql`boards desc`, table.key),
  ],
);

/** Backup, personal data and growth of the tables. */
export const duplicatesTables: TableDeclarations = {
  player_duplicate_sightings: {
    backup: backedUp('a search in all captures takes days'),
    personal: 'Leaderboards',
    growth: {
      by: 'duplicate names, about 16 a capture',
      aYear: '25 MB',
      kept: 'permanently',
      afterwards: 'stays: the source of `player_duplicates`',
    },
  },
  player_duplicates: {
    backup: backedUp('analysed when the capture was the newest', { after: ['player_duplicate_sightings'] }),
    personal: 'Leaderboards',
    growth: {
      by: 'names that were ever duplicate',
      aYear: '1 MB',
      kept: 'while a capture has them',
      afterwards: 'deleted with the last sighting',
    },
  },
};
