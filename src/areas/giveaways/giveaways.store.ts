import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { users } from '../../platform/access/tokens.tables.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { runInOneTransaction } from '../../platform/storage/database.ts';
import type { Giveaway, GiveawayEntry, GiveawayStatus, GiveawayTerms, PublicGiveaway } from './giveaways.domain.ts';
import { giveawayEntries, giveaways } from './giveaways.tables.ts';

/** Stored result of a draw. */
interface DrawOutcome {
  endsAt: UnixSeconds;
  /** Null: no entries. */
  winner: { entriesHash: string; winnerEntryId: string; winnerUserId: string; winnerName: string } | null;
}

/** Stored giveaways. Changes are conditional on what they were decided from, so only one of several concurrent changes succeeds. */
export type GiveawaysStore = ReturnType<typeof createGiveawaysStore>;

/** Reads of what everyone may see, at a replica. */
export type PublicGiveaways = ReturnType<typeof createPublicGiveaways>;

/** Maximum length of a list. */
const MAX_LISTED = 500;

export function createPublicGiveaways(reads: PublicReads) {
  const { prizeCode, winnerUserId, failedAt, ...columns } = getTableColumns(giveaways);
  const select = (where: SQL | undefined, ...order: SQL[]) =>
    reads
      .select(columns)
      .from(giveaways)
      .where(where)
      .orderBy(...order)
      .limit(MAX_LISTED);
  return {
    /** Soonest end first. */
    open: (): Promise<PublicGiveaway[]> => select(eq(giveaways.status, 'open'), asc(giveaways.endsAt), asc(giveaways.id)).execute(),
    /** Soonest start first. */
    scheduled: (): Promise<PublicGiveaway[]> =>
      select(eq(giveaways.status, 'scheduled'), asc(giveaways.startsAt), asc(giveaways.id)).execute(),
    /** Drawn and closed giveaways that ended since a time, newest end first. */
    ended: (since: UnixSeconds): Promise<PublicGiveaway[]> =>
      select(
        and(inArray(giveaways.status, ['drawn', 'closed']), gte(giveaways.endsAt, since)),
        desc(giveaways.endsAt),
        asc(giveaways.id),
      ).execute(),

    /** A drawn giveaway with entry ids, ascending, after an id; null before the draw. */
    async findDraw(id: string, after: string, limit: number): Promise<{ giveaway: PublicGiveaway; ids: string[] } | null> {
      const [[giveaway], entries] = await reads.batch([
        select(and(eq(giveaways.id, id), eq(giveaways.status, 'drawn'))),
        reads
          .select({ id: giveawayEntries.id })
          .from(giveawayEntries)
          .where(and(eq(giveawayEntries.giveawayId, id), gt(giveawayEntries.id, after)))
          .orderBy(asc(giveawayEntries.id))
          .limit(limit),
      ]);
      return giveaway ? { giveaway, ids: entries.map((entry) => entry.id) } : null;
    },
  };
}

