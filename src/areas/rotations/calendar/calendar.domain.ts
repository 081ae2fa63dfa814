import { gameDayNumber, gameDayStart, SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { weeklyBuffRules } from '../computed/buffs.data.ts';
import {
  type BiomeRotationRules,
  biomesOfWindow,
  type FluxionRules,
  type FluxionWindowState,
  fluxionStateOfWindow,
  type MerchantRules,
  type PlantSeries,
  type WeeklyBuffRules,
  weeklyBuffOfWeek,
} from '../schedules/computed.domain.ts';
import { type Cycle, cycleWindow, indexEndingAfter, type TimeWindow } from '../schedules/cycle.domain.ts';
import { type LuxionRun, luxionRules, luxionSchedule } from '../schedules/luxion.domain.ts';
import {
  corruxionRules,
  fluxionRules,
  gardeningRules,
  type StampyPeriod,
  stampyRulesOf,
  wildManaRules,
} from '../schedules/schedules.data.ts';

/** Event types of a calendar without `types`, in alphabetical order. */
export const CALENDAR_EVENT_TYPES = ['corruxion', 'fluxion', 'gardening_2', 'gardening_3', 'mana', 'stampy', 'weekly_buff'] as const;
export type CalendarEventType = (typeof CALENDAR_EVENT_TYPES)[number];

/** All event types. The calendar has the last one only on request. */
export const CALENDAR_TYPES = namedValues('CalendarEventType', 'Rotation of a calendar event.', [...CALENDAR_EVENT_TYPES, 'luxion']);
export type CalendarType = (typeof CALENDAR_TYPES)[number];

export type CalendarBiome = { name: string; icon: string };

/** One occurrence, not clipped to the window of the calendar. Fields that do not apply to the type are absent. */
export type CalendarEvent = TimeWindow & {
  type: CalendarType;
  name: string;
  color?: string;
  state?: FluxionWindowState;
  biomes?: readonly CalendarBiome[];
};

export type Calendar = TimeWindow & { generatedAt: UnixSeconds; events: readonly CalendarEvent[] };

/** Rotations of the calendar with names and colours. The window extends `halfWindowSeconds` before and after `now`. */
type CalendarRules = {
  halfWindowSeconds: number;
  weeklyBuffs: WeeklyBuffRules;
  corruxion: MerchantRules & { name: string };
  fluxion: FluxionRules & { looks: Readonly<Record<FluxionWindowState, { name: string; color: string }>> };
  twoDayPlants: PlantSeries & { color: string };
  threeDayPlants: PlantSeries & { color: string };
  stampy: BiomeRotationRules & { name: string };
  wildMana: BiomeRotationRules & { name: string };
};

/** Window of 365 days before and after `now`; names and colours (hex digits without `#`) of the events. */
export const calendarRules: CalendarRules = {
  halfWindowSeconds: 365 * SECONDS_PER_DAY,
  weeklyBuffs: weeklyBuffRules,
  corruxion: { ...corruxionRules, name: 'Corruxion' },
  fluxion: {
    ...fluxionRules,
    looks: {
      voting: { name: 'Fluxion (Voting)', color: '5ca8cc' },
      selling: { name: 'Fluxion (Selling)', color: '02679e' },
    },
  },
  twoDayPlants: { ...gardeningRules.twoDay, color: '8bc34a' },
  threeDayPlants: { ...gardeningRules.threeDay, color: '4caf50' },
  stampy: { ...stampyRulesOf.weekly, name: 'Stampy' },
  wildMana: { ...wildManaRules, name: 'Wild Mana' },
};

export const calendarRulesOf: Readonly<Record<StampyPeriod, CalendarRules>> = {
  weekly: calendarRules,
  fortnightly: { ...calendarRules, stampy: { ...stampyRulesOf.fortnightly, name: 'Stampy' } },
};

type Series = {
  type: CalendarEventType;
  cycle: Cycle;
  describe: (index: number) => Omit<CalendarEvent, 'type' | 'starts_at' | 'ends_at'>;
};

/** Occurrences that overlap the window around `now`, by start, then by type. */
export function calendarAt(now: UnixSeconds, rules: CalendarRules): Calendar {
  const window = windowAround(now, rules);
  const events = seriesOf(rules).flatMap((series) => occurrencesWithin(window, series));
  return { ...window, generatedAt: now, events: events.sort(byStartThenType) };
}

/** Windows of reported runs that overlap the window around `now`, by start. */
export function luxionEventsAt(now: UnixSeconds, runs: readonly LuxionRun[], rules: CalendarRules): CalendarEvent[] {
  const window = windowAround(now, rules);
  return runs
    .flatMap((run) => luxionSchedule(run, luxionRules))
    .filter((visit) => visit.ends_at > window.starts_at && visit.starts_at < window.ends_at)
    .map(({ starts_at, ends_at }) => ({ type: 'luxion', name: 'Luxion', starts_at, ends_at }));
}

/**
 * Cache key of the events. Occurrences and game days start and end at 11:00:00 UTC, so the events depend only on the game day, except in
 * its first second: an occurrence that starts at the end of the window is not included yet.
 */
export function calendarEventsKeyAt(now: UnixSeconds): string {
  return now === gameDayStart(now) ? `${gameDayNumber(now)}-start` : `${gameDayNumber(now)}`;
}

function windowAround(now: UnixSeconds, rules: CalendarRules): TimeWindow {
  return { starts_at: now - rules.halfWindowSeconds, ends_at: now + rules.halfWindowSeconds };
}

function seriesOf(rules: CalendarRules): Series[] {
  const { weeklyBuffs, corruxion, fluxion, twoDayPlants, threeDayPlants, stampy, wildMana } = rules;
  return [
    { type: 'weekly_buff', cycle: weeklyBuffs.cycle, describe: (index) => nameAndColor(weeklyBuffOfWeek(index, weeklyBuffs)) },
    { type: 'corruxion', cycle: corruxion.cycle, describe: () => ({ name: corruxion.name }) },
    {
      type: 'fluxion',
      cycle: fluxion.cycle,
      describe: (index) => {
        const state = fluxionStateOfWindow(index, fluxion);
        return { ...nameAndColor(fluxion.looks[state]), state };
      },
    },
    { type: 'gardening_2', cycle: twoDayPlants.cycle, describe: () => nameAndColor(twoDayPlants) },
    { type: 'gardening_3', cycle: threeDayPlants.cycle, describe: () => nameAndColor(threeDayPlants) },
    { type: 'stampy', cycle: stampy.cycle, describe: (index) => ({ name: stampy.name, biomes: calendarBiomes(index, stampy) }) },
    { type: 'mana', cycle: wildMana.cycle, describe: (index) => ({ name: wildMana.name, biomes: calendarBiomes(index, wildMana) }) },
  ];
}

function nameAndColor({ name, color }: { name: string; color: string }): { name: string; color: string } {
  return { name, color };
}

function calendarBiomes(index: number, rules: BiomeRotationRules): CalendarBiome[] {
  return biomesOfWindow(index, rules).map(({ name, icon }) => ({ name, icon }));
}

/** Occurrences that end after the start of the window and start before its end. */
function occurrencesWithin(window: TimeWindow, series: Series): CalendarEvent[] {
  const events: CalendarEvent[] = [];
  for (let index = indexEndingAfter(window.starts_at, series.cycle); ; index += 1) {
    const { starts_at: startsAt, ends_at: endsAt } = cycleWindow(index, series.cycle);
    if (startsAt >= window.ends_at) return events;
    const { name, ...extras } = series.describe(index);
    events.push({ type: series.type, name, starts_at: startsAt, ends_at: endsAt, ...extras });
  }
}

/** Total order: occurrences of one type have different starts. */
export function byStartThenType(one: CalendarEvent, other: CalendarEvent): number {
  return one.starts_at - other.starts_at || (one.type < other.type ? -1 : 1);
}
