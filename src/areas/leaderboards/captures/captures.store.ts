import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type Database, type PublicReads, runInOneTransaction } from '../../../platform/storage/database.ts';
import type { BoardMeta } from '../dump.domain.ts';
import { boardCaptures, boards, captureBoards } from '../leaderboards.tables.ts';

/** A published capture. */
export type Capture = typeof boardCaptures.$inferSelect;

/** A board of a capture that is not published yet. */
export type StagedBoard = Pick<typeof captureBoards.$inferSelect, 'uuid' | 'entries' | 'contestType' | 'leaderName' | 'leaderScore'>;

export type PackKind = 'boards' | 'players';

/** Captures: reads, staging and publication, packs. */
export type CapturesStore = ReturnType<typeof createCapturesStore>;

const packColumn = (kind: PackKind) => (kind === 'boards' ? boardCaptures.boardPack : boardCaptures.playerPack);

/** Rows of `capture_boards` are visible if their version is the published one. */
export const isVisible = and(eq(boardCaptures.anchor, captureBoards.anchor), eq(boardCaptures.version, captureBoards.version));

interface CapturesStoreDeps {
  db: Database;
  reads: PublicReads;
}

export function createCapturesStore(db: Database, reads: PublicReads = db) {
  const deps: CapturesStoreDeps = { db, reads };
  return bind(deps, {
    find,
    newestUntil,
    firstAfter,
    newest,
    count,
    listAnchors,
    list,
    listRecent,
    listNewest,
    listAfter,
    listByAnchors,
    listBoards,
    countRows,
    stage,
    publish,
    remove,
    withdrawBoardNames,
    deleteOtherVersions,
    listUnpacked,
    setPack,
    countInPack,
    clearRawKeys,
  });
}

const first = async (rows: Promise<Capture[]>) => (await rows)[0] ?? null;

const captures = ({ reads }: CapturesStoreDeps) => reads.select().from(boardCaptures);

const find = (deps: CapturesStoreDeps, anchor: UnixSeconds): Promise<Capture | null> =>
  first(captures(deps).where(eq(boardCaptures.anchor, anchor)).execute());

/** The newest capture at or before an instant. */
const newestUntil = (deps: CapturesStoreDeps, instant: UnixSeconds): Promise<Capture | null> =>
  first(captures(deps).where(lte(boardCaptures.anchor, instant)).orderBy(desc(boardCaptures.anchor)).limit(1).execute());

/** The oldest capture after an instant. */
const firstAfter = (deps: CapturesStoreDeps, instant: UnixSeconds): Promise<Capture | null> =>
  first(captures(deps).where(gt(boardCaptures.anchor, instant)).orderBy(asc(boardCaptures.anchor)).limit(1).execute());

const newest = (deps: CapturesStoreDeps): Promise<Capture | null> =>
  first(captures(deps).orderBy(desc(boardCaptures.anchor)).limit(1).execute());

async function count({ reads }: CapturesStoreDeps): Promise<number> {
  const [row] = await reads.select({ n: sql<number>`count(*)` }).from(boardCaptures);
  return row?.n ?? 0;
}

/** Anchors, newest first. */
async function listAnchors({ reads }: CapturesStoreDeps, limit: number): Promise<UnixSeconds[]> {
  const rows = await reads.select({ anchor: boardCaptures.anchor }).from(boardCaptures).orderBy(desc(boardCaptures.anchor)).limit(limit);
  return rows.map(({ anchor }) => anchor);
}

/** Captures with `from <= anchor < before`, newest first; with `uuid`, only those that have rows of the board. */
async function list(
  deps: CapturesStoreDeps,
  {
    from = 0,
    before = Number.MAX_SAFE_INTEGER,
    uuid,
    limit,
  }: {
    from?: UnixSeconds;
    before?: UnixSeconds;
    uuid?: number | undefined;
    limit: number;
  },
): Promise<Capture[]> {
  const isInRange = and(gte(boardCaptures.anchor, from), lt(boardCaptures.anchor, before));
  if (uuid === undefined) return captures(deps).where(isInRange).orderBy(desc(boardCaptures.anchor)).limit(limit);
  const rows = await deps.reads
    .select({ capture: boardCaptures })
    .from(captureBoards)
    .innerJoin(boardCaptures, isVisible)
    .where(
      and(eq(captureBoards.uuid, uuid), gte(captureBoards.anchor, from), lt(captureBoards.anchor, before), gt(captureBoards.entries, 0)),
    )
    .orderBy(desc(captureBoards.anchor))
    .limit(limit);
  return rows.map(({ capture }) => capture);
}

