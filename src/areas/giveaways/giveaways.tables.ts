import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { backedUp, references } from '../../platform/kit/backup-decision.ts';
import type { TableDeclarations } from '../../platform/kit/table-declaration.ts';
import { GIVEAWAY_STATUSES } from './giveaways.domain.ts';

/** Giveaways of every state. Bound: created by administrators. */
export const giveaways = sqliteTable(
  'giveaways',
  {
    id: text('id').primaryKey(),
    title: text('title').notNull(),
    description: text('description'),
    prizeName: text('prize_name').notNull(),
    prizeCode: text('prize_code').notNull(),
    status: text('status', { enum: GIVEAWAY_STATUSES }).notNull(),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at').notNull(),
    entryCount: integer('entry_count').notNull().default(0),
    /** Raised by every change of the terms or entries. A draw is stored only if none happened since it read them. */
    revision: integer('revision').notNull().default(0),
    /** Created when the giveaway opens; published after the draw. */
    seed: text('seed'),
    seedHash: text('seed_hash'),
    entriesHash: text('entries_hash'),
    winnerEntryId: text('winner_entry_id'),
    winnerUserId: text('winner_user_id'),
    winnerName: text('winner_name'),
    createdAt: integer('created_at').notNull(),
    /** Time of the last failure to open or draw it; null without one. */
    failedAt: integer('failed_at'),
  },
  (table) => [
    index('giveaways_status_starts').on(table.status, table.startsAt, table.id),
    index('giveaways_status_ends').on(table.status, table.endsAt, table.id),
    index('giveaways_created').on(table.createdAt, table.id),
  ],
);

/** Entries, one per account and giveaway. Bound: one row per account and giveaway. */
export const giveawayEntries = sqliteTable(
  'giveaway_entries',
  {
    /** Random; public after the draw. */
    id: text('id').primaryKey(),
    giveawayId: text('giveaway_id').notNull(),
    userId: text('user_id').notNull(),
    enteredAt: integer('entered_at').notNull(),
  },
  (table) => [
    uniqueIndex('giveaway_entries_account').on(table.giveawayId, table.userId),
    index('giveaway_entries_giveaway').on(table.giveawayId, table.id),
    index('giveaway_entries_user').on(table.userId, table.enteredAt),
  ],
);

/** Backup, personal data and growth of the tables. */
export const giveawaysTables: TableDeclarations = {
  giveaways: {
    backup: backedUp('created by administrators; the draw publishes its inputs', {
      noRights: { prize_code: 'a prize', seed_hash: 'published', entries_hash: 'published' },
    }),
    personal: 'Giveaways',
    growth: { by: 'giveaways', aYear: 'less than 100 kB', large: '1 MB', kept: 'permanently', afterwards: 'stays' },
  },
  giveaway_entries: {
    backup: backedUp('entries of accounts; needed to verify a draw', references('giveaway_id', 'giveaways')),
    personal: 'Giveaways',
    growth: {
      by: 'entries of accounts',
      aYear: '1 MB',
      large: '20 MB',
      kept: 'permanently',
      afterwards: 'stays; anonymous after a deletion',
    },
  },
};