export function createGiveawaysStore(db: Database) {
  const select = (where: SQL | undefined, limit: number, ...order: SQL[]) =>
    db
      .select()
      .from(giveaways)
      .where(where)
      .orderBy(...order)
      .limit(limit);
  const hasChanged = async (change: Promise<{ meta: { changes: number } }>) => (await change).meta.changes > 0;
  const inStatus = (id: string, ...statuses: GiveawayStatus[]) => and(eq(giveaways.id, id), inArray(giveaways.status, statuses));

  return {
    find: async (id: string): Promise<Giveaway | null> => (await select(eq(giveaways.id, id), 1))[0] ?? null,
    /** Newest first. */
    all: (status: GiveawayStatus | undefined): Promise<Giveaway[]> =>
      select(status === undefined ? undefined : eq(giveaways.status, status), MAX_LISTED, desc(giveaways.createdAt), asc(giveaways.id)),

    async create(giveaway: Giveaway): Promise<void> {
      await db.insert(giveaways).values(giveaway);
    },

    /** Changes terms. False when the status has changed since `read`, or for new times when the times have changed. */
    change(
      { id, status, startsAt, endsAt }: Pick<Giveaway, 'id' | 'status' | 'startsAt' | 'endsAt'>,
      terms: Partial<GiveawayTerms>,
    ): Promise<boolean> {
      const setsTimes = terms.startsAt !== undefined || terms.endsAt !== undefined;
      const sameTimes = and(eq(giveaways.startsAt, startsAt), eq(giveaways.endsAt, endsAt));
      return hasChanged(
        db
          .update(giveaways)
          .set({ ...terms, revision: sql`${giveaways.revision} + 1` })
          .where(and(inStatus(id, status), setsTimes ? sameTimes : undefined)),
      );
    },

    /** Opens a scheduled giveaway whose start has passed. False when it is no longer scheduled, or starts later. */
    markOpen: (id: string, seed: { seed: string; seedHash: string }, now: UnixSeconds): Promise<boolean> =>
      hasChanged(
        db
          .update(giveaways)
          .set({ ...seed, status: 'open' })
          .where(and(inStatus(id, 'scheduled'), lte(giveaways.startsAt, now))),
      ),

    /**
     * Ends an open giveaway. False when it is no longer open, or its terms or entries have changed since `read`. `alongside` creates a
     * statement of the same transaction from the condition that this result was stored.
     */
    async markEnded(
      { id, revision }: Pick<Giveaway, 'id' | 'revision'>,
      { endsAt, winner }: DrawOutcome,
      alongside?: (isStored: SQL) => BatchItem<'sqlite'>,
    ): Promise<boolean> {
      const isStored = sql`exists (select 1 from ${giveaways} where ${giveaways.id} = ${id} and ${giveaways.status} = 'drawn'
        and ${giveaways.winnerEntryId} = ${winner?.winnerEntryId ?? null})`;
      // The end is first: the statement beside it depends on the winner that this one stored.
      const [ended] = await db.batch([
        db
          .update(giveaways)
          .set({ ...winner, endsAt, status: winner ? 'drawn' : 'closed' })
          .where(and(inStatus(id, 'open'), eq(giveaways.revision, revision))),
        ...(alongside ? [alongside(isStored)] : []),
      ]);
      return ended.meta.changes > 0;
    },

    /** False when its status is not in `from`. */
    cancel: (id: string, from: readonly GiveawayStatus[]): Promise<boolean> =>
      hasChanged(
        db
          .update(giveaways)
          .set({ status: 'cancelled' })
          .where(inStatus(id, ...from)),
      ),

    /** Scheduled giveaways due to start and open giveaways due to end: first those that never failed, then by the time of the failure. */
    due: (now: UnixSeconds, limit: number): Promise<Giveaway[]> =>
      select(
        or(
          and(eq(giveaways.status, 'scheduled'), lte(giveaways.startsAt, now)),
          and(eq(giveaways.status, 'open'), lte(giveaways.endsAt, now)),
        ),
        limit,
        asc(giveaways.failedAt),
        asc(giveaways.startsAt),
      ),

    async markFailed(id: string, now: UnixSeconds): Promise<void> {
      await db.update(giveaways).set({ failedAt: now }).where(eq(giveaways.id, id));
    },
  };
}

/** Giveaway entries. Every change raises the revision of the giveaway, which restarts a concurrent draw. */
export type EntriesStore = ReturnType<typeof createEntriesStore>;

export function createEntriesStore(db: Database) {
  return {
    /** Enters an account into an open giveaway. Returns whether the account is entered, and the number of entries. */
    async enter({ id, giveawayId, userId, enteredAt }: GiveawayEntry): Promise<{ entered: boolean; entryCount: number }> {
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

    /**
     * Withdraws the entry of an account while the giveaway is open. Returns whether the account is still entered, and the number of entries.
     */
    async withdraw(
      { giveawayId, userId }: Omit<GiveawayEntry, 'id' | 'enteredAt'>,
      now: UnixSeconds,
    ): Promise<{ entered: boolean; entryCount: number }> {
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

    /** Entry ids of a giveaway, ascending, after an id. */
    async listIds(giveawayId: string, after: string, limit: number): Promise<string[]> {
      const rows = await db
        .select({ id: giveawayEntries.id })
        .from(giveawayEntries)
        .where(and(eq(giveawayEntries.giveawayId, giveawayId), gt(giveawayEntries.id, after)))
        .orderBy(asc(giveawayEntries.id))
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    /** The account of an entry; null when the entry does not exist. */
    async findAccount(entryId: string): Promise<{ userId: string; displayName: string | null; email: string | null } | null> {
      const rows = await db
        .select({ userId: giveawayEntries.userId, displayName: users.displayName, email: users.email })
        .from(giveawayEntries)
        .leftJoin(users, eq(users.id, giveawayEntries.userId))
        .where(eq(giveawayEntries.id, entryId));
      return rows[0] ?? null;
    },

    /** Entries of an account, newest first. */
    async byAccountId(userId: string, limit: number): Promise<{ entry: GiveawayEntry; giveaway: Giveaway }[]> {
      return db
        .select({ entry: giveawayEntries, giveaway: giveaways })
        .from(giveawayEntries)
        .innerJoin(giveaways, eq(giveaways.id, giveawayEntries.giveawayId))
        .where(eq(giveawayEntries.userId, userId))
        .orderBy(desc(giveawayEntries.enteredAt))
        .limit(limit);
    },

    /** Deletes the entries of an account in open giveaways and anonymizes the others. */
    async deleteAccountData(userId: string): Promise<void> {
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
