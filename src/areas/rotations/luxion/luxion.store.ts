import { and, between, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import type { HistoryRequest } from '../reports/reports.store.ts';
import { luxionRuns } from '../rotations.tables.ts';
import type { LuxionRun } from './luxion.domain.ts';

/** Maximum number of runs in the calendar. Runs come about every four weeks. */
const MAX_CALENDAR_RUNS = 100;

/** Reported runs of the merchant Luxion. */
export type LuxionRepository = ReturnType<typeof createLuxionRepository>;

export function createLuxionRepository(db: Database, reads: PublicReads = db) {
  const newestOf = async (source: Pick<PublicReads, 'select'>): Promise<LuxionRun | null> =>
    (await source.select().from(luxionRuns).orderBy(desc(luxionRuns.startedAt)).limit(1))[0] ?? null;

  return {
    newest: () => newestOf(reads),
    /** For reports, which must not see an older state. */
    newestForUpdate: () => newestOf(db),

    /** Runs by start, whose identifying time is in a range. */
    runsBetween(from: UnixSeconds, to: UnixSeconds): Promise<LuxionRun[]> {
      return reads
        .select()
        .from(luxionRuns)
        .where(between(luxionRuns.startedAt, from, to))
        .orderBy(luxionRuns.startedAt)
        .limit(MAX_CALENDAR_RUNS);
    },

    async history({ limit, start }: HistoryRequest): Promise<{ rows: LuxionRun[]; total: number }> {
      const after = 'afterKey' in start ? lt(luxionRuns.startedAt, start.afterKey) : undefined;
      const [rows, totals] = await reads.batch([
        reads
          .select()
          .from(luxionRuns)
          .where(after)
          .orderBy(desc(luxionRuns.startedAt))
          .limit(limit)
          .offset('offset' in start ? start.offset : 0),
        reads.select({ total: sql<number>`count(*)` }).from(luxionRuns),
      ]);
      return { rows, total: totals[0]?.total ?? 0 };
    },

    /** Records a sighting in a run without a reported end. False: the run got an end meanwhile. */
    async refresh(startedAt: UnixSeconds, seenAt: UnixSeconds): Promise<boolean> {
      const { meta } = await db
        .update(luxionRuns)
        .set({ lastSeenAt: sql`max(${luxionRuns.lastSeenAt}, ${seenAt})` })
        .where(and(eq(luxionRuns.startedAt, startedAt), isNull(luxionRuns.endedAt)));
      return meta.changes > 0;
    },

    /** Starts a run. Of two concurrent reports the second refreshes the run of the first; returns whether this one was first. */
    async start(startedAt: UnixSeconds, seenAt: UnixSeconds): Promise<boolean> {
      const [inserted] = await db.batch([
        db.insert(luxionRuns).values({ startedAt, firstSeenAt: seenAt, lastSeenAt: seenAt, endedAt: null }).onConflictDoNothing(),
        db
          .update(luxionRuns)
          .set({ lastSeenAt: sql`max(${luxionRuns.lastSeenAt}, ${seenAt})`, endedAt: null })
          .where(eq(luxionRuns.startedAt, startedAt)),
      ]);
      return inserted.meta.changes > 0;
    },

    /** Sets the end of a run that has none. */
    async end(startedAt: UnixSeconds, endedAt: UnixSeconds): Promise<boolean> {
      const { meta } = await db
        .update(luxionRuns)
        .set({ endedAt })
        .where(and(eq(luxionRuns.startedAt, startedAt), isNull(luxionRuns.endedAt)));
      return meta.changes > 0;
    },
  };
}
