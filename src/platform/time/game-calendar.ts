import { namedValues } from '../values/named-values.ts';
import { floorDiv, floorMod } from './arithmetic.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from './clock.ts';

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