/** Captures with rows of the board within `seconds` before its newest one, newest first. */
async function listRecent({ reads }: CapturesStoreDeps, uuid: number, seconds: number, limit: number): Promise<Capture[]> {
  const hasRows = and(eq(captureBoards.uuid, uuid), gt(captureBoards.entries, 0));
  const newest = reads
    .select({ anchor: captureBoards.anchor })
    .from(captureBoards)
    .innerJoin(boardCaptures, isVisible)
    .where(hasRows)
    .orderBy(desc(captureBoards.anchor))
    .limit(1);
  const rows = await reads
    .select({ capture: boardCaptures })
    .from(captureBoards)
    .innerJoin(boardCaptures, isVisible)
    .where(and(hasRows, gte(captureBoards.anchor, sql`(${newest}) - ${seconds}`)))
    .orderBy(desc(captureBoards.anchor))
    .limit(limit);
  return rows.map(({ capture }) => capture);
}

/** Captures within `seconds` before the newest one, newest first. */
const listNewest = (deps: CapturesStoreDeps, seconds: number, limit: number): Promise<Capture[]> =>
  captures(deps)
    .where(gte(boardCaptures.anchor, sql`(SELECT max(anchor) FROM board_captures) - ${seconds}`))
    .orderBy(desc(boardCaptures.anchor))
    .limit(limit)
    .execute();

/** Captures with `after < anchor <= until`, oldest first. */
const listAfter = (
  deps: CapturesStoreDeps,
  { after, until, limit }: { after: UnixSeconds; until: UnixSeconds; limit: number },
): Promise<Capture[]> =>
  captures(deps)
    .where(and(gt(boardCaptures.anchor, after), lte(boardCaptures.anchor, until)))
    .orderBy(asc(boardCaptures.anchor))
    .limit(limit)
    .execute();

/** The captures with these anchors, oldest first. */
const listByAnchors = (deps: CapturesStoreDeps, anchors: readonly UnixSeconds[]): Promise<Capture[]> =>
  captures(deps)
    .where(inArray(boardCaptures.anchor, sql`(SELECT value FROM json_each(${JSON.stringify(anchors)}))`))
    .orderBy(asc(boardCaptures.anchor))
    .execute();

/** Uuids of the boards of any of these captures. */
async function listBoards({ reads }: CapturesStoreDeps, versions: readonly Pick<Capture, 'anchor' | 'version'>[]): Promise<number[]> {
  const listed = JSON.stringify(versions.map(({ anchor, version }) => [anchor, version]));
  const rows = await reads
    .selectDistinct({ uuid: captureBoards.uuid })
    .from(captureBoards)
    .where(sql`(${captureBoards.anchor}, ${captureBoards.version}) IN (SELECT value->>0, value->>1 FROM json_each(${listed}))`);
  return rows.map(({ uuid }) => uuid);
}

/** Number of rows by uuid of the board. */
async function countRows(
  { reads }: CapturesStoreDeps,
  { anchor, version }: Pick<Capture, 'anchor' | 'version'>,
): Promise<Map<number, number>> {
  const rows = await reads
    .select({ uuid: captureBoards.uuid, entries: captureBoards.entries })
    .from(captureBoards)
    .where(and(eq(captureBoards.anchor, anchor), eq(captureBoards.version, version)));
  return new Map(rows.map(({ uuid, entries }) => [uuid, entries]));
}

/** Writes the boards of a version that is not published. Idempotent. */
async function stage({ db }: CapturesStoreDeps, anchor: UnixSeconds, version: string, staged: readonly StagedBoard[]): Promise<void> {
  await db.run(sql`INSERT OR REPLACE INTO capture_boards (uuid, anchor, version, entries, contest_type, leader_name, leader_score)
    SELECT value->>'uuid', ${anchor}, ${version}, value->>'entries', value->>'contestType', value->>'leaderName', value->>'leaderScore'
    FROM json_each(${JSON.stringify(staged)})`);
}

