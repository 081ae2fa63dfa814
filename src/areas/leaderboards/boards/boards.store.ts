import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import { GAME_OFFSET_SECONDS, SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { PublicReads } from '../../../platform/storage/database.ts';
import type { BoardColumns } from '../captures/board-rows.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.store.ts';
import { type Capture, isVisible } from '../captures/captures.store.ts';
import type { ContestType } from '../dump.domain.ts';
import { MAX_BOARDS } from '../leaderboards.data.ts';
import { boardCaptures, boards, captureBoards } from '../leaderboards.tables.ts';

export type BoardName = Omit<typeof boards.$inferSelect, 'anchor'>;

/** Names of a board, and its contest at the capture. */
export interface StoredBoard extends BoardName {
  contestType: ContestType | null;
}

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
export type BoardsStore = ReturnType<typeof createBoardsStore>;

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

const { anchor: _, ...nameColumns } = getTableColumns(boards);

const hasRows = gt(captureBoards.entries, 0);

/** Literals: a bound number may be a float, which would not divide to an integer. */
const DAY = sql.raw(String(SECONDS_PER_DAY));
const OFFSET = sql.raw(String(GAME_OFFSET_SECONDS));

/** Anchor of the newest capture before an instant (exclusive) that has rows of the board, as a subquery. */
const newestAnchor = (uuid: number, before: UnixSeconds) =>
  sql`(SELECT b.anchor FROM capture_boards b JOIN board_captures c ON c.anchor = b.anchor AND c.version = b.version
    WHERE b.uuid = ${uuid} AND b.anchor < ${before} AND b.entries > 0 ORDER BY b.anchor DESC LIMIT 1)`;

export function createBoardsStore(db: PublicReads) {
  return bind(db, {
    listAt,
    listUntil,
    find,
    listNames,
    listNamesAfter,
    listContests,
    at,
    newestBefore,
    withEarlierDay,
    acrossDays,
    listCapturesBefore,
    listAtCaptures,
    listLeaders,
  });
}

const visibleBoards = (db: PublicReads) =>
  db.select(columns).from(captureBoards).innerJoin(boardCaptures, isVisible).innerJoin(boards, eq(boards.uuid, captureBoards.uuid));

/** The first of the anchors that has a capture, as a subquery. */
const firstOf = (anchors: readonly UnixSeconds[]) =>
  sql`(SELECT anchor FROM board_captures JOIN json_each(${JSON.stringify(anchors)}) ON value = anchor ORDER BY key LIMIT 1)`;

const listBoards = (db: PublicReads, anchor: SQL) =>
  visibleBoards(db)
    .where(and(eq(captureBoards.anchor, anchor), hasRows))
    .execute();

/** Boards that have rows at the first of the anchors that has a capture. */
const listAt = (db: PublicReads, anchors: readonly UnixSeconds[]): Promise<BoardAt[]> => listBoards(db, firstOf(anchors));

/** Boards that have rows at the newest capture at or before an instant. */
const listUntil = (db: PublicReads, instant: UnixSeconds): Promise<BoardAt[]> =>
  listBoards(db, sql`(SELECT max(anchor) FROM board_captures WHERE anchor <= ${instant})`);

/** A board as of its newest capture; null if no capture has it. */
async function find(db: PublicReads, uuid: number): Promise<StoredBoard | null> {
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
}

/** All boards, as of their newest capture; at most `MAX_BOARDS`. */
const listNames = (db: PublicReads): Promise<BoardName[]> =>
  db.select(nameColumns).from(boards).orderBy(boards.uuid).limit(MAX_BOARDS).execute();

/** Boards after a uuid in the order of uuids, as of their newest capture. */
const listNamesAfter = (db: PublicReads, uuid: number, limit: number): Promise<BoardName[]> =>
  db.select(nameColumns).from(boards).where(gt(boards.uuid, uuid)).orderBy(boards.uuid).limit(limit).execute();

/** Captures in which the board was a contest, newest first. */
async function listContests(db: PublicReads, uuid: number, limit: number): Promise<{ time: UnixSeconds; type: ContestType }[]> {
  const rows = await db
    .select({ time: captureBoards.anchor, type: captureBoards.contestType })
    .from(captureBoards)
    .innerJoin(boardCaptures, isVisible)
    .where(and(eq(captureBoards.uuid, uuid), isNotNull(captureBoards.contestType)))
    .orderBy(desc(captureBoards.anchor))
    .limit(limit);
  return rows.flatMap(({ time, type }) => (type === null ? [] : [{ time, type }]));
}

/** The board at the first of the anchors that has a capture; null if that capture has no rows of the board. */
async function at(db: PublicReads, uuid: number, anchors: readonly UnixSeconds[]): Promise<BoardAt | null> {
  const rows = await visibleBoards(db)
    .where(and(eq(captureBoards.uuid, uuid), eq(captureBoards.anchor, firstOf(anchors)), hasRows))
    .limit(1);
  return rows[0] ?? null;
}

/** The board at the newest capture before an instant (exclusive) that has rows of the board. */
async function newestBefore(db: PublicReads, uuid: number, instant: UnixSeconds): Promise<BoardAt | null> {
  const rows = await visibleBoards(db)
    .where(and(eq(captureBoards.uuid, uuid), lt(captureBoards.anchor, instant), hasRows))
    .orderBy(desc(captureBoards.anchor))
    .limit(1);
  return rows[0] ?? null;
}

/**
 * The board at the newest capture before an instant, or at the first of the anchors that has one, and at the newest capture before the
 * game day of that capture, in one read.
 */
async function withEarlierDay(
  db: PublicReads,
  uuid: number,
  wanted: { before: UnixSeconds } | { anchors: readonly UnixSeconds[] },
): Promise<[BoardAt | null, BoardAt | null]> {
  const anchor = 'before' in wanted ? newestAnchor(uuid, wanted.before) : firstOf(wanted.anchors);
  const dayStart = sql`((${anchor} - ${OFFSET}) / ${DAY}) * ${DAY} + ${OFFSET}`;
  const isBoard = and(eq(captureBoards.uuid, uuid), hasRows);
  const [[at], [earlier]] = await db.batch([
    visibleBoards(db)
      .where(and(isBoard, eq(captureBoards.anchor, anchor)))
      .limit(1),
    visibleBoards(db)
      .where(and(isBoard, lt(captureBoards.anchor, dayStart)))
      .orderBy(desc(captureBoards.anchor))
      .limit(1),
  ]);
  return [at ?? null, earlier ?? null];
}

/**
 * The board at its newest capture, and at the newest capture at least `days` older, or at the oldest one if all are younger, in one
 * read. `earlier` is null for a board with one capture.
 */
async function acrossDays(db: PublicReads, uuid: number, days: number): Promise<{ at: BoardAt | null; earlier: BoardAt | null }> {
  const newest = newestAnchor(uuid, Number.MAX_SAFE_INTEGER);
  const start = sql`${newest} - ${days * SECONDS_PER_DAY}`;
  const isBoard = and(eq(captureBoards.uuid, uuid), hasRows);
  const [[at], [before], [oldest]] = await db.batch([
    visibleBoards(db)
      .where(and(isBoard, eq(captureBoards.anchor, newest)))
      .limit(1),
    visibleBoards(db)
      .where(and(isBoard, lte(captureBoards.anchor, start)))
      .orderBy(desc(captureBoards.anchor))
      .limit(1),
    visibleBoards(db)
      .where(and(isBoard, gt(captureBoards.anchor, start), lt(captureBoards.anchor, newest)))
      .orderBy(asc(captureBoards.anchor))
      .limit(1),
  ]);
  return { at: at ?? null, earlier: before ?? oldest ?? null };
}

/** The capture of `newestBefore` for many boards: one result per item, null if there is none. */
async function listCapturesBefore(
  db: PublicReads,
  requested: readonly { uuid: number; before: UnixSeconds }[],
): Promise<(Capture | null)[]> {
  if (requested.length === 0) return [];
  const before = sql`(SELECT b.anchor FROM capture_boards b JOIN board_captures c ON c.anchor = b.anchor AND c.version = b.version
    WHERE b.uuid = requested.value->>'uuid' AND b.anchor < requested.value->>'before' AND b.entries > 0
    ORDER BY b.anchor DESC LIMIT 1)`;
  const rows = await db
    .select({ key: sql<number>`requested.key`, capture: boardCaptures })
    .from(sql`json_each(${JSON.stringify(requested)}) requested`)
    .innerJoin(boardCaptures, eq(boardCaptures.anchor, before));
  const captures: (Capture | null)[] = requested.map(() => null);
  for (const { key, capture } of rows) captures[key] = capture;
  return captures;
}

/** Boards of the listed captures. May return more combinations than requested. */
async function listAtCaptures(db: PublicReads, requested: readonly { uuid: number; anchor: UnixSeconds }[]): Promise<BoardAt[]> {
  const uuids = sql`(SELECT DISTINCT value->>'uuid' FROM json_each(${JSON.stringify(requested)}))`;
  const anchors = sql`(SELECT DISTINCT value->>'anchor' FROM json_each(${JSON.stringify(requested)}))`;
  return visibleBoards(db).where(and(inArray(captureBoards.uuid, uuids), inArray(captureBoards.anchor, anchors)));
}

/** First rows of the boards `first` to `last` at the newest capture. */
async function listLeaders(db: PublicReads, first: number, last: number): Promise<Leader[]> {
  const { uuid, anchor, leaderName, leaderScore } = captureBoards;
  const rows = await db
    .select({ uuid, anchor, playerName: leaderName, score: leaderScore })
    .from(captureBoards)
    .innerJoin(boardCaptures, isVisible)
    .where(and(gte(uuid, first), lte(uuid, last), eq(anchor, sql`(SELECT max(anchor) FROM board_captures)`)));
  return rows.flatMap(({ playerName, score, ...rest }) => (playerName === null || score === null ? [] : [{ ...rest, playerName, score }]));
}

const RETRY_SECONDS = 5;

/** Fields that locate the rows of a board at a capture. */
type RowsLocation = { board: { uuid: number }; capture: BoardAt['capture'] };

/** Reads the rows of a board at a capture. */
export function rowsOf(at: RowsLocation, boards: BoardsStore, objects: CaptureObjects): Promise<BoardColumns> {
  return readWithRetry(at, boards, objects.board);
}

/** Reads the encoded rows of a board at a capture. */
export function rowTextOf(at: RowsLocation, boards: BoardsStore, objects: CaptureObjects): Promise<string> {
  return readWithRetry(at, boards, objects.boardText);
}

/**
 * Retries once with a fresh lookup: a capture can be replaced or packed between the lookup and the read of the object.
 */
async function readWithRetry<Rows>(
  { board, capture }: RowsLocation,
  boards: BoardsStore,
  reader: (capture: BoardAt['capture'], uuid: number) => Promise<Rows | null>,
): Promise<Rows> {
  const rows = await reader(capture, board.uuid);
  if (rows !== null) return rows;
  const current = await boards.at(board.uuid, [capture.anchor]);
  const currentRows = current && (await reader(current.capture, board.uuid));
  if (currentRows !== null) return currentRows;
  throw new ApiError('service_unavailable', 'the capture is being replaced', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
}
