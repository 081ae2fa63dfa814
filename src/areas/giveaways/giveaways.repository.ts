import { and, asc, desc, eq, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { Giveaway, GiveawayStatus, GiveawayTerms } from './giveaway.domain.ts';
import { giveaways } from './giveaways.tables.ts';

/** Stored result of a draw. */
export interface DrawOutcome {
  endsAt: UnixSeconds;
  /** Null: no entries. */
  winner: { entriesHash: string; winnerEntryId: string; winnerUserId: string; winnerName: string } | null;
}

/** Stored giveaways. Changes are conditional on the current status, so only one of several concurrent changes succeeds. */
export interface GiveawaysRepository {
  find(id: string): Promise<Giveaway | null>;
  /** Soonest end first. */
  open(): Promise<Giveaway[]>;
  /** Soonest start first. */
  scheduled(): Promise<Giveaway[]>;
  /** Drawn and closed giveaways that ended since a time, newest end first. */
  ended(since: UnixSeconds): Promise<Giveaway[]>;
  /** Newest first. */
  all(status: GiveawayStatus | undefined): Promise<Giveaway[]>;
  create(giveaway: Giveaway): Promise<void>;
  /** False when the status has changed. */
  change(id: string, status: GiveawayStatus, terms: Partial<GiveawayTerms>): Promise<boolean>;
  /** Opens a scheduled giveaway; false when it is no longer scheduled. */
  markOpen(id: string, seed: { seed: string; seedHash: string }): Promise<boolean>;
  /**
   * Ends an open giveaway. False when it is no longer open or the number of entries has changed. `alongside` creates a statement of the
   * same transaction from the condition that this result was stored.
   */
  markEnded(id: string, entryCount: number, outcome: DrawOutcome, alongside?: (isStored: SQL) => BatchItem<'sqlite'>): Promise<boolean>;
  /** False when its status is not in `from`. */
  cancel(id: string, from: readonly GiveawayStatus[]): Promise<boolean>;
  /** Scheduled giveaways due to start and open giveaways due to end, earliest first. */
  due(now: UnixSeconds, limit: number): Promise<Giveaway[]>;
}

/** Maximum length of a list. */
const MAX_LISTED = 500;

export function createGiveawaysRepository(db: Database): GiveawaysRepository {
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
    find: async (id) => (await select(eq(giveaways.id, id), 1))[0] ?? null,
    open: () => select(eq(giveaways.status, 'open'), MAX_LISTED, asc(giveaways.endsAt), asc(giveaways.id)),
    scheduled: () => select(eq(giveaways.status, 'scheduled'), MAX_LISTED, asc(giveaways.startsAt), asc(giveaways.id)),
    ended: (since) =>
      select(
        and(inArray(giveaways.status, ['drawn', 'closed']), gte(giveaways.endsAt, since)),
        MAX_LISTED,
        desc(giveaways.endsAt),
        asc(giveaways.id),
      ),
    all: (status) =>
      select(status === undefined ? undefined : eq(giveaways.status, status), MAX_LISTED, desc(giveaways.createdAt), asc(giveaways.id)),

    async create(giveaway) {
      await db.insert(giveaways).values(giveaway);
    },

    change: (id, status, terms) => hasChanged(db.update(giveaways).set(terms).where(inStatus(id, status))),

    markOpen: (id, seed) =>
      hasChanged(
        db
          .update(giveaways)
          .set({ ...seed, status: 'open' })
          .where(inStatus(id, 'scheduled')),
      ),

    async markEnded(id, entryCount, { endsAt, winner }, alongside) {
      const isStored = sql`exists (select 1 from ${giveaways} where ${giveaways.id} = ${id} and ${giveaways.status} = 'drawn'
        and ${giveaways.winnerEntryId} = ${winner?.winnerEntryId ?? null})`;
      const [ended] = await db.batch([
        db
          .update(giveaways)
          .set({ ...winner, endsAt, status: winner ? 'drawn' : 'closed' })
          .where(and(inStatus(id, 'open'), eq(giveaways.entryCount, entryCount))),
        ...(alongside ? [alongside(isStored)] : []),
      ]);
      return ended.meta.changes > 0;
    },

    cancel: (id, from) =>
      hasChanged(
        db
          .update(giveaways)
          .set({ status: 'cancelled' })
          .where(inStatus(id, ...from)),
      ),

    due: (now, limit) =>
      select(
        or(
          and(eq(giveaways.status, 'scheduled'), lte(giveaways.startsAt, now)),
          and(eq(giveaways.status, 'open'), lte(giveaways.endsAt, now)),
        ),
        limit,
        asc(giveaways.startsAt),
      ),
  };
}
