import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { encodeBlocks, findBlocks, type PlayerRow, readBlocks, type ShardBlock } from '../captures/player-shards.domain.ts';

/** Totals of a player on one board over all captures. */
export interface BoardTotal {
  uuid: number;
  bestRank: number;
  /** In the newest capture with the player on the board. */
  latestRank: number;
  latestScore: number;
  /** Number of captures with the player on the board. */
  appearances: number;
  firstSeen: UnixSeconds;
  lastSeen: UnixSeconds;
}

/** Totals of a player on all boards. */
export interface PlayerTotal {
  /** Spelling of the newest capture. */
  playerName: string;
  boards: Map<number, BoardTotal>;
}

/** Totals by player key. */
export type Totals = Map<string, PlayerTotal>;

/** Adds the rows of a player at a capture. Captures must be added oldest first. Of several rows on a board only the best counts. */
export function addAppearance(totals: Totals, key: string, anchor: UnixSeconds, rows: readonly PlayerRow[]): void {
  const [newest] = rows;
  if (!newest) return;
  const total = totals.get(key) ?? { playerName: newest.playerName, boards: new Map() };
  total.playerName = newest.playerName;
  totals.set(key, total);
  for (const { uuid, rank, score } of rows) {
    const existing = total.boards.get(uuid);
    const isCounted = existing?.lastSeen === anchor;
    if (isCounted && existing.latestRank <= rank) continue;
    total.boards.set(uuid, {
      uuid,
      bestRank: Math.min(existing?.bestRank ?? rank, rank),
      latestRank: rank,
      latestScore: score,
      appearances: (existing?.appearances ?? 0) + (isCounted ? 0 : 1),
      firstSeen: existing?.firstSeen ?? anchor,
      lastSeen: anchor,
    });
  }
}

/** Encodes one shard of the totals. */
export function encodeTotals(totals: Totals): string {
  return encodeBlocks([...totals].map(([key, { playerName, boards }]) => ({ key, name: playerName, rows: encodeBoards(boards) })));
}

export function decodeTotals(text: string): Totals {
  const totals: Totals = new Map();
  for (const block of readBlocks(text)) totals.set(block.key, decodeTotal(block));
  return totals;
}

/** Finds a player in the text of a shard; null if absent. */
export function findTotal(text: string, key: string): PlayerTotal | null {
  const [block] = findBlocks(text, key);
  return block ? decodeTotal(block) : null;
}

function encodeBoards(boards: ReadonlyMap<number, BoardTotal>): string {
  const rows = [...boards.values()].map((board) =>
    [board.uuid, board.bestRank, board.latestRank, board.latestScore, board.appearances, board.firstSeen, board.lastSeen].join(','),
  );
  return rows.join(';');
}

function decodeTotal({ name, rows }: ShardBlock): PlayerTotal {
  const boards = rows.split(';').map((row): [number, BoardTotal] => {
    const [uuid = 0, bestRank = 0, latestRank = 0, latestScore = 0, appearances = 0, firstSeen = 0, lastSeen = 0] = row
      .split(',')
      .map(Number);
    return [uuid, { uuid, bestRank, latestRank, latestScore, appearances, firstSeen, lastSeen }];
  });
  return { playerName: name, boards: new Map(boards) };
}

export interface TotalsSummary {
  boardsAppeared: number;
  appearances: number;
  best: BoardTotal | null;
  top10: number;
  top100: number;
  latestAnchor: UnixSeconds | null;
}

/** Boards of a player, best rank first, then most recently seen. */
export function sortedBoards(boards: Iterable<BoardTotal>): BoardTotal[] {
  return [...boards].sort((one, other) => one.bestRank - other.bestRank || other.lastSeen - one.lastSeen || one.uuid - other.uuid);
}

/** `boards`: best rank first. */
export function summaryOf(boards: readonly BoardTotal[]): TotalsSummary {
  const upTo = (rank: number) => boards.filter(({ bestRank }) => bestRank <= rank).length;
  return {
    boardsAppeared: boards.length,
    appearances: boards.reduce((sum, board) => sum + board.appearances, 0),
    best: boards[0] ?? null,
    top10: upTo(10),
    top100: upTo(100),
    latestAnchor: boards.length === 0 ? null : Math.max(...boards.map(({ lastSeen }) => lastSeen)),
  };
}
