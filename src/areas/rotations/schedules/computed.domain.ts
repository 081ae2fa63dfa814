import { gameDayStart, gameWeekdayIndex, SECONDS_PER_DAY, type UnixSeconds, type Weekday } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import {
  type Cycle,
  currentOrNextWindow,
  cycleWindow,
  cyclicAt,
  indexEndingAfter,
  indexStartingAfter,
  indicesFrom,
  isWithin,
  type NonEmpty,
  nextEdgeAfter,
  type TimeWindow,
} from './cycle.domain.ts';

/** Bonus of one game weekday. `color` is six lowercase hex digits without `#`. */
export type DailyBuff = {
  name: string;
  color: string;
  weekday: Weekday;
  emoji: string;
  normal_buffs: readonly string[];
  premium_buffs: readonly string[];
  icon: string | null;
  banner: string | null;
};

/** Bonus of one week. `weekday` is a label of the game, not a schedule. */
export type WeeklyBuff = {
  name: string;
  color: string;
  weekday: Weekday;
  emoji: string;
  buffs: readonly string[];
  banner: string | null;
};

/** Week `k` of the cycle has entry `k` of `rotation`, which repeats. */
export type WeeklyBuffRules = { cycle: Cycle; rotation: NonEmpty<WeeklyBuff> };

/** Daily buffs at `now`. `week`: the seven buffs, Monday first. */
export function dailyBuffsAt(now: UnixSeconds, week: NonEmpty<DailyBuff>) {
  return { current: cyclicAt(week, gameWeekdayIndex(now)), week };
}

/** Next change of the daily buff: the start of the next game day. */
export function dailyBuffsNextChangeAt(now: UnixSeconds): UnixSeconds {
  return gameDayStart(now) + SECONDS_PER_DAY;
}

/** Weekly buffs at `now`. */
export function weeklyBuffsAt(now: UnixSeconds, rules: WeeklyBuffRules) {
  return { current: weeklyBuffOfWeek(indexEndingAfter(now, rules.cycle), rules), rotation: rules.rotation };
}

/** Buff of week `index` of the cycle. */
export function weeklyBuffOfWeek(index: number, rules: WeeklyBuffRules): WeeklyBuff {
  return cyclicAt(rules.rotation, index);
}

/** Next change of the weekly buff. */
export function weeklyBuffsNextChangeAt(now: UnixSeconds, rules: WeeklyBuffRules): UnixSeconds {
  return nextEdgeAfter(now, rules.cycle);
}

/** State of an open Fluxion window. */
export const FLUXION_WINDOW_STATES = namedValues('FluxionWindowState', 'State of an open window of the merchant.', ['voting', 'selling']);
export type FluxionWindowState = (typeof FLUXION_WINDOW_STATES)[number];

/** State of the merchant: that of the open window, or `away` between windows. */
export const FLUXION_STATES = namedValues('FluxionState', 'State of the merchant.', [...FLUXION_WINDOW_STATES, 'away']);

export type MerchantRules = { cycle: Cycle; scheduleItems: number };
/** Window `k` has entry `k` of `states`, which repeats. */
export type FluxionRules = MerchantRules & { states: NonEmpty<FluxionWindowState> };

/** Corruxion at `now`. The times are those of the open window, otherwise of the next one, which is also the first of `schedule`. */
export function corruxionAt(now: UnixSeconds, rules: MerchantRules) {
  const first = indexEndingAfter(now, rules.cycle);
  const schedule = indicesFrom(first, rules.scheduleItems).map((index) => cycleWindow(index, rules.cycle));
  return { ...visitTimer(now, cycleWindow(first, rules.cycle)), schedule };
}

/** Next arrival or departure of Corruxion. */
export function corruxionNextChangeAt(now: UnixSeconds, rules: MerchantRules): UnixSeconds {
  return nextEdgeAfter(now, rules.cycle);
}

/** Fluxion at `now`. While away, the times are those of the next window, whose state is that of `schedule[0]`. */
export function fluxionAt(now: UnixSeconds, rules: FluxionRules) {
  const first = indexEndingAfter(now, rules.cycle);
  const { active, ...timer } = visitTimer(now, cycleWindow(first, rules.cycle));
  return {
    active,
    state: active ? fluxionStateOfWindow(first, rules) : ('away' as const),
    ...timer,
    schedule: indicesFrom(first, rules.scheduleItems).map((index) => ({
      ...cycleWindow(index, rules.cycle),
      state: fluxionStateOfWindow(index, rules),
    })),
  };
}

/** State of window `index` of the Fluxion cycle. */
export function fluxionStateOfWindow(index: number, rules: Pick<FluxionRules, 'states'>): FluxionWindowState {
  return cyclicAt(rules.states, index);
}

