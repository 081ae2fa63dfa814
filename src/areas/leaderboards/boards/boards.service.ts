import pMap from 'p-map';
import { bind } from '../../../platform/kit/bind.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { WantedCapture } from '../anchors.domain.ts';
import { type BoardColumns, comparedName, earlierRow, findRows, isRowOf, rowAt, splitLines } from '../captures/board-rows.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.store.ts';
import type { CapturesStore } from '../captures/captures.store.ts';
import type { ContestType } from '../dump.domain.ts';
import {
  GEODE_MASTERY_BOARD,
  HEALTH_SAMPLE,
  MASTERY_BOARD,
  MAX_CONTESTS,
  MAX_SERIES_CAPTURES,
  MAX_WINDOW_CAPTURES,
  OBJECT_CONCURRENCY,
  POWER_RANK_BOARDS,
} from '../leaderboards.data.ts';
import { KNOWN_BOARDS } from './board-table.data.ts';
import {
  type Comparison,
  cadenceOf,
  compareWith,
  type Entry,
  parseResetOverrides,
  type SeriesPoint,
  sampleEvenly,
  seriesPoints,
  toEntry,
} from './boards.domain.ts';
import { type BoardAt, type BoardsStore, type Leader, rowsOf, rowTextOf, type StoredBoard } from './boards.store.ts';
import { type BoardHealth, boardHealth, type Gains, type GainWindow, gainWindow, largestGains } from './insights.domain.ts';

export interface EntriesPage {
  uuid: number;
  /** Null if the capture does not exist. */
  anchor: UnixSeconds | null;
  items: Entry[];
  total: number;
  comparison: Comparison;
}

/** Window of a series, with its captures. */
export interface SeriesWindow {
  days: number;
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
  /** Captures in the window, ascending. */
  anchors: UnixSeconds[];
}

interface BoardHistory extends SeriesWindow {
  uuid: number;
  series: { playerName: string; currentRank: number; points: SeriesPoint[] }[];
}

export interface HealthReport extends BoardHealth {
  board: StoredBoard;
  anchor: UnixSeconds;
  comparison: Comparison;
  population: number;
  sampleSize: number;
}

interface BoardLeaders {
  board: StoredBoard;
  anchor: UnixSeconds;
  rows: { rank: number; playerName: string; score: number }[];
}

export interface GainsReport extends GainWindow, Gains {
  board: StoredBoard;
  days: number;
}

export interface Records {
  mastery: Leader | null;
  geodeMastery: Leader | null;
  powerRank: Leader | null;
}

export type BoardsService = ReturnType<typeof createBoardsService>;

interface BoardsServiceDeps {
  captures: CapturesStore;
  boards: BoardsStore;
  objects: CaptureObjects;
}

const boardNotFound = () => notFound('leaderboard not found');
const NO_UPPER_BOUND = Number.MAX_SAFE_INTEGER;

export function createBoardsService(deps: BoardsServiceDeps) {
  return bind(deps, { newestLeaders, timestamps, boardsAt, board, entries, history, health, leaders, gains, records });
}

/** A page of rows, compared with the newest capture before the game day. */
async function listCompared(
  { boards, objects }: BoardsServiceDeps,
  at: BoardAt,
  earlier: BoardAt | null,
  { offset, limit }: { offset: number; limit: number },
  settings: Settings,
) {
  const { board, capture } = at;
  const cadence = cadenceOf(board.uuid, parseResetOverrides(settings.leaderboardsResetOverrides));
  const comparison = compareWith(earlier?.capture.anchor ?? null, capture.anchor, cadence);
  const rows = await rowsOf(at, boards, objects);
  const before = comparison.comparable && earlier ? await rowsOf(earlier, boards, objects) : null;
  const items: Entry[] = [];
  for (let index = offset; index < Math.min(rows.names.length, offset + limit); index += 1) items.push(entryAt(rows, index, before));
  return { comparison, items, total: rows.names.length };
}

