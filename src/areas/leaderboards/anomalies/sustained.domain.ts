import type { BoardRows } from '../../../game/board-captures.ts';
import { comparedName } from '../captures/comparison.domain.ts';
import { ACTIVE_RANKS, MIN_RISE, SUSTAINED } from './anomalies.data.ts';

/** Lower-case names among the first ranks of a board whose score rose since the earlier capture. */
export function risingNames(earlier: BoardRows, later: BoardRows): string[] {
  const before = new Map<string, number>();
  for (const [index, name] of earlier.names.entries()) {
    const key = comparedName(name);
    if (!before.has(key)) before.set(key, earlier.scores[index] ?? Number.NaN);
  }
  const first = later.names.slice(0, ACTIVE_RANKS).map(comparedName);
  return first.filter((key, index) => (later.scores[index] ?? Number.NaN) - (before.get(key) ?? Number.NaN) >= MIN_RISE);
}

export interface SustainedPlayer {
  /** Name in the form of `comparedName`. */
  key: string;
  activeHours: number;
  /** Share of all hours. */
  fraction: number;
}

/**
 * Players who were active in nearly all hours of a reset cycle; empty until the cycle has `SUSTAINED.minHours` hours.
 * `activeNames`: the names of each hour.
 */
export function sustainedPlayers(activeNames: Iterable<ReadonlySet<string>>, hours: number): SustainedPlayer[] {
  if (hours < SUSTAINED.minHours) return [];
  const counts = new Map<string, number>();
  for (const names of activeNames) for (const key of names) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .map(([key, activeHours]) => ({ key, activeHours, fraction: activeHours / hours }))
    .filter(({ fraction }) => fraction >= SUSTAINED.fraction);
}
