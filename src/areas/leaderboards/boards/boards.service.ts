import { notFound } from '../../../platform/errors/api-error.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/time/clock.ts';
import { gameDayStart } from '../../../platform/time/game-calendar.ts';
import { type BoardColumns, findRows } from '../captures/board-columns.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { CapturesRepository } from '../captures/captures.repository.ts';
import { type Comparison, comparedName, compareWith, type Entry, toEntry } from '../captures/comparison.domain.ts';
import { thinned } from '../captures/thinning.domain.ts';
import type { WantedCapture } from '../ingest/anchors.domain.ts';
import type { ContestType } from '../ingest/dump.domain.ts';
import { mapInFlight } from '../ingest/in-flight.ts';
import {
  GEODE_MASTERY_BOARD,
  HEALTH_SAMPLE,
  MASTERY_BOARD,
  MAX_CONTESTS,
  MAX_SERIES_CAPTURES,
  OBJECT_CONCURRENCY,
  POWER_RANK_BOARDS,
} from '../leaderboards.data.ts';
import { byDisplayOrder } from './board-order.domain.ts';
import { rowsOf, rowTextOf } from './board-rows.service.ts';
import { KNOWN_BOARDS } from './board-table.data.ts';
import type { BoardAt, BoardsRepository, Leader, StoredBoard } from './boards.repository.ts';
import { type BoardHealth, boardHealth } from './health.domain.ts';
import { cadenceOf, parseResetOverrides } from './resets.domain.ts';
import { type SeriesPoint, seriesPoints } from './series.domain.ts';

export interface EntriesPage {
  uuid: number;
  /** Null when no capture was found. */
  anchor: UnixSeconds | null;
  items: Entry[];
  total: number;
  comparison: Comparison;
}

/** A span of captures that a chart is drawn from. */
export interface SeriesWindow {
  days: number;
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
  /** Captures in it, ascending. */
  anchors: UnixSeconds[];
}

