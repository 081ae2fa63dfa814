import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { MAX_LINES, splitLines } from '../captures/board-rows.domain.ts';
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
  /** Newest capture in which the score of one of the rows rose; null if none ever did. */
  lastRise: UnixSeconds | null;
  /** Scores of all rows of the name in the newest capture with the player on the board, the latest score first. */
  scores: readonly number[];
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
  for (const [uuid, own] of Map.groupBy(rows, (row) => row.uuid)) {
    const existing = total.boards.get(uuid);
    const [best, ...others] = own.toSorted((one, other) => one.rank - other.rank);
    if (!best || existing?.lastSeen === anchor) continue;
    const scores = [best, ...others].slice(0, MAX_LINES).map(({ score }) => score);
    total.boards.set(uuid, {
      uuid,
      bestRank: Math.min(existing?.bestRank ?? best.rank, best.rank),
      latestRank: best.rank,
      latestScore: best.score,
      appearances: (existing?.appearances ?? 0) + 1,
      firstSeen: existing?.firstSeen ?? anchor,
      lastSeen: anchor,
      lastRise: existing && hasRise(existing.scores, scores) ? anchor : (existing?.lastRise ?? null),
      scores,
    });
  }
}

/** Whether the score of a row rose; rows of a name that appears several times are matched as in its series. */
function hasRise(before: readonly number[], now: readonly number[]): boolean {
  const [only = 0] = before;
  if (before.length === 1 && now.length === 1) return (now[0] ?? 0) > only;
  const rowsAt = (anchor: UnixSeconds, scores: readonly number[]) => scores.map((score, index) => ({ anchor, rank: index, score }));
  return splitLines([...rowsAt(0, before), ...rowsAt(1, now)]).some(([first, last]) => first && last && last.score > first.score);
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
    [
      ...[board.uuid, board.bestRank, board.latestRank, board.latestScore, board.appearances, board.firstSeen, board.lastSeen],
      ...[board.lastRise ?? 0, ...board.scores.slice(1)],
    ].join(','),
  );
  return rows.join(';');
}

function decodeTotal({ name, rows }: ShardBlock): PlayerTotal {
  const boards = rows.split(';').map((row): [number, BoardTotal] => {
    const [uuid = 0, bestRank = 0, latestRank = 0, latestScore = 0, appearances = 0, firstSeen = 0, lastSeen = 0, lastRise = 0, ...others] =
      row.split(',').map(Number);
    const scores = [latestScore, ...others];
    return [uuid, { uuid, bestRank, latestRank, latestScore, appearances, firstSeen, lastSeen, lastRise: lastRise || null, scores }];
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
  /** Newest capture in which a score rose; null if none ever did. */
  lastPlayed: UnixSeconds | null;
}

/** Boards of a player, best rank first, then most recently seen. */
export function sortedBoards(boards: Iterable<BoardTotal>): BoardTotal[] {
  return [...boards].sort((one, other) => one.bestRank - other.bestRank || other.lastSeen - one.lastSeen || one.uuid - other.uuid);
}

/** `boards`: best rank first. `isExcluded`: boards whose scores say nothing about whether the player played. */
export function summaryOf(boards: readonly BoardTotal[], isExcluded: (uuid: number) => boolean = () => false): TotalsSummary {
  const rises = boards.flatMap(({ uuid, lastRise }) => (lastRise === null || isExcluded(uuid) ? [] : [lastRise]));
  const upTo = (rank: number) => boards.filter(({ bestRank }) => bestRank <= rank).length;
  return {
    boardsAppeared: boards.length,
    appearances: boards.reduce((sum, board) => sum + board.appearances, 0),
    best: boards[0] ?? null,
    top10: upTo(10),
    top100: upTo(100),
    latestAnchor: boards.length === 0 ? null : Math.max(...boards.map(({ lastSeen }) => lastSeen)),
    lastPlayed: rises.length === 0 ? null : Math.max(...rises),
  };
}
