import { Buffer } from 'node:buffer';
import { and, asc, between, desc, eq, getTableColumns, gt, isNotNull, lt, lte, max, min, or, type SQL, sql } from 'drizzle-orm';
import type { CaptureConsumerName } from '../../game/board-captures.ts';
import { bind } from '../../platform/kit/bind.ts';
import { floorDiv, SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { DAY_SECONDS, SETS_GRACE_SECONDS, SETS_TTL_SECONDS, WEEK_SECONDS } from './activity.data.ts';
import { type CaptureActivity, type DaySamples, type Union, unionReachSeconds } from './activity.domain.ts';
import { activityDays, activityRevisions, activitySets, activityCaptures as captures } from './activity.tables.ts';

/** Figures of a capture, without boards. */
export interface ActivityFigures {
  windowEnd: UnixSeconds;
  windowStart: UnixSeconds;
  estimate: number;
  estimateDay: number | null;
}

/** A capture with outdated unions; `revision` of the figures when it was read. */
export interface StaleCapture extends Revised {
  windowEnd: UnixSeconds;
  /** False: only the week figure is outdated. */
  isDayStale: boolean;
  estimateDay: number | null;
  estimateWeek: number | null;
}

/** `revision` rises with every change of stored figures. */
export interface Revised {
  revision: number;
}

/** Stores the activity of captures, and the sets of active players that unions are computed from. */
export type ActivityStore = ReturnType<typeof createActivityStore>;

/** D1 allows 2 MB per value; base64 adds a third. */
const PART_BYTES = 720_000;
const WORD_BYTES = 4;
const SETS_PER_BATCH = 8;
const MAX_FIGURES = 100_000;

interface ActivityStoreDeps {
  db: Database;
  reads: PublicReads;
}

export function createActivityStore(db: Database, reads: PublicReads = db) {
  const deps: ActivityStoreDeps = { db, reads };
  return bind(deps, {
    has,
    deleteCapture,
    deleteAfter,
    save,
    saveUnions,
    listStale,
    findStale,
    findStart,
    countSets,
    readSets,
    newest,
    listFigures,
    listDays,
    deleteExpired,
  });
}

/** Deletes the set of a capture, and marks the figures of later captures whose union includes it as stale. */
const invalidateSet = ({ db }: ActivityStoreDeps, windowEnd: UnixSeconds) =>
  [
    db.delete(activitySets).where(eq(activitySets.anchor, windowEnd)),
    db
      .update(captures)
      .set({ isStale: true, isDayStale: sql`${captures.isDayStale} OR ${includes(windowEnd, DAY_SECONDS)}` })
      .where(and(gt(captures.windowEnd, windowEnd), includes(windowEnd, WEEK_SECONDS))),
  ] as const;

/**
 * Whether the union of a later capture can include a capture. Until there is a capture before the period, unions start at the oldest
 * capture: they also depend on whether one is before it.
 */
function includes(windowEnd: UnixSeconds, periodSeconds: number): SQL {
  const next = sql`(SELECT min(n.window_end) FROM activity_captures n WHERE n.window_end > ${windowEnd})`;
  return sql`(${captures.windowEnd} <= ${windowEnd + unionReachSeconds(periodSeconds)} OR (${captures.windowEnd} < ${next} + ${periodSeconds}
    AND NOT EXISTS (SELECT 1 FROM activity_captures b WHERE b.window_end < ${windowEnd})))`;
}

/** Counts the day of a capture again. */
function countDay({ db }: ActivityStoreDeps, windowEnd: UnixSeconds) {
  const day = floorDiv(windowEnd, SECONDS_PER_DAY) * SECONDS_PER_DAY;
  const samples = sql`activity_captures WHERE window_end >= ${day} AND window_end < ${day + SECONDS_PER_DAY}
    AND window_start IS NOT NULL AND estimate_day IS NOT NULL`;
  const timeOf = (order: 'ASC' | 'DESC') =>
    sql`(SELECT window_end FROM ${samples} ORDER BY estimate_day ${sql.raw(order)}, window_end LIMIT 1)`;
  return [
    db.delete(activityDays).where(eq(activityDays.day, day)),
    db.insert(activityDays).select(
      sql`SELECT ${day}, count(*), sum(estimate_day), sum(window_end), max(estimate_day), ${timeOf('DESC')}, min(estimate_day), ${timeOf('ASC')}
        FROM ${samples} HAVING count(*) > 0`,
    ),
  ] as const;
}

async function has({ db }: ActivityStoreDeps, windowEnd: UnixSeconds): Promise<boolean> {
  return (await db.$count(captures, eq(captures.windowEnd, windowEnd))) > 0;
}

/** Deletes a capture and invalidates the figures of later captures that include it. */
async function deleteCapture(deps: ActivityStoreDeps, windowEnd: UnixSeconds): Promise<void> {
  await deps.db.batch([
    ...invalidateSet(deps, windowEnd),
    deps.db.delete(captures).where(eq(captures.windowEnd, windowEnd)),
    ...countDay(deps, windowEnd),
    countChange(deps.db, 'activity'),
  ]);
}

/** Deletes the data of captures after a time. */
async function deleteAfter(deps: ActivityStoreDeps, instant: UnixSeconds): Promise<void> {
  await deps.db.batch([
    deps.db.delete(activitySets).where(gt(activitySets.anchor, instant)),
    deps.db.delete(captures).where(gt(captures.windowEnd, instant)),
    deps.db.delete(activityDays).where(gt(activityDays.day, instant)),
    ...countDay(deps, instant),
    countChange(deps.db, 'activity'),
  ]);
}

/**
 * Stores a capture with its set, replacing earlier data. Invalidates the day and week figures of this capture, which stay until they are
 * recomputed, and of later captures that include it.
 */
async function save(
  deps: ActivityStoreDeps,
  { byBoard, windowEnd, windowStart, estimate, computedAt }: Omit<CaptureActivity, 'day' | 'week'>,
  hashes: Uint32Array,
): Promise<void> {
  const row = { windowStart, estimate, computedAt, byBoard, isStale: true, isDayStale: true };
  const parts =
    windowStart === null
      ? []
      : splitHashes(hashes).map((part, index) => ({ anchor: windowEnd, part: index, storedAt: computedAt, hashes: part }));
  await deps.db.batch([
    ...invalidateSet(deps, windowEnd),
    deps.db
      .insert(captures)
      .values({ windowEnd, ...row })
      .onConflictDoUpdate({ target: captures.windowEnd, set: row }),
    // A capture that became the first one has no figure in a series.
    ...countDay(deps, windowEnd),
    ...parts.map((part) => deps.db.insert(activitySets).values(part)),
    countChange(deps.db, 'activity'),
  ]);
}

/**
 * Stores recomputed unions; an absent one keeps its value. A change of any figure since `revision` may have changed the sets: then
 * nothing is stored and the figures stay stale.
 */
async function saveUnions(
  deps: ActivityStoreDeps,
  { windowEnd, revision }: StaleCapture,
  { day, week }: { day?: Union; week?: Union },
): Promise<void> {
  const figures = {
    ...(day && { estimateDay: day.estimate, dayStart: day.startsAt }),
    ...(week && { estimateWeek: week.estimate, weekStart: week.startsAt }),
  };
  await deps.db.batch([
    deps.db
      .update(captures)
      .set({ ...figures, isStale: false, isDayStale: false })
      .where(and(eq(captures.windowEnd, windowEnd), eq(revisionOf('activity'), revision))),
    ...countDay(deps, windowEnd),
    countChange(deps.db, 'activity'),
  ]);
}

/** Captures whose unions are outdated, oldest first. */
async function listStale({ db }: ActivityStoreDeps, limit: number): Promise<UnixSeconds[]> {
  const rows = await db
    .select({ windowEnd: captures.windowEnd })
    .from(captures)
    .where(eq(captures.isStale, true))
    .orderBy(asc(captures.windowEnd))
    .limit(limit);
  return rows.map(({ windowEnd }) => windowEnd);
}

/** What is outdated at a capture; null if nothing is. */
async function findStale({ db }: ActivityStoreDeps, windowEnd: UnixSeconds): Promise<StaleCapture | null> {
  const { isDayStale, estimateDay, estimateWeek } = captures;
  const [row] = await db
    .select({ windowEnd: captures.windowEnd, isDayStale, estimateDay, estimateWeek, revision: revisionOf('activity') })
    .from(captures)
    .where(and(eq(captures.windowEnd, windowEnd), eq(captures.isStale, true)));
  return row ?? null;
}

/** The newest capture at or before an instant, otherwise the oldest capture. */
async function findStart({ db }: ActivityStoreDeps, instant: UnixSeconds): Promise<UnixSeconds | null> {
  const [before, all] = await db.batch([
    db
      .select({ at: max(captures.windowEnd) })
      .from(captures)
      .where(lte(captures.windowEnd, instant)),
    db.select({ at: min(captures.windowEnd) }).from(captures),
  ]);
  return before[0]?.at ?? all[0]?.at ?? null;
}

/** Number of captures with a predecessor in `(after, until]`: the expected number of sets. */
async function countSets({ db }: ActivityStoreDeps, after: UnixSeconds, until: UnixSeconds): Promise<number> {
  const window = and(gt(captures.windowEnd, after), lte(captures.windowEnd, until), isNotNull(captures.windowStart));
  const rows = await db.select({ count: sql<number>`count(*)` }).from(captures).where(window);
  return rows[0]?.count ?? 0;
}

/** Sets in `(after, until]`, newest first, in parts. */
async function* readSets(
  { db }: ActivityStoreDeps,
  after: UnixSeconds,
  until: UnixSeconds,
): AsyncGenerator<{ anchor: UnixSeconds; hashes: Uint32Array }> {
  let last: { anchor: UnixSeconds; part: number } | null = null;
  for (;;) {
    const { anchor, part } = activitySets;
    const rows: (typeof activitySets.$inferSelect)[] = await db
      .select()
      .from(activitySets)
      .where(
        last === null
          ? and(gt(anchor, after), lte(anchor, until))
          : and(gt(anchor, after), lte(anchor, last.anchor), or(lt(anchor, last.anchor), gt(part, last.part))),
      )
      .orderBy(desc(anchor), asc(part))
      .limit(SETS_PER_BATCH);
    for (const row of rows) yield { anchor: row.anchor, hashes: decodeHashes(row.hashes) };
    last = rows.at(-1) ?? null;
    if (last === null || rows.length < SETS_PER_BATCH) return;
  }
}

/** The newest capture, with the revision of all figures. */
async function newest({ reads }: ActivityStoreDeps): Promise<(CaptureActivity & Revised) | null> {
  const [row] = await reads
    .select({ ...getTableColumns(captures), revision: revisionOf('activity') })
    .from(captures)
    .orderBy(desc(captures.windowEnd))
    .limit(1);
  if (!row) return null;
  const { estimateDay, dayStart, estimateWeek, weekStart, isStale: _isStale, isDayStale: _isDayStale, ...capture } = row;
  return { ...capture, day: { startsAt: dayStart, estimate: estimateDay }, week: { startsAt: weekStart, estimate: estimateWeek } };
}

/** Figures of captures with a predecessor, oldest first. */
async function listFigures({ reads }: ActivityStoreDeps, since: UnixSeconds, until: UnixSeconds): Promise<ActivityFigures[]> {
  const { windowEnd, windowStart, estimate, estimateDay } = captures;
  const rows = await reads
    .select({ windowEnd, windowStart, estimate, estimateDay })
    .from(captures)
    .where(and(between(windowEnd, since, until), isNotNull(windowStart)))
    .orderBy(desc(windowEnd))
    .limit(MAX_FIGURES);
  return rows.toReversed().map((row) => ({ ...row, windowStart: row.windowStart ?? row.windowEnd, estimate: row.estimate ?? 0 }));
}

/** Days of captures with a predecessor and a figure, oldest first. */
function listDays({ reads }: ActivityStoreDeps): Promise<DaySamples[]> {
  return reads.select().from(activityDays).orderBy(asc(activityDays.day));
}

/** Deletes sets that no union needs. */
async function deleteExpired({ db }: ActivityStoreDeps, now: UnixSeconds): Promise<void> {
  const { anchor, storedAt } = activitySets;
  await db.delete(activitySets).where(and(lt(anchor, now - SETS_TTL_SECONDS), lt(storedAt, now - SETS_GRACE_SECONDS)));
}

/** Encodes hashes as base64. */
export function encodeHashes(hashes: Uint32Array): string {
  return Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString('base64');
}

/** Splits hashes into base64 parts; at least one, to distinguish an empty set from a missing one. */
function splitHashes(hashes: Uint32Array): string[] {
  const bytes = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength);
  const parts: string[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += PART_BYTES) {
    parts.push(bytes.subarray(start, start + PART_BYTES).toString('base64'));
  }
  return parts;
}

/** Decodes hashes from base64. */
export function decodeHashes(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64');
  const aligned = new Uint8Array(bytes);
  return new Uint32Array(aligned.buffer, 0, aligned.byteLength / WORD_BYTES);
}

/** The statement that counts a change of figures, for the batch that makes the change. */
export function countChange(db: Database, consumer: CaptureConsumerName) {
  return db
    .insert(activityRevisions)
    .values({ consumer, revision: 1 })
    .onConflictDoUpdate({ target: activityRevisions.consumer, set: { revision: sql`${activityRevisions.revision} + 1` } });
}

/** The revision of the figures, as a column; 0 before the first change. */
export function revisionOf(consumer: CaptureConsumerName) {
  return sql<number>`coalesce((SELECT revision FROM activity_revisions WHERE consumer = ${consumer}), 0)`;
}