export interface BoardHistory extends SeriesWindow {
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

export interface Records {
  mastery: Leader | null;
  geodeMastery: Leader | null;
  powerRank: Leader | null;
}

/** Reads of boards. */
export interface BoardsService {
  timestamps(limit: number): Promise<UnixSeconds[]>;
  /** Boards of a capture; without an anchor when no capture was found. */
  boardsAt(wanted: WantedCapture): Promise<{ anchor: UnixSeconds | null; boards: StoredBoard[] }>;
  /** Throws 404 for a board that no capture had. */
  board(uuid: number): Promise<{ board: StoredBoard; contests: { time: UnixSeconds; type: ContestType }[] }>;
  /** Up to an instant: of the newest capture that has the board. Throws 404 for a board that neither a capture nor the game knows. */
  entries(uuid: number, page: { wanted: WantedCapture; limit: number; offset: number }, settings: Settings): Promise<EntriesPage>;
  /** Empty for a board without captures. */
  history(uuid: number, span: { days: number; top: number }, settings: Settings, now: UnixSeconds): Promise<BoardHistory>;
  /** Throws 404 for a board that has no capture with rows. */
  health(uuid: number, settings: Settings): Promise<HealthReport>;
  records(): Promise<Records>;
}

export interface BoardsServiceDeps {
  captures: CapturesRepository;
  boards: BoardsRepository;
  objects: CaptureObjects;
}

const unknownBoard = () => notFound('leaderboard not found');
const EVERY_INSTANT = Number.MAX_SAFE_INTEGER;

export function createBoardsService({ captures, boards, objects }: BoardsServiceDeps): BoardsService {
  /** The rows from an offset on, compared with an earlier game day. */
  async function compared(at: BoardAt, { offset, limit }: { offset: number; limit: number }, settings: Settings) {
    const { board, capture } = at;
    const earlier = await boards.newestBefore(board.uuid, gameDayStart(capture.anchor));
    const cadence = cadenceOf(board.uuid, parseResetOverrides(settings.leaderboardsResetOverrides));
    const comparison = compareWith(earlier?.capture.anchor ?? null, capture.anchor, cadence);
    const rows = await rowsOf(at, boards, objects);
    const before = comparison.comparable && earlier ? await rowsOf(earlier, boards, objects) : null;
    const items: Entry[] = [];
    for (let index = offset; index < Math.min(rows.names.length, offset + limit); index += 1) items.push(entryAt(rows, index, before));
    return { comparison, items, total: rows.names.length };
  }

  async function newestUntil(instant: UnixSeconds): Promise<UnixSeconds[]> {
    const capture = await captures.newestUntil(instant);
    return capture ? [capture.anchor] : [];
  }

  async function powerRank(): Promise<Leader | null> {
    const leaders = await boards.leaders(POWER_RANK_BOARDS.first, POWER_RANK_BOARDS.last);
    return leaders.reduce<Leader | null>((best, leader) => (best === null || leader.score > best.score ? leader : best), null);
  }

  const leaderOf = async (uuid: number) => (await boards.leaders(uuid, uuid))[0] ?? null;

  return {
    timestamps: (limit) => captures.anchors(limit),

    async boardsAt(wanted) {
      const anchors = 'until' in wanted ? await newestUntil(wanted.until) : wanted.anchors;
      const found = await boards.listAt(anchors);
      const sorted = found.map(({ board }) => board).sort((one, other) => byDisplayOrder(one.uuid, other.uuid));
      return { anchor: found[0]?.capture.anchor ?? null, boards: sorted };
    },

    async board(uuid) {
      const board = await boards.find(uuid);
      if (!board) throw unknownBoard();
      return { board, contests: await boards.contests(uuid, MAX_CONTESTS) };
    },

    async entries(uuid, { wanted, limit, offset }, settings) {
      const at = 'until' in wanted ? await boards.newestBefore(uuid, wanted.until + 1) : await boards.at(uuid, wanted.anchors);
      if (at) return { uuid, anchor: at.capture.anchor, ...(await compared(at, { offset, limit }, settings)) };
      if (!KNOWN_BOARDS.has(uuid) && !(await boards.find(uuid))) throw unknownBoard();
      return { uuid, anchor: null, items: [], total: 0, comparison: compareWith(null, 0, 'never') };
    },

    async history(uuid, { days, top }, settings, now) {
      const newest = await boards.newestBefore(uuid, EVERY_INSTANT);
      const windowEnd = newest?.capture.anchor ?? now;
      const windowStart = windowEnd - days * SECONDS_PER_DAY;
      const listed = newest ? await captures.list({ from: windowStart, before: windowEnd + 1, uuid, limit: EVERY_CAPTURE }) : [];
      const chosen = thinned(listed, MAX_SERIES_CAPTURES).reverse();
      const players = newest ? topOf(await rowsOf(newest, boards, objects), top) : [];
      const keys = new Set(players.map(({ name }) => comparedName(name)));
      const found = await mapInFlight(chosen, OBJECT_CONCURRENCY, async (capture) =>
        findRows(await rowTextOf({ board: { uuid }, capture }, boards, objects), keys),
      );
      const cadence = cadenceOf(uuid, parseResetOverrides(settings.leaderboardsResetOverrides));
      const series = players.map(({ name, rank }) => {
        const real = chosen.flatMap(({ anchor }, index) => {
          const row = found[index]?.get(comparedName(name));
          return row ? [{ createdAt: anchor, ...row }] : [];
        });
        return { playerName: name, currentRank: rank, points: seriesPoints(real, cadence) };
      });
      return { uuid, days, windowStart, windowEnd, anchors: chosen.map(({ anchor }) => anchor), series };
    },

    async health(uuid, settings) {
      const at = await boards.newestBefore(uuid, EVERY_INSTANT);
      if (!at) throw unknownBoard();
      const { comparison, items, total } = await compared(at, { offset: 0, limit: HEALTH_SAMPLE }, settings);
      const { board, capture } = at;
      const figures = boardHealth(items, comparison.comparable);
      return { ...figures, board, anchor: capture.anchor, comparison, population: total, sampleSize: items.length };
    },

    async records() {
      return {
        mastery: await leaderOf(MASTERY_BOARD),
        geodeMastery: await leaderOf(GEODE_MASTERY_BOARD),
        powerRank: await powerRank(),
      };
    },
  };
}

/** More captures than a window of 30 days can have: an insert a token and 5 minutes. */
const EVERY_CAPTURE = 10_000;

function entryAt({ ranks, names, scores }: BoardColumns, index: number, before: BoardColumns | null): Entry {
  const row = { rank: ranks[index] ?? 0, playerName: names[index] ?? '', score: scores[index] ?? 0 };
  if (!before) return toEntry(row, undefined);
  const found = before.find(row.playerName);
  return toEntry(row, found === undefined ? null : { rank: before.ranks[found] ?? 0, score: before.scores[found] ?? 0 });
}

function topOf({ names, ranks }: BoardColumns, top: number): { name: string; rank: number }[] {
  return names.slice(0, top).map((name, index) => ({ name, rank: ranks[index] ?? 0 }));
}
