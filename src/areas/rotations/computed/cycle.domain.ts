import { floorDiv, floorMod } from '../../../platform/time/arithmetic.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';

/** A list that always has a first element, so that reading it cyclically always yields something. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** Half-open span of time: it is open at `startsAt` and no longer at `endsAt`. */
export type TimeWindow = { startsAt: UnixSeconds; endsAt: UnixSeconds };

/**
 * Endless series of equal windows. Window `k` (any integer, also negative) opens `offsetSeconds` after
 * `anchorAt + k * periodSeconds` and stays open for `durationSeconds`. Windows of one series never overlap.
 */
export type Cycle = {
  anchorAt: UnixSeconds;
  periodSeconds: number;
  offsetSeconds: number;
  durationSeconds: number;
};

/** Entry of a list that repeats without end in both directions. */
export function cyclicAt<T extends string | object>(list: NonEmpty<T>, index: number): T {
  return list[floorMod(index, list.length)] ?? list[0];
}

/** Is `now` inside the window? */
export function isWithin(now: UnixSeconds, window: TimeWindow): boolean {
  return window.startsAt <= now && now < window.endsAt;
}

/** Window number `index` of the series. */
export function cycleWindow(index: number, cycle: Cycle): TimeWindow {
  const startsAt = cycle.anchorAt + index * cycle.periodSeconds + cycle.offsetSeconds;
  return { startsAt, endsAt: startsAt + cycle.durationSeconds };
}

/** Number of the first window that starts strictly after `instant`. */
export function indexStartingAfter(instant: UnixSeconds, cycle: Cycle): number {
  return floorDiv(instant - cycle.anchorAt - cycle.offsetSeconds, cycle.periodSeconds) + 1;
}

/** Number of the first window that ends strictly after `instant`: the open window, else the next one. */
export function indexEndingAfter(instant: UnixSeconds, cycle: Cycle): number {
  return indexStartingAfter(instant - cycle.durationSeconds, cycle);
}

/** The open window, else the next one. */
export function currentOrNextWindow(now: UnixSeconds, cycle: Cycle): TimeWindow {
  return cycleWindow(indexEndingAfter(now, cycle), cycle);
}

/** First start or end of a window strictly after `now`. */
export function nextEdgeAfter(now: UnixSeconds, cycle: Cycle): UnixSeconds {
  const window = currentOrNextWindow(now, cycle);
  return now < window.startsAt ? window.startsAt : window.endsAt;
}

/** `count` consecutive integers from `first` on: the numbers of successive windows. */
export function indicesFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, position) => first + position);
}
