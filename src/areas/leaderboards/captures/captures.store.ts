import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import type { BoardMeta, ContestType } from '../ingest/dump.domain.ts';
import { boardCaptures, boards, captureBoards } from '../leaderboards.tables.ts';

/** A published capture. */
export type Capture = typeof boardCaptures.$inferSelect;

/** A board of a capture that is not published yet. */
export interface StagedBoard {
  uuid: number;
  entries: number;
  contestType: ContestType | null;
  leaderName: string | null;
  leaderScore: number | null;
}

export type PackKind = 'boards' | 'players';

/** Captures: reads, staging and publication, packs. */
export interface CapturesRepository {
  find(anchor: UnixSeconds): Promise<Capture | null>;
  /** The newest capture at or before an instant. */
  newestUntil(instant: UnixSeconds): Promise<Capture | null>;
  /** The oldest capture after an instant. */
  firstAfter(instant: UnixSeconds): Promise<Capture | null>;
  newest(): Promise<Capture | null>;
  count(): Promise<number>;
  /** Anchors, newest first. */
  listAnchors(limit: number): Promise<UnixSeconds[]>;
  /** Captures with `from <= anchor < before`, newest first; with `uuid`, only those that have rows of the board. */
  list(range: { from?: UnixSeconds; before?: UnixSeconds; uuid?: number | undefined; limit: number }): Promise<Capture[]>;
  /** Captures with rows of the board within `seconds` before its newest one, newest first. */
  listRecent(uuid: number, seconds: number, limit: number): Promise<Capture[]>;
  /** Captures within `seconds` before the newest one, newest first. */
  listNewest(seconds: number, limit: number): Promise<Capture[]>;
  /** Captures with `after < anchor <= until`, oldest first. */
  listAfter(range: { after: UnixSeconds; until: UnixSeconds; limit: number }): Promise<Capture[]>;
  listByAnchors(anchors: readonly UnixSeconds[]): Promise<Capture[]>;
  /** Number of rows by uuid of the board. */
  countRows(capture: Pick<Capture, 'anchor' | 'version'>): Promise<Map<number, number>>;

  /** Writes the boards of a version that is not published. Idempotent. */
  stage(anchor: UnixSeconds, version: string, staged: readonly StagedBoard[]): Promise<void>;
  /** Publishes a staged version in one transaction. */
  publish(capture: Omit<Capture, 'boardPack' | 'playerPack'>, metas: readonly BoardMeta[]): Promise<void>;
  /** Unpublishes a capture and returns it; null if there was none. */
  remove(anchor: UnixSeconds): Promise<Capture | null>;
  /** Deletes data staged by other versions of an anchor. */
  deleteOtherVersions(anchor: UnixSeconds, version: string | null): Promise<void>;

  /** Captures before an instant that are not packed, oldest first. */
  listUnpacked(kind: PackKind, before: UnixSeconds, limit: number): Promise<Capture[]>;
  /** Records the pack of captures, except those replaced concurrently. Returns the number of updated captures. */
  setPack(kind: PackKind, captures: readonly Pick<Capture, 'anchor' | 'version'>[], pack: string): Promise<number>;
  /** Number of captures in a pack. */
  countInPack(kind: PackKind, pack: string): Promise<number>;
  /** Clears the keys of deleted raw dumps. */
  clearRawKeys(keys: readonly string[]): Promise<void>;
}

const packColumn = (kind: PackKind) => (kind === 'boards' ? boardCaptures.boardPack : boardCaptures.playerPack);

/** Rows of `capture_boards` are visible if their version is the published one. */
export const isVisible = and(eq(boardCaptures.anchor, captureBoards.anchor), eq(boardCaptures.version, captureBoards.version));

