import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import type { Giveaway, GiveawayStatus, GiveawayTerms, PublicGiveaway } from './giveaway.domain.ts';
import { giveawayEntries, giveaways } from './giveaways.tables.ts';

/** Stored result of a draw. */
export interface DrawOutcome {
  endsAt: UnixSeconds;
  /** Null: no entries. */
  winner: { entriesHash: string; winnerEntryId: string; winnerUserId: string; winnerName: string } | null;
}

/** Stored giveaways. Changes are conditional on what they were decided from, so only one of several concurrent changes succeeds. */
export interface GiveawaysRepository {
  find(id: string): Promise<Giveaway | null>;
  /** Newest first. */
  all(status: GiveawayStatus | undefined): Promise<Giveaway[]>;
  create(giveaway: Giveaway): Promise<void>;
  /** Changes terms. False when the status has changed since `read`, or for new times when the times have changed. */
  change(read: Pick<Giveaway, 'id' | 'status' | 'startsAt' | 'endsAt'>, terms: Partial<GiveawayTerms>): Promise<boolean>;
  /** Opens a scheduled giveaway whose start has passed. False when it is no longer scheduled, or starts later. */
  markOpen(id: string, seed: { seed: string; seedHash: string }, now: UnixSeconds): Promise<boolean>;
  /**
   * Ends an open giveaway. False when it is no longer open, or its terms or entries have changed since `read`. `alongside` creates a
   * statement of the same transaction from the condition that this result was stored.
   */
  markEnded(
    read: Pick<Giveaway, 'id' | 'revision'>,
    outcome: DrawOutcome,
    alongside?: (isStored: SQL) => BatchItem<'sqlite'>,
  ): Promise<boolean>;
  /** False when its status is not in `from`. */
  cancel(id: string, from: readonly GiveawayStatus[]): Promise<boolean>;
  /** Scheduled giveaways due to start and open giveaways due to end: first those that never failed, then by the time of the failure. */
  due(now: UnixSeconds, limit: number): Promise<Giveaway[]>;
  markFailed(id: string, now: UnixSeconds): Promise<void>;
}

/** Reads of what everyone may see, at a replica. */
export interface PublicGiveaways {
  /** Soonest end first. */
  open(): Promise<PublicGiveaway[]>;
  /** Soonest start first. */
  scheduled(): Promise<PublicGiveaway[]>;
  /** Drawn and closed giveaways that ended since a time, newest end first. */
  ended(since: UnixSeconds): Promise<PublicGiveaway[]>;
  /** A drawn giveaway with entry ids, ascending, after an id; null before the draw. */
  findDraw(id: string, after: string, limit: number): Promise<{ giveaway: PublicGiveaway; ids: string[] } | null>;
}

/** Maximum length of a list. */
const MAX_LISTED = 500;

export function createPublicGiveaways(reads: PublicReads): PublicGiveaways {
  const { prizeCode, winnerUserId, failedAt, ...columns } = getTableColumns(giveaways);
  const select = (where: SQL | undefined, ...order: SQL[]) =>
    reads
      .select(columns)
      .from(giveaways)
      .where(where)
      .orderBy(...order)
      .limit(MAX_LISTED);
  return {
    open: () => select(eq(giveaways.status, 'open'), asc(giveaways.endsAt), asc(giveaways.id)).execute(),
    scheduled: () => select(eq(giveaways.status, 'scheduled'), asc(giveaways.startsAt), asc(giveaways.id)).execute(),
    ended: (since) =>
      select(
        and(inArray(giveaways.status, ['drawn', 'closed']), gte(giveaways.endsAt, since)),
        desc(giveaways.endsAt),
        asc(giveaways.id),
      ).execute(),

    async findDraw(id, after, limit) {
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
    all: (status) =>
      select(status === undefined ? undefined : eq(giveaways.status, status), MAX_LISTED, desc(giveaways.createdAt), asc(giveaways.id)),

    async create(giveaway) {
      await db.insert(giveaways).values(giveaway);
    },

    change({ id, status, startsAt, endsAt }, terms) {
      const setsTimes = terms.startsAt !== undefined || terms.endsAt !== undefined;
      const sameTimes = and(eq(giveaways.startsAt, startsAt), eq(giveaways.endsAt, endsAt));
      return hasChanged(
        db
          .update(giveaways)
          .set({ ...terms, revision: sql`${giveaways.revision} + 1` })
          .where(and(inStatus(id, status), setsTimes ? sameTimes : undefined)),
      );
    },

    markOpen: (id, seed, now) =>
      hasChanged(
        db
          .update(giveaways)
          .set({ ...seed, status: 'open' })
          .where(and(inStatus(id, 'scheduled'), lte(giveaways.startsAt, now))),
      ),

    async markEnded({ id, revision }, { endsAt, winner }, alongside) {
      const isStored = sql`exists (select 1 from ${giveaways} where ${giveaways.id} = ${id} and ${giveaways.status} = 'drawn'
        and ${giveaways.winnerEntryId} = ${winner?.winnerEntryId ?? null})`;
      const [ended] = await db.batch([
        db
          .update(giveaways)
          .set({ ...winner, endsAt, status: winner ? 'drawn' : 'closed' })
          .where(and(inStatus(id, 'open'), eq(giveaways.revision, revision))),
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
        asc(giveaways.failedAt),
        asc(giveaways.startsAt),
      ),

    async markFailed(id, now) {
      await db.update(giveaways).set({ failedAt: now }).where(eq(giveaways.id, id));
    },
  };
}
