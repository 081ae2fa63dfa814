import { namedValues } from '../values/named-values.ts';

/** An instant as whole seconds since 1970-01-01T00:00:00Z. */
export type UnixSeconds = number;

/** The only source of the current time. All other code receives the time as an argument. */
export type Clock = () => UnixSeconds;

export const SECONDS_PER_MINUTE = 60;
export const SECONDS_PER_HOUR = 3600;
export const SECONDS_PER_DAY = 86_400;
export const SECONDS_PER_WEEK = 604_800;

/** Real time in whole seconds. */
export const systemClock: Clock = () => Math.floor(Date.now() / 1000);

/** Real time in milliseconds, for alarms, leases and timeouts. */
export const systemMs = (): number => Date.now();

/** ISO 8601 in UTC with milliseconds and `Z`: the format of every `*_iso` and ISO field. */
export function toIso(instant: UnixSeconds): string {
  return new Date(instant * 1000).toISOString();
}

/** Floor division: rounds towards minus infinity, unlike integer division that truncates. */
export function floorDiv(dividend: number, divisor: number): number {
  return Math.floor(dividend / divisor);
}

/** Remainder of `floorDiv`: always in `[0, divisor)`, unlike `%` for negative numbers. */
export function floorMod(dividend: number, divisor: number): number {
  return ((dividend % divisor) + divisor) % divisor;
}

/** The game's clock is UTC-11 all year: a game day starts at 11:00:00 UTC (specification, "Game server time"). */
export const GAME_OFFSET_SECONDS = 39_600;

/** Game weekdays, Monday first, as the API spells them. */
export const WEEKDAYS = namedValues('Weekday', 'Day of the week.', [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
]);
export type Weekday = (typeof WEEKDAYS)[number];

/** Number of the game day of `instant`. Day 0 starts at 1970-01-01 11:00 UTC. */
export function gameDayNumber(instant: UnixSeconds): number {
  return floorDiv(instant - GAME_OFFSET_SECONDS, SECONDS_PER_DAY);
}

/** Weekday index of the game day; Monday is 0 (1970-01-01 was a Thursday). */
export function gameWeekdayIndex(instant: UnixSeconds): number {
  return floorMod(gameDayNumber(instant) + 3, 7);
}

/** First second of the game day of `instant`. */
export function gameDayStart(instant: UnixSeconds): UnixSeconds {
  return gameDayNumber(instant) * SECONDS_PER_DAY + GAME_OFFSET_SECONDS;
}

/** First second of the game week of `instant`: Monday 11:00 UTC. */
export function gameWeekStart(instant: UnixSeconds): UnixSeconds {
  return gameDayStart(instant) - gameWeekdayIndex(instant) * SECONDS_PER_DAY;
}
