import type { BoardPair, BoardRows } from '../../game/board-captures.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/time/clock.ts';
import { roundTo } from '../../platform/values/rounding.ts';

/** Players of one board who were active between two captures. */
export interface BoardActivity {
  uuid: number;
  name: string;
  category: string;
  activePlayers: number;
}

/** A window in which each active player is counted once. */
export interface Union {
  /** First capture of the window; null until there are two captures. */
  startsAt: UnixSeconds | null;
  /** Null if unknown. */
  estimate: number | null;
}

/** Activity of players since the previous capture; null figures for the first capture. */
export interface CaptureActivity {
  windowEnd: UnixSeconds;
  windowStart: UnixSeconds | null;
  estimate: number | null;
  /** Boards with at least one active player, most active first. */
  byBoard: BoardActivity[];
  day: Union;
  week: Union;
  computedAt: UnixSeconds;
}

/** Maximum span of a union relative to its period. Longer spans are caused by gaps and are not comparable. */
const MAX_STRETCH = 1.5;

/**
 * Players whose score rose, and new players with a score above the lowest of the earlier capture. Without that condition, a
 * capture with more rows would make all additional players active.
 */
export function activePlayers(later: BoardRows, earlier: BoardRows): Set<string> {
  const before = new Map<string, number>();
  let lowest = Number.POSITIVE_INFINITY;
  for (const [index, name] of earlier.names.entries()) {
    const score = earlier.scores[index] ?? Number.NaN;
    before.set(name, score);
    lowest = Math.min(lowest, score);
  }
  const active = new Set<string>();
  for (const [index, name] of later.names.entries()) {
    const score = later.scores[index] ?? Number.NaN;
    if (score > (before.get(name) ?? lowest)) active.add(name);
  }
  return active;
}

/** Whether a board can be compared: it ranks players and the earlier capture contains it. */
export function isComparable(pair: BoardPair): pair is BoardPair & { earlier: BoardRows; later: BoardRows } {
  return pair.isPlayerBoard && pair.earlier !== null && pair.later !== null && pair.earlier.names.length > 0;
}

/** Boards with activity, most active first. */
export function rankBoards(boards: readonly BoardActivity[]): BoardActivity[] {
  return boards
    .filter(({ activePlayers: count }) => count > 0)
    .sort((one, other) => other.activePlayers - one.activePlayers || one.uuid - other.uuid);
}

/** Whether the span of a union is within `MAX_STRETCH` of its period. */
export function isWithinStretch(startsAt: UnixSeconds, windowEnd: UnixSeconds, periodSeconds: number): boolean {
  return windowEnd - startsAt <= MAX_STRETCH * periodSeconds;
}

/** Seconds after a capture within which later unions can include it. */
export function unionReachSeconds(periodSeconds: number): number {
  return MAX_STRETCH * periodSeconds;
}

/** Length of a window in hours. */
export function hoursBetween(startsAt: UnixSeconds, endsAt: UnixSeconds, decimals: 1 | 2): number {
  return roundTo((endsAt - startsAt) / SECONDS_PER_HOUR, decimals);
}
