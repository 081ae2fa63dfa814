import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { floorDiv, floorMod, gameWeekdayIndex, toIso, WEEKDAYS } from '../../../platform/kit/time/clock.ts';

/** A list with at least one element. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** Half-open time window: includes `startsAt`, excludes `endsAt`. */
export type TimeWindow = { starts_at: UnixSeconds; ends_at: UnixSeconds };

/**
 * Endless series of windows of equal length. Window `k` (any integer, also negative) starts `offsetSeconds` after `anchorAt + k *
 * periodSeconds` and lasts `durationSeconds`. Windows of a cycle do not overlap.
 */
export type Cycle = {
  anchorAt: UnixSeconds;
  periodSeconds: number;
  offsetSeconds: number;
  durationSeconds: number;
};

/** Entry of a list that repeats in both directions. */
export function cyclicAt<T extends string | object>(list: NonEmpty<T>, index: number): T {
  return list[floorMod(index, list.length)] ?? list[0];
}

export function isWithin(now: UnixSeconds, window: TimeWindow): boolean {
  return window.starts_at <= now && now < window.ends_at;
}

/** Window `index` of the cycle. */
export function cycleWindow(index: number, cycle: Cycle): TimeWindow {
  const startsAt = cycle.anchorAt + index * cycle.periodSeconds + cycle.offsetSeconds;
  return { starts_at: startsAt, ends_at: startsAt + cycle.durationSeconds };
}

/** Index of the first window that starts strictly after `instant`. */
export function indexStartingAfter(instant: UnixSeconds, cycle: Cycle): number {
  return floorDiv(instant - cycle.anchorAt - cycle.offsetSeconds, cycle.periodSeconds) + 1;
}

/** Index of the first window that ends strictly after `instant`: the open window, otherwise the next one. */
export function indexEndingAfter(instant: UnixSeconds, cycle: Cycle): number {
  return indexStartingAfter(instant - cycle.durationSeconds, cycle);
}

/** The open window, otherwise the next one. */
export function currentOrNextWindow(now: UnixSeconds, cycle: Cycle): TimeWindow {
  return cycleWindow(indexEndingAfter(now, cycle), cycle);
}

/** First start or end of a window strictly after `now`. */
export function nextEdgeAfter(now: UnixSeconds, cycle: Cycle): UnixSeconds {
  const window = currentOrNextWindow(now, cycle);
  return now < window.starts_at ? window.starts_at : window.ends_at;
}

/** Indexes of `count` consecutive windows. */
export function indicesFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, position) => first + position);
}

/** Cycles of the two resets: each window starts at a reset. */
export type ResetRules = { daily: Cycle; weekly: Cycle };

/** The next reset, strictly after `now`. */
export function nextReset(now: UnixSeconds, reset: Cycle): UnixSeconds {
  return cycleWindow(indexStartingAfter(now, reset), reset).starts_at;
}

/** Game server time (UTC-11) at `now`. The weekly reset is the change of the weekly buff, on Monday. */
export function serverTimeAt(now: UnixSeconds, rules: ResetRules) {
  return {
    now_unix: now,
    now_iso: toIso(now),
    game_day: cyclicAt(WEEKDAYS, gameWeekdayIndex(now)),
    daily_reset_at: nextReset(now, rules.daily),
    weekly_reset_at: nextReset(now, rules.weekly),
  };
}
