import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { users } from '../../platform/access/tokens.tables.ts';
import type { Database } from '../../platform/storage/database.ts';
import { runInOneTransaction } from '../../platform/storage/raw-batch.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { Giveaway, GiveawayEntry } from './giveaway.domain.ts';
import { giveawayEntries, giveaways } from './giveaways.tables.ts';

/** Giveaway entries. */
export interface EntriesRepository {
  /** Enters an account into a giveaway that is open at that time; tells whether it is among the entries, and their number. */
  enter(entry: GiveawayEntry): Promise<{ entered: boolean; entryCount: number }>;
  /** Takes an account's entry back while the giveaway is open; tells whether it still is among the entries, and their number. */
  withdraw(entry: Omit<GiveawayEntry, 'id' | 'enteredAt'>, now: UnixSeconds): Promise<{ entered: boolean; entryCount: number }>;
  /** Ids of a giveaway, ascending, after an id. */
  ids(giveawayId: string, after: string, limit: number): Promise<string[]>;
  /** The account behind an entry; null when there is none. */
  account(entryId: string): Promise<{ userId: string; displayName: string | null; email: string | null } | null>;
  /** Entries of an account, newest first. */
  byAccountId(userId: string, limit: number): Promise<{ entry: GiveawayEntry; giveaway: Giveaway }[]>;
  /** Deletes account data: entries in running giveaways are deleted, others are anonymised. */
  deleteAccountData(userId: string): Promise<void>;
}

export function createEntriesRepository(db: Database): EntriesRepository {
  return {
    async enter({ id, giveawayId, userId, enteredAt }) {
      const [, , rows = []] = await runInOneTransaction(db, [
        sql`INSERT INTO ${giveawayEntries} (id, giveaway_id, user_id, entered_at)
          SELECT ${id}, id, ${userId}, ${enteredAt} FROM ${giveaways}
          WHERE id = ${giveawayId} AND status = 'open' AND starts_at <= ${enteredAt} AND ends_at > ${enteredAt}
          ON CONFLICT DO NOTHING`,
        sql`UPDATE ${giveaways} SET entry_count = entry_count + 1
          WHERE id = ${giveawayId} AND EXISTS (SELECT 1 FROM ${giveawayEntries} WHERE ${giveawayEntries.id} = ${id})`,
        sql`SELECT entry_count, EXISTS (SELECT 1 FROM ${giveawayEntries} WHERE giveaway_id = ${giveawayId} AND user_id = ${userId}) AS entered
          FROM ${giveaways} WHERE id = ${giveawayId}`,
      ]);
      return { entered: rows[0]?.entered === 1, entryCount: Number(rows[0]?.entry_count ?? 0) };
    },

    async withdraw({ giveawayId, userId }, now) {
      const isOpen = sql`EXISTS (SELECT 1 FROM ${giveaways} WHERE id = ${giveawayId} AND status = 'open' AND ends_at > ${now})`;
      const own = sql`giveaway_id = ${giveawayId} AND user_id = ${userId}`;
      const [, , rows = []] = await runInOneTransaction(db, [
        sql`UPDATE ${giveaways} SET entry_count = entry_count - 1
          WHERE id = ${giveawayId} AND ${isOpen} AND EXISTS (SELECT 1 FROM ${giveawayEntries} WHERE ${own})`,
        sql`DELETE FROM ${giveawayEntries} WHERE ${own} AND ${isOpen}`,
        sql`SELECT entry_count, EXISTS (SELECT 1 FROM ${giveawayEntries} WHERE ${own}) AS entered FROM ${giveaways} WHERE id = ${giveawayId}`,
      ]);
      return { entered: rows[0]?.entered === 1, entryCount: Number(rows[0]?.entry_count ?? 0) };
    },

    async ids(giveawayId, after, limit) {
      const rows = await db
        .select({ id: giveawayEntries.id })
        .from(giveawayEntries)
        .where(and(eq(giveawayEntries.giveawayId, giveawayId), gt(giveawayEntries.id, after)))
        .orderBy(asc(giveawayEntries.id))
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    async account(entryId) {
      const rows = await db
        .select({ userId: giveawayEntries.userId, displayName: users.displayName, email: users.email })
        .from(giveawayEntries)
        .leftJoin(users, eq(users.id, giveawayEntries.userId))
        .where(eq(giveawayEntries.id, entryId));
      return rows[0] ?? null;
    },

    async byAccountId(userId, limit) {
      return db
        .select({ entry: giveawayEntries, giveaway: giveaways })
        .from(giveawayEntries)
        .innerJoin(giveaways, eq(giveaways.id, giveawayEntries.giveawayId))
        .where(eq(giveawayEntries.userId, userId))
        .orderBy(desc(giveawayEntries.enteredAt))
        .limit(limit);
    },

    async deleteAccountData(userId) {
      const byAccountId = sql`SELECT giveaway_id FROM ${giveawayEntries} WHERE user_id = ${userId}`;
      const running = sql`SELECT id FROM ${giveaways} WHERE status = 'open' AND id IN (${byAccountId})`;
      await runInOneTransaction(db, [
        sql`UPDATE ${giveaways} SET entry_count = entry_count - 1 WHERE id IN (${running})`,
        sql`DELETE FROM ${giveawayEntries} WHERE user_id = ${userId} AND giveaway_id IN (${running})`,
        sql`UPDATE ${giveawayEntries} SET user_id = id WHERE user_id = ${userId}`,
        sql`UPDATE ${giveaways} SET winner_user_id = NULL WHERE winner_user_id = ${userId}`,
      ]);
    },
  };
}