async function powerRank({ boards }: BoardsServiceDeps): Promise<Leader | null> {
  const leaders = await boards.listLeaders(POWER_RANK_BOARDS.first, POWER_RANK_BOARDS.last);
  return leaders.reduce<Leader | null>((best, leader) => (best === null || leader.score > best.score ? leader : best), null);
}

const leaderOf = async ({ boards }: BoardsServiceDeps, uuid: number) => (await boards.listLeaders(uuid, uuid))[0] ?? null;

/** First players or clubs of the newest capture by uuid of their board. */
async function newestLeaders({ boards }: BoardsServiceDeps): Promise<ReadonlyMap<number, Leader>> {
  const leaders = await boards.listLeaders(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  return new Map(leaders.map((leader) => [leader.uuid, leader]));
}

const timestamps = ({ captures }: BoardsServiceDeps, limit: number): Promise<UnixSeconds[]> => captures.listAnchors(limit);

/** Boards of a capture; `anchor` is null if the capture does not exist. */
async function boardsAt(
  { boards }: BoardsServiceDeps,
  requested: WantedCapture,
): Promise<{ anchor: UnixSeconds | null; boards: StoredBoard[] }> {
  const listed = await ('until' in requested ? boards.listUntil(requested.until) : boards.listAt(requested.anchors));
  return { anchor: listed[0]?.capture.anchor ?? null, boards: listed.map(({ board }) => board) };
}

/** Throws 404 if no capture has the board. */
async function board(
  { boards }: BoardsServiceDeps,
  uuid: number,
): Promise<{ board: StoredBoard; contests: { time: UnixSeconds; type: ContestType }[] }> {
  const [board, contests] = await Promise.all([boards.find(uuid), boards.listContests(uuid, MAX_CONTESTS)]);
  if (!board) throw boardNotFound();
  return { board, contests };
}

/** With `until`, reads the newest capture that has the board. Throws 404 for a board that is neither in a capture nor in the board table. */
async function entries(
  deps: BoardsServiceDeps,
  uuid: number,
  { requested, limit, offset }: { requested: WantedCapture; limit: number; offset: number },
  settings: Settings,
): Promise<EntriesPage> {
  const wanted = 'until' in requested ? { before: requested.until + 1 } : { anchors: requested.anchors };
  const [at, earlier] = await deps.boards.withEarlierDay(uuid, wanted);
  if (at) return { uuid, anchor: at.capture.anchor, ...(await listCompared(deps, at, earlier, { offset, limit }, settings)) };
  if (!KNOWN_BOARDS.has(uuid) && !(await deps.boards.find(uuid))) throw boardNotFound();
  return { uuid, anchor: null, items: [], total: 0, comparison: compareWith(null, 0, 'never') };
}

/** Empty lists for a board without captures. */
async function history(
  { captures, boards, objects }: BoardsServiceDeps,
  uuid: number,
  { days, top }: { days: number; top: number },
  settings: Settings,
  now: UnixSeconds,
): Promise<BoardHistory> {
  const [newest, found] = await Promise.all([
    boards.newestBefore(uuid, NO_UPPER_BOUND),
    captures.listRecent(uuid, days * SECONDS_PER_DAY, MAX_WINDOW_CAPTURES),
  ]);
  const windowEnd = newest?.capture.anchor ?? now;
  const windowStart = windowEnd - days * SECONDS_PER_DAY;
  // A capture may be published between the two reads.
  const listed = found.filter(({ anchor }) => anchor >= windowStart && anchor <= windowEnd);
  const sampled = sampleEvenly(listed, MAX_SERIES_CAPTURES).reverse();
  const players = newest ? topOf(await rowsOf(newest, boards, objects), top) : [];
  const keys = new Set(players.map(({ name }) => comparedName(name)));
  const rowsByKey = await pMap(sampled, async (capture) => findRows(await rowTextOf({ board: { uuid }, capture }, boards, objects), keys), {
    concurrency: OBJECT_CONCURRENCY,
  });
  const cadence = cadenceOf(uuid, parseResetOverrides(settings.leaderboardsResetOverrides));
  const linesByKey = new Map(
    [...keys].map((key) => [
      key,
      splitLines(sampled.flatMap(({ anchor }, at) => (rowsByKey[at]?.get(key) ?? []).map((row) => ({ anchor, ...row })))),
    ]),
  );
  const series = players.map(({ name, rank, index }) => {
    const line = linesByKey.get(comparedName(name))?.find((points) => isRowOf(points.at(-1), windowEnd, index)) ?? [];
    const real = line.map(({ anchor, rank: rankThen, score }) => ({ createdAt: anchor, rank: rankThen, score }));
    return { playerName: name, currentRank: rank, points: seriesPoints(real, cadence) };
  });
  return { uuid, days, windowStart, windowEnd, anchors: sampled.map(({ anchor }) => anchor), series };
}

/** Throws 404 if no capture has rows of the board. */
async function health(deps: BoardsServiceDeps, uuid: number, settings: Settings): Promise<HealthReport> {
  const [at, earlier] = await deps.boards.withEarlierDay(uuid, { before: NO_UPPER_BOUND });
  if (!at) throw boardNotFound();
  const { comparison, items, total } = await listCompared(deps, at, earlier, { offset: 0, limit: HEALTH_SAMPLE }, settings);
  const { board, capture } = at;
  const figures = boardHealth(items, comparison.comparable);
  return { ...figures, board, anchor: capture.anchor, comparison, population: total, sampleSize: items.length };
}

/** The first rows of the newest capture of a board. Throws 404 if no capture has it. */
async function leaders({ boards, objects }: BoardsServiceDeps, uuid: number, limit: number): Promise<BoardLeaders> {
  const newest = await boards.newestBefore(uuid, NO_UPPER_BOUND);
  if (!newest) throw boardNotFound();
  const columns = await rowsOf(newest, boards, objects);
  const rows = columns.names.slice(0, limit).map((playerName, index) => {
    const { rank, score } = rowAt(columns, index);
    return { rank, playerName, score };
  });
  return { board: newest.board, anchor: newest.capture.anchor, rows };
}

/** The largest gains since a capture `days` earlier. Null for a known board without captures; throws 404 for an unknown one. */
async function gains(
  { boards, objects }: BoardsServiceDeps,
  uuid: number,
  { days, limit }: { days: number; limit: number },
  settings: Settings,
): Promise<GainsReport | null> {
  const { at, earlier } = await boards.acrossDays(uuid, days);
  if (!at) {
    if (!KNOWN_BOARDS.has(uuid) && !(await boards.find(uuid))) throw boardNotFound();
    return null;
  }
  const cadence = cadenceOf(uuid, parseResetOverrides(settings.leaderboardsResetOverrides));
  const window = gainWindow({ at: at.capture.anchor, earlier: earlier?.capture.anchor ?? null, days, cadence });
  const [rows, before] = await Promise.all([
    rowsOf(at, boards, objects),
    earlier && window.startAnchor !== null ? rowsOf(earlier, boards, objects) : null,
  ]);
  return { board: at.board, days, ...window, ...largestGains(rows, { before, isSinceReset: window.resetAt !== null, limit }) };
}

async function records(deps: BoardsServiceDeps): Promise<Records> {
  const [mastery, geodeMastery, best] = await Promise.all([
    leaderOf(deps, MASTERY_BOARD),
    leaderOf(deps, GEODE_MASTERY_BOARD),
    powerRank(deps),
  ]);
  return { mastery, geodeMastery, powerRank: best };
}

function entryAt(rows: BoardColumns, index: number, before: BoardColumns | null): Entry {
  const row = { playerName: rows.names[index] ?? '', ...rowAt(rows, index) };
  return toEntry(row, before ? earlierRow(rows, index, before) : undefined);
}

function topOf({ names, ranks }: BoardColumns, top: number): { name: string; rank: number; index: number }[] {
  return names.slice(0, top).map((name, index) => ({ name, rank: ranks[index] ?? 0, index }));
}
