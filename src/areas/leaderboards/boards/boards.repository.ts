import { and, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm';
import type { PublicReads } from '../../../platform/storage/database.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { type Capture, isVisible } from '../captures/captures.repository.ts';
import type { ContestType } from '../ingest/dump.domain.ts';
import { boardCaptures, boards, captureBoards } from '../leaderboards.tables.ts';

/** Names of a board, and whether it is a contest at the capture. */
export interface StoredBoard {
  uuid: number;
  nameId: string;
  name: string;
  categoryId: string;
  category: string;
  contestType: ContestType | null;
}

export type BoardName = Omit<StoredBoard, 'contestType'>;

/** A board at a capture. */
export interface BoardAt {
  board: StoredBoard;
  capture: Capture;
  entries: number;
}

/** The first row of a board at a capture. */
export interface Leader {
  uuid: number;
  anchor: UnixSeconds;
  playerName: string;
  score: number;
}

/** Board metadata without rows. */
export interface BoardsRepository {
  /** Boards with rows at the first of the anchors that has a capture. */
  listAt(anchors: readonly UnixSeconds[]): Promise<BoardAt[]>;
  /** A board as its newest capture has it; null for one that no capture ever had. */
  find(uuid: number): Promise<StoredBoard | null>;
  /** Names of boards. */
  named(uuids: readonly number[]): Promise<BoardName[]>;
  /** Captures in which the board was a contest, newest first. */
  contests(uuid: number, limit: number): Promise<{ time: UnixSeconds; type: ContestType }[]>;
  /** The board at the first of the anchors that has a capture; null when that capture has no rows of it. */
  at(uuid: number, anchors: readonly UnixSeconds[]): Promise<BoardAt | null>;
  /** The board at its newest capture with rows strictly before an instant. */
  newestBefore(uuid: number, instant: UnixSeconds): Promise<BoardAt | null>;
  /** For each board the newest capture with rows of it strictly before its instant, by index; null where there is none. */
  anchorsBefore(asked: readonly { uuid: number; before: UnixSeconds }[]): Promise<(UnixSeconds | null)[]>;
  /** The boards of some captures: those of a player's rows. */
  listed(asked: readonly { uuid: number; anchor: UnixSeconds }[]): Promise<BoardAt[]>;
  /** First rows of a range of boards at the newest capture. */
  leaders(first: number, last: number): Promise<Leader[]>;
}

const columns = {
  board: {
    uuid: boards.uuid,
    nameId: boards.nameId,
    name: boards.name,
    categoryId: boards.categoryId,
    category: boards.category,
    contestType: captureBoards.contestType,
  },
  capture: boardCaptures,
  entries: captureBoards.entries,
};

const hasRows = gt(captureBoards.entries, 0);

export function createBoardsRepository(db: PublicReads): BoardsRepository {
  const visibleBoards = () =>
    db.select(columns).from(captureBoards).innerJoin(boardCaptures, isVisible).innerJoin(boards, eq(boards.uuid, captureBoards.uuid));

  /** The first of the anchors that has a capture, as a subquery. */
  const firstOf = (anchors: readonly UnixSeconds[]) =>
    sql`(SELECT anchor FROM board_captures JOIN json_each(${JSON.stringify(anchors)}) ON value = anchor ORDER BY key LIMIT 1)`;

  return {
    listAt: (anchors) =>
      visibleBoards()
        .where(and(eq(captureBoards.anchor, firstOf(anchors)), hasRows))
        .execute(),

    async find(uuid) {
      const [rows, newest] = await db.batch([
        db.select().from(boards).where(eq(boards.uuid, uuid)),
        db
          .select({ contestType: captureBoards.contestType })
          .from(captureBoards)
          .innerJoin(boardCaptures, isVisible)
          .where(eq(captureBoards.uuid, uuid))
          .orderBy(desc(captureBoards.anchor))
          .limit(1),
      ]);
      const [row] = rows;
      if (!row) return null;
      const { anchor: _, ...board } = row;
      return { ...board, contestType: newest[0]?.contestType ?? null };
    },

    async named(uuids) {
      const { anchor: _, ...names } = getTableColumns(boards);
      return db
        .select(names)
        .from(boards)
        .where(inArray(boards.uuid, sql`(SELECT value FROM json_each(${JSON.stringify(uuids)}))`));
    },

    async contests(uuid, limit) {
      const rows = await db
        .select({ time: captureBoards.anchor, type: captureBoards.contestType })
        .from(captureBoards)
        .innerJoin(boardCaptures, isVisible)
        .where(and(eq(captureBoards.uuid, uuid), isNotNull(captureBoards.contestType)))
        .orderBy(desc(captureBoards.anchor))
        .limit(limit);
      return rows.flatMap(({ time, type }) => (type === null ? [] : [{ time, type }]));
    },

    async at(uuid, anchors) {
      const rows = await visibleBoards()
        .where(and(eq(captureBoards.uuid, uuid), eq(captureBoards.anchor, firstOf(anchors)), hasRows))
        .limit(1);
      return rows[0] ?? null;
    },

    async newestBefore(uuid, instant) {
      const rows = await visibleBoards()
        .where(and(eq(captureBoards.uuid, uuid), lt(captureBoards.anchor, instant), hasRows))
        .orderBy(desc(captureBoards.anchor))
        .limit(1);
      return rows[0] ?? null;
    },

    async anchorsBefore(asked) {
      if (asked.length === 0) return [];
      const rows = await db.all<{ key: number; anchor: number | null }>(sql`
        SELECT asked.key AS key, (
          SELECT b.anchor FROM capture_boards b JOIN board_captures c ON c.anchor = b.anchor AND c.version = b.version
          WHERE b.uuid = asked.value->>'uuid' AND b.anchor < asked.value->>'before' AND b.entries > 0
          ORDER BY b.anchor DESC LIMIT 1
        ) AS anchor FROM json_each(${JSON.stringify(asked)}) asked`);
      const found: (UnixSeconds | null)[] = asked.map(() => null);
      for (const { key, anchor } of rows) found[key] = anchor;
      return found;
    },

    async listed(asked) {
      const uuids = sql`(SELECT DISTINCT value->>'uuid' FROM json_each(${JSON.stringify(asked)}))`;
      const anchors = sql`(SELECT DISTINCT value->>'anchor' FROM json_each(${JSON.stringify(asked)}))`;
      return visibleBoards().where(and(inArray(captureBoards.uuid, uuids), inArray(captureBoards.anchor, anchors)));
    },

    async leaders(first, last) {
      const { uuid, anchor, leaderName, leaderScore } = captureBoards;
      const rows = await db
        .select({ uuid, anchor, playerName: leaderName, score: leaderScore })
        .from(captureBoards)
        .innerJoin(boardCaptures, isVisible)
        .where(and(gte(uuid, first), lte(uuid, last), eq(anchor, sql`(SELECT max(anchor) FROM board_captures)`)));
      return rows.flatMap(({ playerName, score, ...rest }) =>
        playerName === null || score === null ? [] : [{ ...rest, playerName, score }],
      );
    },
  };
}
