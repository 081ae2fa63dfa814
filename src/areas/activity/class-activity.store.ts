import { and, asc, between, count, desc, eq, getTableColumns, gt, lt, lte, sql } from 'drizzle-orm';
import { CLASS_ORDER } from '../../game/class-order.data.ts';
import { bind } from '../../platform/kit/bind.ts';
import { floorDiv, SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { CLASS_SETS_TTL_SECONDS, MAX_DAY_SPAN_SECONDS } from './activity.data.ts';
import { countChange, decodeHashes, encodeHashes, type Revised, revisionOf } from './activity.store.ts';
import { classActivityCaptures as captures, classActivityDays, classActivitySets as sets } from './activity.tables.ts';
import type { ClassDay, ClassFigures, ClassSample, ClassValues } from './class-activity.domain.ts';

export interface ClassCapture {
  windowEnd: UnixSeconds;
  windowStart: UnixSeconds | null;
  computedAt: UnixSeconds;
  figures: ClassFigures;
}

/** A capture with outdated values; `revision` of the figures when it was read. */
export interface StaleClassCapture extends Revised {
  windowEnd: UnixSeconds;
  dayValues: ClassValues;
}

/** Hashes of active players of a class in a window; null if unknown. */
export interface ClassSet {
  active: Uint32Array | null;
  clean: Uint32Array | null;
}

/** Stores the class activity of captures, and the sets of active players that unions are computed from. */
export type ClassActivityStore = ReturnType<typeof createClassActivityStore>;

/** More than two years of hourly captures. */
const MAX_SAMPLES = 20_000;

const UNKNOWN: ClassValues = { active: CLASS_ORDER.map(() => null), clean: CLASS_ORDER.map(() => null) };

interface ClassActivityStoreDeps {
  db: Database;
  reads: PublicReads;
}

export function createClassActivityStore(db: Database, reads: PublicReads = db) {
  const deps: ClassActivityStoreDeps = { db, reads };
  return bind(deps, {
    has,
    deleteCapture,
    deleteAfter,
    save,
    saveValues,
    findStale,
    listStale,
    newestUntil,
    countCaptures,
    listSets,
    newest,
    listDays,
    listSamples,
    deleteExpiredSets,
  });
}

/** Deletes the sets of a capture, and marks captures whose unions include them as stale. */
const invalidateSets = ({ db }: ClassActivityStoreDeps, windowEnd: UnixSeconds) =>
  [
    db.delete(sets).where(eq(sets.anchor, windowEnd)),
    db
      .update(captures)
      .set({ isStale: true })
      .where(and(gt(captures.windowEnd, windowEnd), lte(captures.windowEnd, windowEnd + MAX_DAY_SPAN_SECONDS))),
  ] as const;

/** Counts the day of a capture again. */
function countDay({ db }: ClassActivityStoreDeps, windowEnd: UnixSeconds) {
  const day = floorDiv(windowEnd, SECONDS_PER_DAY) * SECONDS_PER_DAY;
  const isOfDay = sql`window_end >= ${day} AND window_end < ${day + SECONDS_PER_DAY}`;
  const sumsOf = (kind: keyof ClassValues) => sql`(SELECT json_group_array(json_object('n', n, 'sum', sum, 'max', max)) FROM (
    SELECT count(v.value) AS n, coalesce(sum(v.value), 0) AS sum, max(v.value) AS max
    FROM class_activity_captures, json_each(day_values, ${`$.${kind}`}) AS v WHERE ${isOfDay} GROUP BY v.key ORDER BY v.key))`;
  return [
    db.delete(classActivityDays).where(eq(classActivityDays.day, day)),
    db.insert(classActivityDays).select(
      sql`SELECT ${day}, min(window_end), count(*), sum(window_end), ${sumsOf('active')}, ${sumsOf('clean')}
        FROM class_activity_captures WHERE ${isOfDay} HAVING count(*) > 0`,
    ),
  ] as const;
}

async function has({ db }: ClassActivityStoreDeps, windowEnd: UnixSeconds): Promise<boolean> {
  return (await db.$count(captures, eq(captures.windowEnd, windowEnd))) > 0;
}

/** Deletes a capture and invalidates the values of later captures whose day includes it. */
async function deleteCapture(deps: ClassActivityStoreDeps, windowEnd: UnixSeconds): Promise<void> {
  await deps.db.batch([
    ...invalidateSets(deps, windowEnd),
    deps.db.delete(captures).where(eq(captures.windowEnd, windowEnd)),
    ...countDay(deps, windowEnd),
    countChange(deps.db, 'class-activity'),
  ]);
}

/** Deletes the data of captures after a time. */
async function deleteAfter(deps: ClassActivityStoreDeps, instant: UnixSeconds): Promise<void> {
  await deps.db.batch([
    deps.db.delete(sets).where(gt(sets.anchor, instant)),
    deps.db.delete(captures).where(gt(captures.windowEnd, instant)),
    deps.db.delete(classActivityDays).where(gt(classActivityDays.day, instant)),
    ...countDay(deps, instant),
    countChange(deps.db, 'class-activity'),
  ]);
}

/**
 * Stores a capture with the set of each class, replacing earlier data. Invalidates the values of this capture, which stay until they are
 * recomputed, and of later captures whose day includes it.
 */
async function save(deps: ClassActivityStoreDeps, capture: ClassCapture, byClass: readonly ClassSet[]): Promise<void> {
  const { windowEnd, ...rest } = capture;
  const row = { ...rest, isStale: true };
  const textOf = (hashes: Uint32Array | null) => hashes && encodeHashes(hashes);
  const setRows = byClass.map(({ active, clean }, classIndex) => ({
    classIndex,
    anchor: windowEnd,
    storedAt: capture.computedAt,
    active: textOf(active),
    clean: textOf(clean),
  }));
  await deps.db.batch([
    ...invalidateSets(deps, windowEnd),
    deps.db
      .insert(captures)
      .values({ windowEnd, ...row, dayValues: UNKNOWN })
      .onConflictDoUpdate({ target: captures.windowEnd, set: row }),
    ...countDay(deps, windowEnd),
    ...setRows.map((set) => deps.db.insert(sets).values(set)),
    countChange(deps.db, 'class-activity'),
  ]);
}

/**
 * Stores recomputed values; null: the stored ones stay. A change of any figure since `revision` may have changed the sets: then nothing is
 * stored and the values stay stale.
 */
async function saveValues(
  deps: ClassActivityStoreDeps,
  { windowEnd, revision }: StaleClassCapture,
  values: ClassValues | null,
): Promise<void> {
  await deps.db.batch([
    deps.db
      .update(captures)
      .set({ ...(values && { dayValues: values }), isStale: false })
      .where(and(eq(captures.windowEnd, windowEnd), eq(revisionOf('class-activity'), revision))),
    ...countDay(deps, windowEnd),
    countChange(deps.db, 'class-activity'),
  ]);
}

/** The values of a capture if they are outdated, otherwise null. */
async function findStale({ db }: ClassActivityStoreDeps, windowEnd: UnixSeconds): Promise<StaleClassCapture | null> {
  const [row] = await db
    .select({ windowEnd: captures.windowEnd, dayValues: captures.dayValues, revision: revisionOf('class-activity') })
    .from(captures)
    .where(and(eq(captures.windowEnd, windowEnd), eq(captures.isStale, true)));
  return row ?? null;
}

/** Captures whose values are outdated, oldest first. */
async function listStale({ db }: ClassActivityStoreDeps, limit: number): Promise<UnixSeconds[]> {
  const { windowEnd, isStale } = captures;
  const rows = await db.select({ windowEnd }).from(captures).where(eq(isStale, true)).orderBy(asc(windowEnd)).limit(limit);
  return rows.map((row) => row.windowEnd);
}

async function newestUntil({ db }: ClassActivityStoreDeps, instant: UnixSeconds): Promise<UnixSeconds | null> {
  const { windowEnd } = captures;
  const rows = await db.select({ windowEnd }).from(captures).where(lte(windowEnd, instant)).orderBy(desc(windowEnd)).limit(1);
  return rows[0]?.windowEnd ?? null;
}

async function countCaptures({ db }: ClassActivityStoreDeps, after: UnixSeconds, until: UnixSeconds): Promise<number> {
  const isInside = and(gt(captures.windowEnd, after), lte(captures.windowEnd, until));
  const rows = await db.select({ count: count() }).from(captures).where(isInside);
  return rows[0]?.count ?? 0;
}

async function listSets({ db }: ClassActivityStoreDeps, classIndex: number, after: UnixSeconds, until: UnixSeconds): Promise<ClassSet[]> {
  const rows = await db
    .select({ active: sets.active, clean: sets.clean })
    .from(sets)
    .where(and(eq(sets.classIndex, classIndex), gt(sets.anchor, after), lte(sets.anchor, until)));
  const hashesOf = (text: string | null) => (text === null ? null : decodeHashes(text));
  return rows.map(({ active, clean }) => ({ active: hashesOf(active), clean: hashesOf(clean) }));
}

/** The newest capture, with the revision of all figures. */
async function newest({ reads }: ClassActivityStoreDeps): Promise<(ClassCapture & Revised) | null> {
  const [row] = await reads
    .select({ ...getTableColumns(captures), revision: revisionOf('class-activity') })
    .from(captures)
    .orderBy(desc(captures.windowEnd))
    .limit(1);
  return row ?? null;
}

/** Days of captures, oldest first. */
function listDays({ reads }: ClassActivityStoreDeps): Promise<ClassDay[]> {
  return reads.select().from(classActivityDays).orderBy(asc(classActivityDays.day));
}

/** Values of captures, oldest first. */
async function listSamples({ reads }: ClassActivityStoreDeps, since: UnixSeconds, until: UnixSeconds): Promise<ClassSample[]> {
  const { windowEnd, dayValues } = captures;
  const rows = await reads
    .select({ at: windowEnd, values: dayValues })
    .from(captures)
    .where(between(windowEnd, since, until))
    .orderBy(desc(windowEnd))
    .limit(MAX_SAMPLES);
  return rows.reverse();
}

/** Deletes sets that no union needs. */
async function deleteExpiredSets({ db }: ClassActivityStoreDeps, now: UnixSeconds): Promise<void> {
  await db.delete(sets).where(and(lt(sets.anchor, now - CLASS_SETS_TTL_SECONDS), lt(sets.storedAt, now - SECONDS_PER_DAY)));
}
