import type { Settings } from '../../../platform/settings/settings.data.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/time/clock.ts';
import { gameDayStart } from '../../../platform/time/game-calendar.ts';
import { byDisplayOrder } from '../boards/board-order.domain.ts';
import type { BoardName, BoardsRepository, StoredBoard } from '../boards/boards.repository.ts';
import type { SeriesWindow } from '../boards/boards.service.ts';
import { cadenceOf, crossesReset, parseResetOverrides } from '../boards/resets.domain.ts';
import { type SeriesPoint, seriesPoints } from '../boards/series.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { CapturesRepository } from '../captures/captures.repository.ts';
import { compareWith, type Entry, playerKey, toEntry } from '../captures/comparison.domain.ts';
import type { PlayerRow } from '../captures/player-shards.domain.ts';
import { thinned } from '../captures/thinning.domain.ts';
import { MAX_RECENT_ROWS, MAX_SERIES_CAPTURES, RECENT_DAYS } from '../leaderboards.data.ts';
import { splitLines } from './lines.domain.ts';
import { type Appearance, createPlayerRows } from './player-rows.service.ts';
import { type BoardTotal, sortedBoards, summaryOf, type TotalsSummary } from './totals.domain.ts';
import type { TotalsRepository } from './totals.repository.ts';
import { readTotal } from './totals.service.ts';