/** Next change of the state of Fluxion. */
export function fluxionNextChangeAt(now: UnixSeconds, rules: FluxionRules): UnixSeconds {
  return nextEdgeAfter(now, rules.cycle);
}

/** `seconds_remaining`: until departure while active, otherwise until arrival; never 0. */
function visitTimer(now: UnixSeconds, visit: TimeWindow) {
  const active = isWithin(now, visit);
  return { active, ...visit, seconds_remaining: (active ? visit.ends_at : visit.starts_at) - now };
}

/** One kind of plants. The windows of its cycle are the harvest days: the last day of each growing cycle. */
export type PlantSeries = { name: string; cycle: Cycle };
export type GardeningRules = { twoDay: PlantSeries; threeDay: PlantSeries; upcomingItems: number };

/** Gardening at `now`: the open or next harvest window of each kind; `upcoming` contains windows of both kinds that start after `now`. */
export function gardeningAt(now: UnixSeconds, rules: GardeningRules) {
  const { twoDay, threeDay, upcomingItems } = rules;
  const upcoming = [...windowsAfter(now, twoDay, upcomingItems), ...windowsAfter(now, threeDay, upcomingItems)];
  return {
    two_day: harvestWindowAt(now, twoDay),
    three_day: harvestWindowAt(now, threeDay),
    upcoming: upcoming.sort(byStartThenName).slice(0, upcomingItems),
  };
}

/** Next start or end of a harvest window of either kind. */
export function gardeningNextChangeAt(now: UnixSeconds, rules: GardeningRules): UnixSeconds {
  return Math.min(nextEdgeAfter(now, rules.twoDay.cycle), nextEdgeAfter(now, rules.threeDay.cycle));
}

function harvestWindowAt(now: UnixSeconds, series: PlantSeries) {
  const window = currentOrNextWindow(now, series.cycle);
  return { name: series.name, active: isWithin(now, window), ...window };
}

function windowsAfter(now: UnixSeconds, series: PlantSeries, count: number) {
  return indicesFrom(indexStartingAfter(now, series.cycle), count).map((index) => ({
    name: series.name,
    active: false,
    ...cycleWindow(index, series.cycle),
  }));
}

type HarvestWindow = ReturnType<typeof harvestWindowAt>;

/** By start, then by name: both kinds start at the same time every six days. */
function byStartThenName(one: HarvestWindow, other: HarvestWindow): number {
  return one.starts_at - other.starts_at || (one.name < other.name ? -1 : 1);
}

/** `final_name`: name on the map, often the parent biome. `icon`: a token such as `neon`, not a URL. */
export type Biome = { name: string; final_name: string; icon: string };
export type BiomeLookup = ReadonlyMap<string, Biome>;

/** One biome position of a rotation: window `k` has entry `k + shift` of the sequence, which repeats. */
type BiomeTrack = { sequence: NonEmpty<string>; shift: number };
export type BiomeRotationRules = {
  cycle: Cycle;
  upcomingItems: number;
  tracks: NonEmpty<BiomeTrack>;
  lookup: BiomeLookup;
};

export type BiomeRotation = TimeWindow & { biomes: readonly Biome[] };

/**
 * Rotation at `now`: the first window that ends after `now`, and the following ones. With gaps between windows (stampy), `current` is the
 * next window during a gap.
 */
export function biomeRotationsAt(now: UnixSeconds, rules: BiomeRotationRules) {
  const first = indexEndingAfter(now, rules.cycle);
  return {
    current: biomeRotation(first, rules),
    upcoming: indicesFrom(first + 1, rules.upcomingItems).map((index) => biomeRotation(index, rules)),
  };
}

/** Next start or end of a window. */
export function biomeRotationsNextChangeAt(now: UnixSeconds, rules: BiomeRotationRules): UnixSeconds {
  return nextEdgeAfter(now, rules.cycle);
}

/** Biomes of window `index` in track order. */
export function biomesOfWindow(index: number, rules: Pick<BiomeRotationRules, 'tracks' | 'lookup'>): Biome[] {
  return rules.tracks.map((track) => biomeNamed(cyclicAt(track.sequence, index + track.shift), rules.lookup));
}

/** Biome by name. For unknown names, `final_name` is the name itself. */
export function biomeNamed(name: string, lookup: BiomeLookup): Biome {
  return lookup.get(name) ?? { name, final_name: name, icon: 'unknown' };
}

function biomeRotation(index: number, rules: BiomeRotationRules): BiomeRotation {
  return { ...cycleWindow(index, rules.cycle), biomes: biomesOfWindow(index, rules) };
}
