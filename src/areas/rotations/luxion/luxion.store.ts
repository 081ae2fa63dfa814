import { and, between, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import { gameDayStart, SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { createRevalidatingCache, createRevalidatingCaches, type TtlCache } from '../../../platform/storage/memory-caches.ts';
import { selectRowCount } from '../../../platform/storage/row-counts.ts';
import { calendarRules } from '../calendar/calendar.domain.ts';
import type { HistoryRequest } from '../reports/reports.store.ts';
import { isLuxionActive, type Luxion, type LuxionRun, luxionAt, luxionEndsAt, luxionRules } from '../schedules/luxion.domain.ts';
import { luxionRuns } from '../schedules/rotations.tables.ts';

/** Cache TTL of reads in an isolate, in milliseconds: the endpoints are polled, reports are rare. */
const READ_CACHE_TTL_MS = 2000;
const MAX_CACHED_READS = 8;
/** Longest run, in seconds: seven windows, and the reports after the last one. A run that began before the calendar may reach into it. */
const MAX_RUN_SECONDS = 14 * SECONDS_PER_DAY;
/** Maximum number of runs in the calendar. Runs come about every four weeks. */
const MAX_CALENDAR_RUNS = 100;

/** Result of a report. */
export interface LuxionReported {
  /** Identifies the run: the start of the game day of its first sighting. */
  anchor: UnixSeconds;
  /** Whether the report changed a stored run. */
  refreshed: boolean;
}

interface LuxionStoreDeps {
  db: Database;
  /** Database for public reads. */
  reads: PublicReads;
  /** Runs before the response to each report. */
  onReport(now: UnixSeconds): Promise<void>;
}

/** The merchant Luxion: its reported runs. */
export type LuxionStore = ReturnType<typeof createLuxionStore>;

interface LuxionContext extends LuxionStoreDeps {
  newestReads: TtlCache<LuxionRun | null>;
  calendarReads: ReturnType<typeof createRevalidatingCaches<UnixSeconds, LuxionRun[]>>;
}

const { halfWindowSeconds } = calendarRules;

export function createLuxionStore(deps: LuxionStoreDeps) {
  const newestReads = createRevalidatingCache(() => newestOf(deps.reads), READ_CACHE_TTL_MS);
  const calendarReads = createRevalidatingCaches(
    (day: UnixSeconds) => runsBetween(deps, day - halfWindowSeconds - MAX_RUN_SECONDS, day + halfWindowSeconds + SECONDS_PER_DAY),
    READ_CACHE_TTL_MS,
    MAX_CACHED_READS,
  );
  const context: LuxionContext = { ...deps, newestReads, calendarReads };
  return bind(context, { invalidateReads, luxion, runsOfCalendar, history, report });
}

async function newestOf(source: Pick<PublicReads, 'select'>): Promise<LuxionRun | null> {
  return (await source.select().from(luxionRuns).orderBy(desc(luxionRuns.startedAt)).limit(1))[0] ?? null;
}

/** Runs by start, whose identifying time is in a range. */
async function runsBetween({ reads }: LuxionStoreDeps, from: UnixSeconds, to: UnixSeconds): Promise<LuxionRun[]> {
  return reads
    .select()
    .from(luxionRuns)
    .where(between(luxionRuns.startedAt, from, to))
    .orderBy(luxionRuns.startedAt)
    .limit(MAX_CALENDAR_RUNS);
}

/** Makes the next read load from the database. */
function invalidateReads({ newestReads, calendarReads }: LuxionContext): void {
  newestReads.invalidate();
  calendarReads.invalidate();
}

async function seen(deps: LuxionContext, now: UnixSeconds): Promise<LuxionReported> {
  const newest = await newestOf(deps.db);
  if (newest && now < luxionEndsAt(newest, luxionRules) && (await refresh(deps, newest.startedAt, now))) {
    return { anchor: newest.startedAt, refreshed: true };
  }
  const anchor = gameDayStart(now);
  return { anchor, refreshed: !(await start(deps, anchor, now)) };
}

async function gone(deps: LuxionContext, now: UnixSeconds): Promise<LuxionReported> {
  const newest = await newestOf(deps.db);
  if (!newest) return { anchor: gameDayStart(now), refreshed: false };
  return { anchor: newest.startedAt, refreshed: isLuxionActive(now, newest, luxionRules) && (await end(deps, newest.startedAt, now)) };
}

/** Records a sighting in a run without a reported end. False: the run got an end meanwhile. */
async function refresh({ db }: LuxionStoreDeps, startedAt: UnixSeconds, seenAt: UnixSeconds): Promise<boolean> {
  const { meta } = await db
    .update(luxionRuns)
    .set({ lastSeenAt: sql`max(${luxionRuns.lastSeenAt}, ${seenAt})` })
    .where(and(eq(luxionRuns.startedAt, startedAt), isNull(luxionRuns.endedAt)));
  return meta.changes > 0;
}

/** Starts a run. Of two concurrent reports the second refreshes the run of the first; returns whether this one was first. */
async function start({ db }: LuxionStoreDeps, startedAt: UnixSeconds, seenAt: UnixSeconds): Promise<boolean> {
  const [inserted] = await db.batch([
    db.insert(luxionRuns).values({ startedAt, firstSeenAt: seenAt, lastSeenAt: seenAt, endedAt: null }).onConflictDoNothing(),
    db
      .update(luxionRuns)
      .set({ lastSeenAt: sql`max(${luxionRuns.lastSeenAt}, ${seenAt})`, endedAt: null })
      .where(eq(luxionRuns.startedAt, startedAt)),
  ]);
  return inserted.meta.changes > 0;
}

/** Sets the end of a run that has none. */
async function end({ db }: LuxionStoreDeps, startedAt: UnixSeconds, endedAt: UnixSeconds): Promise<boolean> {
  const { meta } = await db
    .update(luxionRuns)
    .set({ endedAt })
    .where(and(eq(luxionRuns.startedAt, startedAt), isNull(luxionRuns.endedAt)));
  return meta.changes > 0;
}

async function luxion({ newestReads }: LuxionContext, now: UnixSeconds): Promise<Luxion> {
  return luxionAt(now, await newestReads.get(), luxionRules);
}

/** Runs that may overlap the calendar of `now`, by start. */
async function runsOfCalendar({ calendarReads }: LuxionContext, now: UnixSeconds): Promise<readonly LuxionRun[]> {
  return calendarReads.get(gameDayStart(now));
}

async function history({ reads }: LuxionStoreDeps, { limit, start }: HistoryRequest): Promise<{ rows: LuxionRun[]; total: number }> {
  const after = 'afterKey' in start ? lt(luxionRuns.startedAt, start.afterKey) : undefined;
  const [rows, totals] = await reads.batch([
    reads
      .select()
      .from(luxionRuns)
      .where(after)
      .orderBy(desc(luxionRuns.startedAt))
      .limit(limit)
      .offset('offset' in start ? start.offset : 0),
    selectRowCount(reads, luxionRuns),
  ]);
  return { rows, total: totals[0]?.total ?? 0 };
}

/** Stores that the merchant was seen, or that it is gone. */
async function report(deps: LuxionContext, isPresent: boolean, now: UnixSeconds): Promise<LuxionReported> {
  const reported = await (isPresent ? seen(deps, now) : gone(deps, now));
  invalidateReads(deps);
  await deps.onReport(now);
  return reported;
}