export function createCapturesRepository(db: Database, reads: PublicReads = db): CapturesRepository {
  const first = async (rows: Promise<Capture[]>) => (await rows)[0] ?? null;
  const captures = () => reads.select().from(boardCaptures);

  return {
    find: (anchor) => first(captures().where(eq(boardCaptures.anchor, anchor)).execute()),
    newestUntil: (instant) =>
      first(captures().where(lte(boardCaptures.anchor, instant)).orderBy(desc(boardCaptures.anchor)).limit(1).execute()),
    firstAfter: (instant) =>
      first(captures().where(gt(boardCaptures.anchor, instant)).orderBy(asc(boardCaptures.anchor)).limit(1).execute()),
    newest: () => first(captures().orderBy(desc(boardCaptures.anchor)).limit(1).execute()),

    async count() {
      const [row] = await reads.select({ n: sql<number>`count(*)` }).from(boardCaptures);
      return row?.n ?? 0;
    },

    async listAnchors(limit) {
      const rows = await reads
        .select({ anchor: boardCaptures.anchor })
        .from(boardCaptures)
        .orderBy(desc(boardCaptures.anchor))
        .limit(limit);
      return rows.map(({ anchor }) => anchor);
    },

    async list({ from = 0, before = Number.MAX_SAFE_INTEGER, uuid, limit }) {
      const isInRange = and(gte(boardCaptures.anchor, from), lt(boardCaptures.anchor, before));
      if (uuid === undefined) return captures().where(isInRange).orderBy(desc(boardCaptures.anchor)).limit(limit);
      const rows = await reads
        .select({ capture: boardCaptures })
        .from(captureBoards)
        .innerJoin(boardCaptures, isVisible)
        .where(
          and(
            eq(captureBoards.uuid, uuid),
            gte(captureBoards.anchor, from),
            lt(captureBoards.anchor, before),
            gt(captureBoards.entries, 0),
          ),
        )
        .orderBy(desc(captureBoards.anchor))
        .limit(limit);
      return rows.map(({ capture }) => capture);
    },

    async listRecent(uuid, seconds, limit) {
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
    },

    listNewest: (seconds, limit) =>
      captures()
        .where(gte(boardCaptures.anchor, sql`(SELECT max(anchor) FROM board_captures) - ${seconds}`))
        .orderBy(desc(boardCaptures.anchor))
        .limit(limit)
        .execute(),

    listAfter: ({ after, until, limit }) =>
      captures()
        .where(and(gt(boardCaptures.anchor, after), lte(boardCaptures.anchor, until)))
        .orderBy(asc(boardCaptures.anchor))
        .limit(limit)
        .execute(),

    listByAnchors: (anchors) =>
      captures()
        .where(inArray(boardCaptures.anchor, sql`(SELECT value FROM json_each(${JSON.stringify(anchors)}))`))
        .execute(),

    async countRows({ anchor, version }) {
      const rows = await reads
        .select({ uuid: captureBoards.uuid, entries: captureBoards.entries })
        .from(captureBoards)
        .where(and(eq(captureBoards.anchor, anchor), eq(captureBoards.version, version)));
      return new Map(rows.map(({ uuid, entries }) => [uuid, entries]));
    },

    async stage(anchor, version, staged) {
      await db.run(sql`INSERT OR REPLACE INTO capture_boards (uuid, anchor, version, entries, contest_type, leader_name, leader_score)
        SELECT value->>'uuid', ${anchor}, ${version}, value->>'entries', value->>'contestType', value->>'leaderName', value->>'leaderScore'
        FROM json_each(${JSON.stringify(staged)})`);
    },

    async publish(capture, metas) {
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
    },

    remove: (anchor) => first(db.delete(boardCaptures).where(eq(boardCaptures.anchor, anchor)).returning().execute()),

    async deleteOtherVersions(anchor, version) {
      await db
        .delete(captureBoards)
        .where(and(eq(captureBoards.anchor, anchor), version === null ? undefined : ne(captureBoards.version, version)));
    },

    listUnpacked: (kind, before, limit) =>
      captures()
        .where(and(lt(boardCaptures.anchor, before), isNull(packColumn(kind))))
        .orderBy(asc(boardCaptures.anchor))
        .limit(limit)
        .execute(),

    async setPack(kind, packed, pack) {
      const isUnchanged = or(
        ...packed.map(({ anchor, version }) => and(eq(boardCaptures.anchor, anchor), eq(boardCaptures.version, version))),
      );
      const column = kind === 'boards' ? { boardPack: pack } : { playerPack: pack };
      return (await db.update(boardCaptures).set(column).where(isUnchanged)).meta.changes;
    },

    async countInPack(kind, pack) {
      return db.$count(boardCaptures, eq(packColumn(kind), pack));
    },

    async clearRawKeys(keys) {
      const listed = sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`;
      await db.update(boardCaptures).set({ rawKey: null }).where(inArray(boardCaptures.rawKey, listed));
    },
  };
}
