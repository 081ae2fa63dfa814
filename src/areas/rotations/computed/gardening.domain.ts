import type { UnixSeconds } from '../../../platform/time/clock.ts';
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

/** One kind of plants. The window of its cycle is the harvest day, the last day of each growing cycle. */
export type PlantSeries = { name: string; cycle: Cycle };
export type GardeningRules = { twoDay: PlantSeries; threeDay: PlantSeries; upcomingItems: number };

export type GardeningWindow = TimeWindow & { name: string; active: boolean };

/** Harvest window of the running cycle of each kind (open or next), and the windows that have not started yet. */
export type Gardening = { twoDay: GardeningWindow; threeDay: GardeningWindow; upcoming: readonly GardeningWindow[] };

/** Gardening at `now`. `upcoming` merges both kinds; a window that starts at `now` is open, hence not in it. */
export function gardeningAt(now: UnixSeconds, rules: GardeningRules): Gardening {
  const { twoDay, threeDay, upcomingItems } = rules;
  const upcoming = [...windowsAfter(now, twoDay, upcomingItems), ...windowsAfter(now, threeDay, upcomingItems)];
  return {
    twoDay: harvestAt(now, twoDay),
    threeDay: harvestAt(now, threeDay),
    upcoming: upcoming.sort(byStartThenName).slice(0, upcomingItems),
  };
}

/** When a harvest window of either kind opens or closes next. */
export function gardeningNextChangeAt(now: UnixSeconds, rules: GardeningRules): UnixSeconds {
  return Math.min(nextEdgeAfter(now, rules.twoDay.cycle), nextEdgeAfter(now, rules.threeDay.cycle));
}

function harvestAt(now: UnixSeconds, series: PlantSeries): GardeningWindow {
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

/** Both kinds start together every six days; the name then decides, so that the order is always the same. */
function byStartThenName(one: GardeningWindow, other: GardeningWindow): number {
  return one.startsAt - other.startsAt || (one.name < other.name ? -1 : 1);
}
