import { bind } from '../../../platform/kit/bind.ts';
import { gameDayStart, SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import {
  byDisplayOrder,
  cadenceOf,
  compareWith,
  crossesReset,
  type Entry,
  parseResetOverrides,
  type SeriesPoint,
  sampleEvenly,
  seriesPoints,
  toEntry,
} from '../boards/boards.domain.ts';
import type { SeriesWindow } from '../boards/boards.service.ts';
import type { BoardAt, BoardName, BoardsStore, StoredBoard } from '../boards/boards.store.ts';
import { playerKey, splitLines } from '../captures/board-rows.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.store.ts';
import type { Capture, CapturesStore } from '../captures/captures.store.ts';
import { type Appearance, createPlayerRows, type PlayerRows } from '../captures/player-rows.service.ts';
import type { PlayerRow } from '../captures/player-shards.domain.ts';
import type { DuplicatesStore } from '../duplicates/duplicates.store.ts';
import { MAX_RECENT_ROWS, MAX_SERIES_CAPTURES, MAX_WINDOW_CAPTURES, RECENT_DAYS } from '../leaderboards.data.ts';
import type { RenamesStore } from '../renames/renames.store.ts';
import { classesOf, type PlayerClass, type PlayerSigil, sigilOf } from './profile-figures.domain.ts';
import { type BoardTotal, type PlayerTotal, sortedBoards, summaryOf, type TotalsSummary } from './totals.domain.ts';
import { MAX_NEWER_CAPTURES, readSeenRange, readTotal } from './totals.service.ts';
import type { TotalsStore } from './totals.store.ts';

/** A row of a player at a capture. */
export interface HistoryItem extends Entry {
  board: StoredBoard;
  createdAt: UnixSeconds;
  /** Index of the line of the row, from 0, and number of lines of the name on the board. */
  slot: number;
  slots: number;
}

export interface PlayerHistory {
  /** Spelling of the newest row, otherwise of the request. */
  playerName: string;
  items: HistoryItem[];
}

export interface PlayerSeries extends SeriesWindow {
  playerName: string;
  canonicalName: string;
  /** Boards on which the name appears more than once. */
  duplicateBoards: number[];
  series: { uuid: number; name: string; bestRank: number; slot: number; slots: number; points: SeriesPoint[] }[];
}

/** Totals of a player on one board, with the names of the board. */
interface PersonalBest extends BoardTotal {
  /** Null if the board is unknown. */
  board: BoardName | null;
}

export interface PlayerBoards {
  playerName: string;
  /** The requested name, if the player of the response is the one that it was renamed to; otherwise null. */
  renamedFrom: string | null;
  summary: TotalsSummary;
  /** Best rank first. */
  boards: PersonalBest[];
}

export interface PlayerProfile extends PlayerBoards {
  /** Null if unknown, or if several players have the name. */
  sigil: PlayerSigil | null;
  classes: PlayerClass[];
  /** Rows of the last days, newest first. */
  recent: HistoryItem[];
}

export type PlayersService = ReturnType<typeof createPlayersService>;

interface PlayersServiceDeps {
  captures: CapturesStore;
  boards: BoardsStore;
  objects: CaptureObjects;
  totals: TotalsStore;
  renames: Pick<RenamesStore, 'laterNames'>;
  duplicates: Pick<DuplicatesStore, 'find'>;
}

/** Totals under the current name of a player; null if no capture has it. */
interface Followed {
  name: string;
  total: PlayerTotal | null;
}

/** A row with the anchor of its capture. */
type AnchoredRow = PlayerRow & { anchor: UnixSeconds };

/** The line of a row, among the lines of the name on that board. */
interface Slot {
  slot: number;
  slots: number;
  line: readonly AnchoredRow[];
}

interface PlayersContext extends PlayersServiceDeps {
  playerRows: PlayerRows;
}

export function createPlayersService(deps: PlayersServiceDeps) {
  const playerRows = createPlayerRows({ captures: deps.captures, objects: deps.objects });
  const context: PlayersContext = { ...deps, playerRows };
  return bind(context, { overview, history, series, boards, profile });
}

/**
 * Adds the board to each row, and compares the row with the same line on an earlier game day. `loaded`: all rows that are already
 * read, including `rows`.
 */
async function toItems(
  deps: PlayersContext,
  key: string,
  rows: readonly AnchoredRow[],
  loaded: readonly AnchoredRow[],
  settings: Settings,
): Promise<HistoryItem[]> {
  const [compared, listed] = await Promise.all([listCompared(deps, rows, settings), deps.boards.listAtCaptures(rows)]);
  const more = toAnchoredRows(await deps.playerRows.at(key, unreadOf(compared, loaded)));
  const slots = slotsOf([...loaded, ...more]);
  return withBoards(rows, listed, slots, ({ line }, index) => {
    const anchor = compared[index]?.anchor;
    return anchor === undefined ? undefined : (line.find((point) => point.anchor === anchor) ?? null);
  });
}

/**
 * Like `toItems`, but if the player is absent from the earlier capture, a row is compared with the newest row of the line
 * before the game day in the same reset cycle. `older`: captures before those of `loaded`, to search for that row.
 */
async function toRecentItems(
  deps: PlayersContext,
  key: string,
  rows: readonly AnchoredRow[],
  loaded: readonly AnchoredRow[],
  settings: Settings,
  older: readonly Capture[],
) {
  const overrides = parseResetOverrides(settings.leaderboardsResetOverrides);
  const [compared, listed] = await Promise.all([listCompared(deps, rows, settings), deps.boards.listAtCaptures(rows)]);
  const earlierOf = ({ uuid, anchor }: AnchoredRow, { line }: Slot) =>
    line.findLast((point) => point.anchor < gameDayStart(anchor) && !crossesReset(cadenceOf(uuid, overrides), point.anchor, anchor));
  let slots = slotsOf(loaded);
  const missing = rows.flatMap((row, index) => {
    const own = slots.get(row);
    const capture = compared[index] ?? null;
    return capture === null || own === undefined || earlierOf(row, own) ? [] : [capture];
  });
  const oldest = loaded.at(-1)?.anchor;
  if (oldest !== undefined && missing.length > 0) {
    const before = older.filter(({ anchor }) => anchor < oldest);
    const more = await deps.playerRows.at(key, [...before, ...unreadOf(missing, [...loaded, ...before])]);
    slots = slotsOf([...loaded, ...toAnchoredRows(more)]);
  }
  return withBoards(rows, listed, slots, (own, index, row) => (compared[index] ? (earlierOf(row, own) ?? null) : undefined));
}

function withBoards(
  rows: readonly AnchoredRow[],
  boardsAt: readonly BoardAt[],
  slots: ReadonlyMap<AnchoredRow, Slot>,
  earlierOf: (own: Slot, index: number, row: AnchoredRow) => AnchoredRow | null | undefined,
): HistoryItem[] {
  const listed = new Map(boardsAt.map((at) => [boardAtKey(at.board.uuid, at.capture.anchor), at.board]));
  return rows.flatMap((row, index) => {
    const board = listed.get(boardAtKey(row.uuid, row.anchor));
    const own = slots.get(row);
    if (!board || !own) return [];
    return [{ ...toEntry(row, earlierOf(own, index, row)), board, createdAt: row.anchor, slot: own.slot, slots: own.slots }];
  });
}

/** The capture that each row is compared with; null without a comparison. */
async function listCompared({ boards }: PlayersServiceDeps, rows: readonly AnchoredRow[], settings: Settings): Promise<(Capture | null)[]> {
  const overrides = parseResetOverrides(settings.leaderboardsResetOverrides);
  const before = await boards.listCapturesBefore(rows.map(({ uuid, anchor }) => ({ uuid, before: gameDayStart(anchor) })));
  return rows.map(({ uuid, anchor }, index) => {
    const capture = before[index] ?? null;
    return compareWith(capture?.anchor ?? null, anchor, cadenceOf(uuid, overrides)).comparable ? capture : null;
  });
}

/** The totals of a name, or of the name that it was renamed to if it has not been seen since. */
async function followRenames(
  { captures, totals, renames, playerRows }: PlayersContext,
  name: string,
  settings: Settings,
): Promise<Followed> {
  const newest = captures.list({ limit: MAX_NEWER_CAPTURES });
  const read = async (of: string) => ({ name: of, total: await readTotal(playerKey(of), newest, { totals, rows: playerRows }) });
  const later = settings.leaderboardRenamesEnabled ? renames.laterNames(name) : [];
  let [current, names] = await Promise.all([read(name.trim()), later]);
  const seen = new Set([playerKey(name)]);
  for (const { toName, toAnchor } of names) {
    const { latestAnchor } = summaryOf([...(current.total?.boards.values() ?? [])]);
    if (seen.has(playerKey(toName)) || (latestAnchor ?? 0) >= toAnchor) break;
    seen.add(playerKey(toName));
    current = await read(toName);
  }
  return current;
}

function toPlayerBoards(name: string, { name: followed, total }: Followed, listed: readonly BoardName[], settings: Settings): PlayerBoards {
  const excluded = new Set(settings.leaderboardsLastPlayedExcludedBoards.split(',').map((uuid) => uuid.trim()));
  const sorted = sortedBoards(total?.boards.values() ?? []);
  const names = new Map(listed.map((board) => [board.uuid, board]));
  return {
    playerName: total?.playerName ?? followed,
    renamedFrom: playerKey(followed) === playerKey(name) ? null : name.trim(),
    summary: summaryOf(sorted, (uuid) => excluded.has(String(uuid))),
    boards: sorted.map((board) => ({ ...board, board: names.get(board.uuid) ?? null })),
  };
}

/** Sigil and classes. */
async function figuresOf(deps: PlayersContext, { name, total }: Followed): Promise<Pick<PlayerProfile, 'sigil' | 'classes'>> {
  const known = total?.boards ?? new Map<number, BoardTotal>();
  const sigil = sigilOf(known);
  return { sigil: sigil && (await isDuplicate(deps, name, known)) ? null : sigil, classes: classesOf(known) };
}

/** Whether several players have a name: it is stored as a duplicate, or a board lists it more than once. */
async function isDuplicate({ duplicates }: PlayersServiceDeps, name: string, known: ReadonlyMap<number, BoardTotal>): Promise<boolean> {
  return [...known.values()].some(({ scores }) => scores.length > 1) || (await duplicates.find(name)) !== null;
}

/** What the page and the images of a player show: `boards` with sigil and classes. */
async function overview(deps: PlayersContext, name: string, settings: Settings): Promise<Omit<PlayerProfile, 'recent'>> {
  const [followed, names] = await Promise.all([followRenames(deps, name, settings), deps.boards.listNames()]);
  return { ...toPlayerBoards(name, followed, names, settings), ...(await figuresOf(deps, followed)) };
}

async function history(
  deps: PlayersContext,
  name: string,
  { uuid, limit }: { uuid: number | undefined; limit: number },
  settings: Settings,
): Promise<PlayerHistory> {
  const key = playerKey(name);
  const appearances = await deps.playerRows.newest(key, { uuid, limit }, { seen: () => readSeenRange(key, uuid, deps.totals) });
  const rows = toAnchoredRows(appearances);
  const items = await toItems(deps, key, rows.slice(0, limit), rows, settings);
  return { playerName: rows[0]?.playerName ?? name.trim(), items };
}

/** `maxCaptures`: each is one object to read. */
async function series(
  { captures, boards, playerRows }: PlayersContext,
  name: string,
  days: number,
  settings: Settings,
  now: UnixSeconds,
  maxCaptures = MAX_SERIES_CAPTURES,
): Promise<PlayerSeries> {
  const key = playerKey(name);
  const [listed, boardNames] = await Promise.all([captures.listNewest(days * SECONDS_PER_DAY, MAX_WINDOW_CAPTURES), boards.listNames()]);
  const windowEnd = listed[0]?.anchor ?? now;
  const windowStart = windowEnd - days * SECONDS_PER_DAY;
  const sampled = sampleEvenly(listed, maxCaptures);
  const appearances = await playerRows.at(key, sampled);
  const rows = toAnchoredRows(appearances);
  const names = new Map(boardNames.map((board) => [board.uuid, board.name]));
  const overrides = parseResetOverrides(settings.leaderboardsResetOverrides);
  const lines = [...Map.groupBy(rows, ({ uuid }) => uuid)].flatMap(([uuid, own]) =>
    splitLines(own).map((line, slot, all) => ({ uuid, line, slot, slots: all.length })),
  );
  const series = lines.map(({ uuid, line, slot, slots }) => ({
    uuid,
    name: names.get(uuid) ?? `Board #${uuid}`,
    bestRank: Math.min(...line.map(({ rank }) => rank)),
    slot,
    slots,
    points: seriesPoints(
      line.map(({ anchor, rank, score }) => ({ createdAt: anchor, rank, score })),
      cadenceOf(uuid, overrides),
    ),
  }));
  series.sort((one, other) => one.bestRank - other.bestRank || byDisplayOrder(one.uuid, other.uuid) || one.slot - other.slot);
  return {
    playerName: name,
    canonicalName: rows[0]?.playerName ?? name.trim(),
    days,
    windowStart,
    windowEnd,
    anchors: [...new Set(rows.map(({ anchor }) => anchor))].reverse(),
    duplicateBoards: [...new Set(lines.filter(({ slots }) => slots > 1).map(({ uuid }) => uuid))].sort(byDisplayOrder),
    series,
  };
}

/** Like `profile`, follows a rename to the later name. */
async function boards(deps: PlayersContext, name: string, settings: Settings): Promise<PlayerBoards> {
  const [followed, names] = await Promise.all([followRenames(deps, name, settings), deps.boards.listNames()]);
  return toPlayerBoards(name, followed, names, settings);
}

async function profile(deps: PlayersContext, name: string, settings: Settings, now: UnixSeconds): Promise<PlayerProfile> {
  const from = now - RECENT_DAYS * SECONDS_PER_DAY;
  const [followed, names, listed] = await Promise.all([
    followRenames(deps, name, settings),
    deps.boards.listNames(),
    deps.captures.list({ from: from - RECENT_DAYS * SECONDS_PER_DAY, limit: MAX_WINDOW_CAPTURES }),
  ]);
  const key = playerKey(followed.name);
  const isRecent = ({ anchor }: Capture) => anchor >= from;
  const rows = toAnchoredRows(await deps.playerRows.newest(key, { from, limit: MAX_RECENT_ROWS }, { first: listed.filter(isRecent) }));
  const recent = await toRecentItems(deps, key, rows.slice(0, MAX_RECENT_ROWS), rows, settings, listed);
  return { ...toPlayerBoards(name, followed, names, settings), ...(await figuresOf(deps, followed)), recent };
}

/** The captures of a list without those that are already read, each once. */
function unreadOf(listed: readonly (Capture | null)[], read: readonly { anchor: UnixSeconds }[]): Capture[] {
  const known = new Set(read.map(({ anchor }) => anchor));
  const unread = listed.flatMap((capture) => (capture === null || known.has(capture.anchor) ? [] : [capture]));
  return [...new Map(unread.map((capture) => [capture.anchor, capture])).values()];
}

const boardAtKey = (uuid: number, anchor: UnixSeconds) => `${uuid}@${anchor}`;

/** The slot of each row. */
function slotsOf(rows: readonly AnchoredRow[]): Map<AnchoredRow, Slot> {
  const slots = new Map<AnchoredRow, Slot>();
  for (const own of Map.groupBy(rows, ({ uuid }) => uuid).values()) {
    const lines = splitLines(own);
    for (const [slot, line] of lines.entries()) for (const row of line) slots.set(row, { slot, slots: lines.length, line });
  }
  return slots;
}

/** The rows of appearances, newest first and then in display order. */
function toAnchoredRows(appearances: readonly Appearance[]): AnchoredRow[] {
  return appearances.flatMap(({ capture, rows }) =>
    rows.toSorted((one, other) => byDisplayOrder(one.uuid, other.uuid)).map((row) => ({ ...row, anchor: capture.anchor })),
  );
}
