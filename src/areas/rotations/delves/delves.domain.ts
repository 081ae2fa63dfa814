import { floorDiv, floorMod } from '../../../platform/time/arithmetic.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/time/clock.ts';
import { gameWeekdayIndex } from '../../../platform/time/game-calendar.ts';
import { type Cycle, cycleWindow, indexEndingAfter, type TimeWindow } from '../computed/cycle.domain.ts';

/** Week `firstWeekId` is window 0 of the cycle. */
export type DelveRules = { cycle: Cycle; firstWeekId: number };

/** A floor as the community source wrote it: passed through untouched, every key optional, unknown keys normal. */
export type DelveFloor = Readonly<Record<string, unknown>>;

/** `total`: number of floors according to the source, which may exceed those sent. */
export type DelveFloors = { total: number; depths: readonly DelveFloor[] };

const MONDAY_INDEX = 0;
const DAILY_REFRESH_UTC_HOUR = 11;

/** Id of the delve week that holds `now`. */
export function delveWeekAt(now: UnixSeconds, rules: DelveRules): number {
  return indexEndingAfter(now, rules.cycle) + rules.firstWeekId;
}

/** Span of a delve week, Monday 11:00 UTC to Monday 11:00 UTC. */
export function delveWeekWindow(weekId: number, rules: DelveRules): TimeWindow {
  return cycleWindow(weekId - rules.firstWeekId, rules.cycle);
}

/** Whether the hourly refresher acts in the hour of `now`: every hour of the game day Monday, else once a day. */
export function isDelveRefreshHour(now: UnixSeconds): boolean {
  const utcHour = floorDiv(floorMod(now, SECONDS_PER_DAY), SECONDS_PER_HOUR);
  return gameWeekdayIndex(now) === MONDAY_INDEX || utcHour === DAILY_REFRESH_UTC_HOUR;
}

/**
 * Floors of a source's answer to a request for `weekId`. Null when the answer says that it is about another week: it must
 * not be stored under the requested one. An answer without a list of floors has none, which never replaces stored ones.
 */
export function parseDelveFloors(payload: unknown, weekId: number): DelveFloors | null {
  const source = unwrap(payload);
  if (declaresOtherWeek(source.weekNumber, weekId)) return null;
  const depths = Array.isArray(source.depths) ? source.depths.filter(isRecord) : [];
  return { total: isCount(source.total) ? source.total : depths.length, depths };
}

function unwrap(payload: unknown): Record<string, unknown> {
  if (!isRecord(payload)) return {};
  return !Array.isArray(payload.depths) && isRecord(payload.data) ? { ...payload, ...payload.data } : payload;
}

function declaresOtherWeek(weekNumber: unknown, weekId: number): boolean {
  if (weekNumber === undefined || weekNumber === null) return false;
  return !(weekNumber === weekId || (typeof weekNumber === 'string' && weekNumber.trim() === `${weekId}`));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
