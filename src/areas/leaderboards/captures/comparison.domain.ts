import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import type { ResetCadence } from '../boards/board-table.data.ts';
import { crossesReset } from '../boards/boards.domain.ts';

/** The capture of an earlier game day that rows are compared with, or the reason why there is none. */
export interface Comparison {
  comparable: boolean;
  prevAnchor: UnixSeconds | null;
  reason: 'ok' | 'no_prior_snapshot' | 'crossed_reset';
}

/** `prevAnchor`: newest capture of the board before the game day of `anchor`, of any age; null if there is none. */
export function compareWith(prevAnchor: UnixSeconds | null, anchor: UnixSeconds, cadence: ResetCadence): Comparison {
  if (prevAnchor === null) return { comparable: false, prevAnchor, reason: 'no_prior_snapshot' };
  if (crossesReset(cadence, prevAnchor, anchor)) return { comparable: false, prevAnchor, reason: 'crossed_reset' };
  return { comparable: true, prevAnchor, reason: 'ok' };
}

/** A row of a board and its changes since the earlier game day. */
export interface Entry {
  rank: number;
  playerName: string;
  score: number;
  prevRank: number | null;
  prevScore: number | null;
  /** Ranks gained. */
  rankDelta: number | null;
  scoreDelta: number | null;
  isNew: boolean;
}

/** Hides floating-point errors of the difference; no score has more decimals. */
const DELTA_DECIMALS = 6;

/** `before`: the earlier row of the player; null if there is none, undefined if the captures are not comparable. */
export function toEntry(
  { rank, playerName, score }: Pick<Entry, 'rank' | 'playerName' | 'score'>,
  before: { rank: number; score: number } | null | undefined,
): Entry {
  const row = { rank, playerName, score };
  if (!before) return { ...row, prevRank: null, prevScore: null, rankDelta: null, scoreDelta: null, isNew: before === null };
  const { rank: prevRank, score: prevScore } = before;
  return { ...row, prevRank, prevScore, rankDelta: prevRank - rank, scoreDelta: roundTo(score - prevScore, DELTA_DECIMALS), isNew: false };
}

/** Form of a name for comparisons within a board. */
export function comparedName(name: string): string {
  return name.toLowerCase();
}

/** Form of a name for lookups of players. */
export function playerKey(name: string): string {
  return name.trim().toLowerCase();
}
