import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp, derived } from '../../../platform/kit/backup-decision.ts';
import { newestState, type TableDeclarations, type TableGrowth } from '../../../platform/kit/table-declaration.ts';

/** Featured item reported for a chaos chest week. Bound: one row per week. */
export const chaosChestCaptures = sqliteTable('chaos_chest_captures', {
  weekAnchorAt: integer('week_anchor_at').primaryKey(),
  name: text('name').notNull(),
  capturedAt: integer('captured_at').notNull(),
});

/** Challenge reported for a window. The type is derived from the name when read. Bound: one row per window, at most 17,520 a year. */
export const challengeCaptures = sqliteTable('challenge_captures', {
  windowAnchorAt: integer('window_anchor_at').primaryKey(),
  name: text('name').notNull(),
  isFridayWindow: integer('is_friday_window', { mode: 'boolean' }).notNull(),
  capturedAt: integer('captured_at').notNull(),
});

/** Last valid response of the chaos chest source. Bound: one row. */
export const chaosChestRelay = sqliteTable('chaos_chest_relay', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  identifier: text('identifier'),
  blueprint: text('blueprint'),
  startsAt: integer('starts_at'),
  endsAt: integer('ends_at'),
  fetchedAt: integer('fetched_at').notNull(),
});

/**
 * Delve floors of a week from the community source. `floors` is the last column, so listing weeks does not read it. Bound: one row per
 * week.
 */
export const delveWeeks = sqliteTable('delve_weeks', {
  week: integer('week').primaryKey(),
  total: integer('total').notNull(),
  count: integer('count').notNull(),
  fetchedAt: integer('fetched_at').notNull(),
  floors: text('floors').notNull(),
});

/** Reported run of the merchant Luxion. Bound: one row per game day, about 13 a year. */
export const luxionRuns = sqliteTable('luxion_runs', {
  /** Start of the game day of the first sighting. */
  startedAt: integer('started_at').primaryKey(),
  firstSeenAt: integer('first_seen_at').notNull(),
  lastSeenAt: integer('last_seen_at').notNull(),
  /** Null until a report says that the merchant is gone. */
  endedAt: integer('ended_at'),
});

const WITH_WEEKS: TableGrowth = { by: 'weeks', aYear: 'less than 100 kB', kept: 'permanently', afterwards: 'stays: never pruned' };

/** Backup, personal data and growth of the tables. */
export const rotationsTables: TableDeclarations = {
  challenge_captures: {
    backup: backedUp('reported once'),
    personal: null,
    growth: { by: 'challenges, two an hour', aYear: '1 MB', kept: 'permanently', afterwards: 'stays: never pruned' },
  },
  chaos_chest_captures: { backup: backedUp('reported once'), personal: null, growth: WITH_WEEKS },
  luxion_runs: {
    backup: backedUp('reported once', { noRights: { ended_at: 'end of a visit in the game' } }),
    personal: null,
    growth: WITH_WEEKS,
  },
  delve_weeks: { backup: backedUp('the source has the current week only'), personal: null, growth: WITH_WEEKS },
  chaos_chest_relay: { backup: derived('read again from the source'), personal: null, growth: newestState('a row per source') },
};
