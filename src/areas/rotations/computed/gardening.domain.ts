import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import {
  type Cycle,
  currentOrNextWindow,
  cycleWindow,
  indexStartingAfter,
  indicesFrom,
  isWithin,
  nextEdgeAfter,
  type TimeWindow,
} from './cycle.domain.ts';

/** One kind of plants. The windows of its cycle are the harvest days: the last day of each growing cycle. */
export type PlantSeries = { name: string; cycle: Cycle };
export type GardeningRules = { twoDay: PlantSeries; threeDay: PlantSeries; upcomingItems: number };

export type GardeningWindow = TimeWindow & { name: string; active: boolean };

/** Open or next harvest window of each kind, and upcoming windows. */
export type Gardening = { twoDay: GardeningWindow; threeDay: GardeningWindow; upcoming: readonly GardeningWindow[] };

/** Gardening at `now`. `upcoming` contains windows of both kinds that start after `now`. */
export function gardeningAt(now: UnixSeconds, rules: GardeningRules): Gardening {
  const { twoDay, threeDay, upcomingItems } = rules;
  const upcoming = [...windowsAfter(now, twoDay, upcomingItems), ...windowsAfter(now, threeDay, upcomingItems)];
  return {
    twoDay: harvestWindowAt(now, twoDay),
    threeDay: harvestWindowAt(now, threeDay),
    upcoming: upcoming.sort(byStartThenName).slice(0, upcomingItems),
  };
}

/** Next start or end of a harvest window of either kind. */
export function gardeningNextChangeAt(now: UnixSeconds, rules: GardeningRules): UnixSeconds {
  return Math.min(nextEdgeAfter(now, rules.twoDay.cycle), nextEdgeAfter(now, rules.threeDay.cycle));
}

function harvestWindowAt(now: UnixSeconds, series: PlantSeries): GardeningWindow {
  const window = currentOrNextWindow(now, series.cycle);
  return { name: series.name, active: isWithin(now, window), ...window };
}

function windowsAfter(now: UnixSeconds, series: PlantSeries, count: number): GardeningWindow[] {
  return indicesFrom(indexStartingAfter(now, series.cycle), count).map((index) => ({
    name: series.name,
    active: false,
    ...cycleWindow(index, series.cycle),
  }));
}

/** By start, then by name: both kinds start at the same time every six days. */
function byStartThenName(one: GardeningWindow, other: GardeningWindow): number {
  return one.startsAt - other.startsAt || (one.name < other.name ? -1 : 1);
}
