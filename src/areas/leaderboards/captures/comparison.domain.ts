import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { roundTo } from '../../../platform/values/rounding.ts';
import type { ResetCadence } from '../boards/board-table.data.ts';
import { crossesReset } from '../boards/resets.domain.ts';

/** Whether the rows of a board can be compared with those of an earlier game day, and with which. */
export interface Comparison {
  comparable: boolean;
  prevAnchor: UnixSeconds | null;
  reason: 'ok' | 'no_prior_snapshot' | 'crossed_reset';
}

/** `prevAnchor`: newest capture of the board before the game day of `anchor`, however old; null when there is none. */
export function compareWith(prevAnchor: UnixSeconds | null, anchor: UnixSeconds, cadence: ResetCadence): Comparison {
  if (prevAnchor === null) return { comparable: false, prevAnchor, reason: 'no_prior_snapshot' };
  if (crossesReset(cadence, prevAnchor, anchor)) return { comparable: false, prevAnchor, reason: 'crossed_reset' };
  return { comparable: true, prevAnchor, reason: 'ok' };
}

/** A row of a board with what became of it since the earlier game day. */
export interface Entry {
  rank: number;
  playerName: string;
  score: number;
  prevRank: number | null;
  prevScore: number | null;
  /** Positive: climbed. */
  rankDelta: number | null;
  scoreDelta: number | null;
  isNew: boolean;
}

/** A difference of decimals has more digits than they mean; no score has more decimals than these. */
const DELTA_DECIMALS = 6;

/** `before`: the player's row then, null when he had none; undefined when nothing can be compared. */
export function toEntry(
  { rank, playerName, score }: Pick<Entry, 'rank' | 'playerName' | 'score'>,
  before: { rank: number; score: number } | null | undefined,
): Entry {
  const row = { rank, playerName, score };
  if (!before) return { ...row, prevRank: null, prevScore: null, rankDelta: null, scoreDelta: null, isNew: before === null };
  const { rank: prevRank, score: prevScore } = before;
  return { ...row, prevRank, prevScore, rankDelta: prevRank - rank, scoreDelta: roundTo(score - prevScore, DELTA_DECIMALS), isNew: false };
}

/** Names are compared in this form within a board. */
export function comparedName(name: string): string {
  return name.toLowerCase();
}

/** Players are looked up by this form. */
export function playerKey(name: string): string {
  return name.trim().toLowerCase();
}