/** Publishes a staged version in one transaction. */
async function publish(
  { db }: CapturesStoreDeps,
  capture: Omit<Capture, 'boardPack' | 'playerPack'>,
  metas: readonly BoardMeta[],
): Promise<void> {
  const row = { ...capture, boardPack: null, playerPack: null };
  const names = db
    .insert(boards)
    .select(
      sql`SELECT value->>'uuid', value->>'nameId', value->>'name', value->>'categoryId', value->>'category', ${capture.anchor}
        FROM json_each(${JSON.stringify(metas)}) WHERE true`,
    )
    .onConflictDoUpdate({
      target: boards.uuid,
      set: {
        nameId: sql`excluded.name_id`,
        name: sql`excluded.name`,
        categoryId: sql`excluded.category_id`,
        category: sql`excluded.category`,
        anchor: sql`excluded.anchor`,
      },
      // An older capture that is inserted later does not restore old names.
      setWhere: sql`excluded.anchor >= ${boards.anchor}`,
    });
  const visible = db.insert(boardCaptures).values(row).onConflictDoUpdate({ target: boardCaptures.anchor, set: row });
  await db.batch([names, visible]);
}

/** Unpublishes a capture and returns it; null if there was none. */
const remove = ({ db }: CapturesStoreDeps, anchor: UnixSeconds): Promise<Capture | null> =>
  first(db.delete(boardCaptures).where(eq(boardCaptures.anchor, anchor)).returning().execute());

/**
 * Of the boards whose newest capture was this one and that it no longer has: deletes those that no capture has. The others
 * keep their names, because captures do not store names, until a capture after their newest one is inserted.
 */
async function withdrawBoardNames({ db }: CapturesStoreDeps, anchor: UnixSeconds): Promise<void> {
  const newest = sql`(SELECT max(b.anchor) FROM capture_boards b JOIN board_captures c ON c.anchor = b.anchor AND c.version = b.version
    WHERE b.uuid = boards.uuid)`;
  await runInOneTransaction(db, [
    sql`DELETE FROM boards WHERE anchor = ${anchor} AND ${newest} IS NULL`,
    sql`UPDATE boards SET anchor = ${newest} WHERE anchor = ${anchor}`,
  ]);
}

/** Deletes data staged by other versions of an anchor. */
async function deleteOtherVersions({ db }: CapturesStoreDeps, anchor: UnixSeconds, version: string | null): Promise<void> {
  await db
    .delete(captureBoards)
    .where(and(eq(captureBoards.anchor, anchor), version === null ? undefined : ne(captureBoards.version, version)));
}

/** Captures before an instant that are not packed, oldest first. */
const listUnpacked = (deps: CapturesStoreDeps, kind: PackKind, before: UnixSeconds, limit: number): Promise<Capture[]> =>
  captures(deps)
    .where(and(lt(boardCaptures.anchor, before), isNull(packColumn(kind))))
    .orderBy(asc(boardCaptures.anchor))
    .limit(limit)
    .execute();

/** Records the pack of captures, except those replaced concurrently. Returns the number of updated captures. */
async function setPack(
  { db }: CapturesStoreDeps,
  kind: PackKind,
  packed: readonly Pick<Capture, 'anchor' | 'version'>[],
  pack: string,
): Promise<number> {
  const isUnchanged = or(...packed.map(({ anchor, version }) => and(eq(boardCaptures.anchor, anchor), eq(boardCaptures.version, version))));
  const column = kind === 'boards' ? { boardPack: pack } : { playerPack: pack };
  return (await db.update(boardCaptures).set(column).where(isUnchanged)).meta.changes;
}

/** Number of captures in a pack. */
async function countInPack({ db }: CapturesStoreDeps, kind: PackKind, pack: string): Promise<number> {
  return db.$count(boardCaptures, eq(packColumn(kind), pack));
}

/** Clears the keys of deleted raw dumps. */
async function clearRawKeys({ db }: CapturesStoreDeps, keys: readonly string[]): Promise<void> {
  const listed = sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`;
  await db.update(boardCaptures).set({ rawKey: null }).where(inArray(boardCaptures.rawKey, listed));
}