/** A row of a player at a capture. */
export interface HistoryItem extends Entry {
  board: StoredBoard;
  createdAt: UnixSeconds;
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

/** A player on one board over all captures, with what the board is called. */
export interface PersonalBest extends BoardTotal {
  /** Null for a board that no capture names any more. */
  board: BoardName | null;
}

export interface PlayerBoards {
  playerName: string;
  summary: TotalsSummary;
  /** Best rank first. */
  boards: PersonalBest[];
}

export interface PlayerProfile extends PlayerBoards {
  /** Rows of the last days, newest first. */
  recent: HistoryItem[];
}

/** Reads of players. */
export interface PlayersService {
  history(name: string, page: { uuid: number | undefined; limit: number }, settings: Settings): Promise<PlayerHistory>;
  series(name: string, days: number, settings: Settings, now: UnixSeconds): Promise<PlayerSeries>;
  boards(name: string): Promise<PlayerBoards>;
  profile(name: string, settings: Settings, now: UnixSeconds): Promise<PlayerProfile>;
}

export interface PlayersServiceDeps {
  captures: CapturesRepository;
  boards: BoardsRepository;
  objects: CaptureObjects;
  totals: TotalsRepository;
}

/** A row with its place in time. */
type Placed = PlayerRow & { anchor: UnixSeconds };

/** The line that a row belongs to, among the lines of the name on that board. */
interface Slot {
  slot: number;
  slots: number;
  line: readonly Placed[];
}

export function createPlayersService({ captures, boards, objects, totals }: PlayersServiceDeps): PlayersService {
  const playerRows = createPlayerRows({ captures, objects });

  /** Rows with their boards, each compared with the row of the same line on an earlier game day. */
  async function toItems(key: string, rows: readonly Placed[], found: readonly Placed[], settings: Settings): Promise<HistoryItem[]> {
    const anchors = await comparedAnchors(rows, settings);
    const known = new Set(found.map(({ anchor }) => anchor));
    const unread = [...new Set(anchors)].filter((anchor) => anchor !== null).filter((anchor) => !known.has(anchor));
    const more = unread.length > 0 ? placed(await playerRows.at(key, await captures.byAnchors(unread))) : [];
    const slots = slotsOf([...found, ...more]);
    return withBoards(rows, slots, ({ line }, index) => {
      const anchor = anchors[index] ?? null;
      return anchor === null ? undefined : (line.find((point) => point.anchor === anchor) ?? null);
    });
  }

  /**
   * The same, but a row is also compared when the player was absent from the earlier capture: with the newest row of the line
   * before the game day, in the same reset cycle.
   */
  async function toRecentItems(key: string, rows: readonly Placed[], found: readonly Placed[], settings: Settings, from: UnixSeconds) {
    const overrides = parseResetOverrides(settings.leaderboardsResetOverrides);
    const anchors = await comparedAnchors(rows, settings);
    const earlierOf = ({ uuid, anchor }: Placed, { line }: Slot) =>
      line.findLast((point) => point.anchor < gameDayStart(anchor) && !crossesReset(cadenceOf(uuid, overrides), point.anchor, anchor));
    let slots = slotsOf(found);
    const missing = rows.flatMap((row, index) => {
      const own = slots.get(row);
      const anchor = anchors[index] ?? null;
      return anchor === null || own === undefined || earlierOf(row, own) ? [] : [anchor];
    });
    const oldest = found.at(-1)?.anchor;
    if (oldest !== undefined && missing.length > 0) {
      const known = new Set(found.map(({ anchor }) => anchor));
      const before = await captures.list({ from, before: oldest, limit: EVERY_CAPTURE });
      for (const { anchor } of before) known.add(anchor);
      const older = await captures.byAnchors([...new Set(missing)].filter((anchor) => !known.has(anchor)));
      slots = slotsOf([...found, ...placed(await playerRows.at(key, [...before, ...older]))]);
    }
    return withBoards(rows, slots, (own, index, row) => (anchors[index] === null ? undefined : (earlierOf(row, own) ?? null)));
  }

  async function withBoards(
    rows: readonly Placed[],
    slots: ReadonlyMap<Placed, Slot>,
    earlierOf: (own: Slot, index: number, row: Placed) => Placed | null | undefined,
  ): Promise<HistoryItem[]> {
    const listed = new Map((await boards.listed(rows)).map((at) => [placeOf(at.board.uuid, at.capture.anchor), at.board]));
    return rows.flatMap((row, index) => {
      const board = listed.get(placeOf(row.uuid, row.anchor));
      const own = slots.get(row);
      if (!board || !own) return [];
      return [{ ...toEntry(row, earlierOf(own, index, row)), board, createdAt: row.anchor, slot: own.slot, slots: own.slots }];
    });
  }

  /** For each row the capture it is compared with, null where nothing can be compared. */
  async function comparedAnchors(rows: readonly Placed[], settings: Settings): Promise<(UnixSeconds | null)[]> {
    const overrides = parseResetOverrides(settings.leaderboardsResetOverrides);
    const before = await boards.anchorsBefore(rows.map(({ uuid, anchor }) => ({ uuid, before: gameDayStart(anchor) })));
    return rows.map(({ uuid, anchor }, index) => {
      const comparison = compareWith(before[index] ?? null, anchor, cadenceOf(uuid, overrides));
      return comparison.comparable ? comparison.prevAnchor : null;
    });
  }

  async function boardsOf(name: string): Promise<PlayerBoards> {
    const total = await readTotal(playerKey(name), { totals, captures, rows: playerRows });
    const sorted = sortedBoards(total?.boards.values() ?? []);
    const names = new Map((await boards.named(sorted.map(({ uuid }) => uuid))).map((board) => [board.uuid, board]));
    return {
      playerName: total?.playerName ?? name.trim(),
      summary: summaryOf(sorted),
      boards: sorted.map((board) => ({ ...board, board: names.get(board.uuid) ?? null })),
    };
  }

  return {
    async history(name, { uuid, limit }, settings) {
      const key = playerKey(name);
      const found = await playerRows.newest(key, { uuid, limit });
      const rows = placed(found);
      const items = await toItems(key, rows.slice(0, limit), rows, settings);
      return { playerName: rows[0]?.playerName ?? name.trim(), items };
    },

    async series(name, days, settings, now) {
      const key = playerKey(name);
      const windowEnd = (await captures.newest())?.anchor ?? now;
      const windowStart = windowEnd - days * SECONDS_PER_DAY;
      const listed = await captures.list({ from: windowStart, before: windowEnd + 1, limit: EVERY_CAPTURE });
      const chosen = thinned(listed, MAX_SERIES_CAPTURES);
      const found = await playerRows.at(key, chosen);
      const rows = placed(found);
      const newest = [...new Map(rows.toReversed().map((row) => [row.uuid, row])).values()];
      const names = new Map((await boards.listed(newest)).map(({ board }) => [board.uuid, board.name]));
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
    },

    boards: boardsOf,

    async profile(name, settings, now) {
      const key = playerKey(name);
      const from = now - RECENT_DAYS * SECONDS_PER_DAY;
      const found = placed(await playerRows.newest(key, { from, limit: MAX_RECENT_ROWS }));
      const recent = await toRecentItems(key, found.slice(0, MAX_RECENT_ROWS), found, settings, from - RECENT_DAYS * SECONDS_PER_DAY);
      return { ...(await boardsOf(name)), recent };
    },
  };
}

/** More captures than a window of 30 days can have. */
const EVERY_CAPTURE = 10_000;

const placeOf = (uuid: number, anchor: UnixSeconds) => `${uuid}@${anchor}`;

/** The line of each row. */
function slotsOf(rows: readonly Placed[]): Map<Placed, Slot> {
  const slots = new Map<Placed, Slot>();
  for (const own of Map.groupBy(rows, ({ uuid }) => uuid).values()) {
    for (const [slot, line, all] of splitLines(own).map((line, index, all) => [index, line, all] as const)) {
      for (const row of line) slots.set(row, { slot, slots: all.length, line });
    }
  }
  return slots;
}

/** The rows of appearances, newest first and then in display order. */
function placed(found: readonly Appearance[]): Placed[] {
  return found.flatMap(({ capture, rows }) =>
    rows.toSorted((one, other) => byDisplayOrder(one.uuid, other.uuid)).map((row) => ({ ...row, anchor: capture.anchor })),
  );
}
