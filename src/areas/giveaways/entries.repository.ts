import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { users } from '../../platform/access/tokens.tables.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import { runInOneTransaction } from '../../platform/storage/database.ts';
import type { Giveaway, GiveawayEntry } from './giveaway.domain.ts';
import { giveawayEntries, giveaways } from './giveaways.tables.ts';

/** Giveaway entries. Every change raises the revision of the giveaway, which restarts a concurrent draw. */
export interface EntriesRepository {
  /** Enters an account into an open giveaway. Returns whether the account is entered, and the number of entries. */
  enter(entry: GiveawayEntry): Promise<{ entered: boolean; entryCount: number }>;
  /**
   * Withdraws the entry of an account while the giveaway is open. Returns whether the account is still entered, and the number of entries.
   */
  withdraw(entry: Omit<GiveawayEntry, 'id' | 'enteredAt'>, now: UnixSeconds): Promise<{ entered: boolean; entryCount: number }>;
  /** Entry ids of a giveaway, ascending, after an id. */
  listIds(giveawayId: string, after: string, limit: number): Promise<string[]>;
  /** The account of an entry; null when the entry does not exist. */
  findAccount(entryId: string): Promise<{ userId: string; displayName: string | null; email: string | null } | null>;
  /** Entries of an account, newest first. */
  byAccountId(userId: string, limit: number): Promise<{ entry: GiveawayEntry; giveaway: Giveaway }[]>;
  /** Deletes the entries of an account in open giveaways and anonymizes the others. */
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
        sql`UPDATE ${giveaways} SET entry_count = entry_count + 1, revision = revision + 1
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
        sql`UPDATE ${giveaways} SET entry_count = entry_count - 1, revision = revision + 1
          WHERE id = ${giveawayId} AND ${isOpen} AND EXISTS (SELECT 1 FROM ${giveawayEntries} WHERE ${own})`,
        sql`DELETE FROM ${giveawayEntries} WHERE ${own} AND ${isOpen}`,
        sql`SELECT entry_count, EXISTS (SELECT 1 FROM ${giveawayEntries} WHERE ${own}) AS entered FROM ${giveaways} WHERE id = ${giveawayId}`,
      ]);
      return { entered: rows[0]?.entered === 1, entryCount: Number(rows[0]?.entry_count ?? 0) };
    },

    async listIds(giveawayId, after, limit) {
      const rows = await db
        .select({ id: giveawayEntries.id })
        .from(giveawayEntries)
        .where(and(eq(giveawayEntries.giveawayId, giveawayId), gt(giveawayEntries.id, after)))
        .orderBy(asc(giveawayEntries.id))
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    async findAccount(entryId) {
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
      const giveawayIds = sql`SELECT giveaway_id FROM ${giveawayEntries} WHERE user_id = ${userId}`;
      const openGiveawayIds = sql`SELECT id FROM ${giveaways} WHERE status = 'open' AND id IN (${giveawayIds})`;
      await runInOneTransaction(db, [
        sql`UPDATE ${giveaways} SET entry_count = entry_count - 1, revision = revision + 1 WHERE id IN (${openGiveawayIds})`,
        sql`DELETE FROM ${giveawayEntries} WHERE user_id = ${userId} AND giveaway_id IN (${openGiveawayIds})`,
        sql`UPDATE ${giveawayEntries} SET user_id = id WHERE user_id = ${userId}`,
        sql`UPDATE ${giveaways} SET winner_user_id = NULL WHERE winner_user_id = ${userId}`,
      ]);
    },
  };
}
