import {
  floorDiv,
  floorMod,
  gameWeekdayIndex,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
  type UnixSeconds,
} from '../../../platform/kit/time/clock.ts';
import { type Cycle, indexEndingAfter } from './cycle.domain.ts';

/** Week `firstWeekId` is window 0 of the cycle. */
export type DelveRules = { cycle: Cycle; firstWeekId: number };

/** A floor of the community source, relayed unchanged. All keys are optional; unknown keys may occur. */
export type DelveFloor = Readonly<Record<string, unknown>>;

/** `total`: number of floors according to the source; may exceed the number in the response. */
export type DelveFloors = { total: number; depths: readonly DelveFloor[] };

const MONDAY_INDEX = 0;
const DAILY_REFRESH_UTC_HOUR = 11;

/** Id of the delve week of `now`. */
export function delveWeekAt(now: UnixSeconds, rules: DelveRules): number {
  return indexEndingAfter(now, rules.cycle) + rules.firstWeekId;
}

/** Whether the hourly job fetches in the hour of `now`: every hour of the game day Monday, otherwise once a day. */
export function isDelveRefreshHour(now: UnixSeconds): boolean {
  const utcHour = floorDiv(floorMod(now, SECONDS_PER_DAY), SECONDS_PER_HOUR);
  return gameWeekdayIndex(now) === MONDAY_INDEX || utcHour === DAILY_REFRESH_UTC_HOUR;
}

/**
 * Parses the response to a request for `weekId`. Null when the response is for another week, because it must not be stored under the
 * requested one. A response without a list of floors has no floors.
 */
export function parseDelveFloors(payload: unknown, weekId: number): DelveFloors | null {
  const source = unwrapData(payload);
  if (isOtherWeek(source.weekNumber, weekId)) return null;
  const depths = Array.isArray(source.depths) ? source.depths.filter(isRecord) : [];
  return { total: isCount(source.total) ? source.total : depths.length, depths };
}

function unwrapData(payload: unknown): Record<string, unknown> {
  if (!isRecord(payload)) return {};
  return !Array.isArray(payload.depths) && isRecord(payload.data) ? { ...payload, ...payload.data } : payload;
}

function isOtherWeek(weekNumber: unknown, weekId: number): boolean {
  if (weekNumber === undefined || weekNumber === null) return false;
  return !(weekNumber === weekId || (typeof weekNumber === 'string' && weekNumber.trim() === `${weekId}`));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
