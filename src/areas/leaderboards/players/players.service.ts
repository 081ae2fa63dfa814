import type { Settings } from '../../../platform/settings/settings.data.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/time/clock.ts';
import { gameDayStart } from '../../../platform/time/game-calendar.ts';
import { byDisplayOrder } from '../boards/board-order.domain.ts';
import type { BoardsRepository, StoredBoard } from '../boards/boards.repository.ts';
import type { SeriesWindow } from '../boards/boards.service.ts';
import { cadenceOf, parseResetOverrides } from '../boards/resets.domain.ts';
import { type SeriesPoint, seriesPoints } from '../boards/series.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { Capture, CapturesRepository } from '../captures/captures.repository.ts';
import { compareWith, type Entry, playerKey, toEntry } from '../captures/comparison.domain.ts';
import { findInShard, type PlayerRow, shardOf } from '../captures/player-shards.domain.ts';
import { thinned } from '../captures/thinning.domain.ts';
import { mapInFlight } from '../ingest/in-flight.ts';
import { MAX_PLAYER_OBJECTS, MAX_SERIES_CAPTURES, OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import { splitLines } from './lines.domain.ts';

/** A row of a player at a capture. */
export interface HistoryItem extends Entry {
  board: StoredBoard;
  createdAt: UnixSeconds;
  slot: number;
  slots: number;
}

export interface PlayerHistory {
  /** As the newest row spells it; as asked for when there is none. */
  playerName: string;
  items: HistoryItem[];
}

export interface PlayerSeries extends SeriesWindow {
  playerName: string;
  canonicalName: string;
  /** Boards on which the name stands more than once. */
  duplicateBoards: number[];
  series: { uuid: number; name: string; bestRank: number; slot: number; slots: number; points: SeriesPoint[] }[];
}

export interface PlayerProfile extends PlayerHistory {
  /** Rows at the newest capture that has the player. */
  boards: HistoryItem[];
}

/** Reads of players. */
export interface PlayersService {
  history(name: string, page: { uuid: number | undefined; limit: number }, settings: Settings): Promise<PlayerHistory>;
  series(name: string, days: number, settings: Settings, now: UnixSeconds): Promise<PlayerSeries>;
  profile(name: string, recent: number, settings: Settings): Promise<PlayerProfile>;
}

export interface PlayersServiceDeps {
  captures: CapturesRepository;
  boards: BoardsRepository;
  objects: CaptureObjects;
}

/** What a capture has of a player. */
interface Appearance {
  capture: Capture;
  rows: PlayerRow[];
}

/** A row with its place in time. */
type Placed = PlayerRow & { anchor: UnixSeconds };

/** The line that a row belongs to, among the lines of the name on that board. */
interface Slot {
  slot: number;
  slots: number;
  line: readonly Placed[];
}

/** Captures looked up at once. */
const CAPTURES_PAGE = 192;

export function createPlayersService({ captures, boards, objects }: PlayersServiceDeps): PlayersService {
  /** What some captures have of a player, in their order; captures that lie in one object are read with it. */
  async function appearances(key: string, listed: readonly Capture[]): Promise<Appearance[]> {
    const found = await mapInFlight(bySource(listed), OBJECT_CONCURRENCY, async (group) => {
      const texts = await textsOf(group, shardOf(key, group[0]?.playerShards ?? 1));
      return group.flatMap((capture) => {
        const rows = findInShard(texts.get(capture.anchor) ?? '', key);
        return rows.length > 0 ? [{ capture, rows }] : [];
      });
    });
    return found.flat();
  }

  /** A capture that was packed or written anew since it was looked up is looked up once more. */
  async function textsOf(group: readonly Capture[], shard: number): Promise<Map<number, string>> {
    const texts = await objects.players(group, shard);
    if (texts.size === group.length) return texts;
    const missing = group.filter(({ anchor }) => !texts.has(anchor));
    const now = await captures.byAnchors(missing.map(({ anchor }) => anchor));
    const moved = now.filter((capture) => {
      const before = missing.find(({ anchor }) => anchor === capture.anchor);
      return before && (before.version !== capture.version || before.playerPack !== capture.playerPack);
    });
    for (const again of bySource(moved)) for (const [anchor, text] of await objects.players(again, shard)) texts.set(anchor, text);
    return texts;
  }

  /** Newest first, until there are `limit` rows or too many objects were read. */
  async function newestAppearances(key: string, uuid: number | undefined, limit: number): Promise<Appearance[]> {
    let found: Appearance[] = [];
    let read = 0;
    let before = Number.MAX_SAFE_INTEGER;
    while (read < MAX_PLAYER_OBJECTS) {
      const listed = await captures.list({ before, uuid, limit: CAPTURES_PAGE });
      const groups = bySource(listed);
      for (let at = 0; at < groups.length && read < MAX_PLAYER_OBJECTS; at += OBJECT_CONCURRENCY) {
        const batch = groups.slice(at, at + OBJECT_CONCURRENCY);
        if (isEnough(found, limit, batch[0]?.[0])) return found;
        const more = await appearances(key, batch.flat());
        read += batch.length;
        found.push(...more.map((appearance) => onBoard(appearance, uuid)).filter((appearance) => appearance.rows.length > 0));
        found = found.sort((one, other) => other.capture.anchor - one.capture.anchor);
      }
      const last = listed.at(-1);
      if (!last || listed.length < CAPTURES_PAGE) break;
      before = last.anchor;
    }
    return found;
  }

  /** Rows with their boards, each compared with the row of the same line on an earlier game day. */
  async function toItems(key: string, rows: readonly Placed[], found: readonly Placed[], settings: Settings): Promise<HistoryItem[]> {
    const listed = new Map((await boards.listed(rows)).map((at) => [placeOf(at.board.uuid, at.capture.anchor), at.board]));
    const anchors = await comparedAnchors(rows, settings);
    const known = new Set(found.map(({ anchor }) => anchor));
    const unread = [...new Set(anchors)].filter((anchor) => anchor !== null).filter((anchor) => !known.has(anchor));
    const more = unread.length > 0 ? placed(await appearances(key, await captures.byAnchors(unread))) : [];
    const slots = slotsOf([...found, ...more]);
    return rows.flatMap((row, index) => {
      const board = listed.get(placeOf(row.uuid, row.anchor));
      const own = slots.get(row);
      if (!board || !own) return [];
      const anchor = anchors[index] ?? null;
      const earlier = anchor === null ? undefined : (own.line.find((point) => point.anchor === anchor) ?? null);
      return [{ ...toEntry(row, earlier), board, createdAt: row.anchor, slot: own.slot, slots: own.slots }];
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

  return {
    async history(name, { uuid, limit }, settings) {
      const key = playerKey(name);
      const found = await newestAppearances(key, uuid, limit);
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
      const found = await appearances(key, chosen);
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

    async profile(name, recent, settings) {
      const key = playerKey(name);
      const found = await newestAppearances(key, undefined, recent);
      const rows = placed(found);
      const newest = found[0]?.capture.anchor;
      const current = rows.filter(({ anchor }) => anchor === newest).length;
      const items = await toItems(key, rows.slice(0, Math.max(current, recent)), rows, settings);
      const playerName = rows[0]?.playerName ?? name;
      return { playerName, boards: items.filter(({ createdAt }) => createdAt === newest), items: items.slice(0, recent) };
    },
  };
}

/** More captures than a window of 30 days can have. */
const EVERY_CAPTURE = 10_000;

/** Whether there are `limit` rows, and none of what is next can be newer than the last of them. */
function isEnough(found: readonly Appearance[], limit: number, next: Capture | undefined): boolean {
  let rows = 0;
  for (const appearance of found) {
    rows += appearance.rows.length;
    if (rows >= limit) return !next || next.anchor < appearance.capture.anchor;
  }
  return false;
}

const placeOf = (uuid: number, anchor: UnixSeconds) => `${uuid}@${anchor}`;

/** Captures by the object that holds their players: a pack, or one of their own. */
function bySource(listed: readonly Capture[]): Capture[][] {
  return [
    ...Map.groupBy(listed, ({ anchor, playerPack, playerShards }) =>
      playerPack === null ? anchor : `${playerPack}:${playerShards}`,
    ).values(),
  ];
}

function onBoard(appearance: Appearance, uuid: number | undefined): Appearance {
  return uuid === undefined ? appearance : { ...appearance, rows: appearance.rows.filter((row) => row.uuid === uuid) };
}

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
