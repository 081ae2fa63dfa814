import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../time/clock.ts';
import type { UsageRecord } from './usage-buffer.ts';

/** Counts of requests. */
export interface UsageCounts {
  requestCount: number;
  /** Responses with a status of 400 or higher. */
  errorCount: number;
  /** Responses with status 429. */
  rateLimited: number;
  durationMs: number;
}

export interface DayUsage extends UsageCounts {
  day: UnixSeconds;
}

export interface HourUsage extends UsageCounts {
  hour: UnixSeconds;
}

export interface RouteUsage extends UsageCounts {
  method: string;
  route: string;
}

/** Sums by day, earliest first, and by route, most requests first. */
export interface UsageSummary {
  days: DayUsage[];
  routes: RouteUsage[];
}

/** A summary with the latest hours that had requests, earliest first, and the time of the last request (null without one). */
export interface UsageReport extends UsageSummary {
  hours: HourUsage[];
  lastUsedAt: UnixSeconds | null;
}

const FIRST_ERROR = 400;
const RATE_LIMITED = 429;

export const isError = (status: number): boolean => status >= FIRST_ERROR;
export const isRateLimited = (status: number): boolean => status === RATE_LIMITED;
export const hourOf = (at: UnixSeconds): UnixSeconds => floorDiv(at, SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
export const dayOf = (at: UnixSeconds): UnixSeconds => floorDiv(at, SECONDS_PER_DAY) * SECONDS_PER_DAY;

function summed<Key extends object>(records: readonly UsageRecord[], keyOf: (record: UsageRecord) => Key): (Key & UsageCounts)[] {
  const sums = new Map<string, Key & UsageCounts>();
  for (const record of records) {
    const key = keyOf(record);
    const text = JSON.stringify(key);
    const sum = sums.get(text) ?? { ...key, requestCount: 0, errorCount: 0, rateLimited: 0, durationMs: 0 };
    sum.requestCount += record.count;
    if (isError(record.status)) sum.errorCount += record.count;
    if (isRateLimited(record.status)) sum.rateLimited += record.count;
    sum.durationMs += record.durationMilliseconds;
    sums.set(text, sum);
  }
  return [...sums.values()];
}

/** Requests by hour and route. */
export function hourSums(records: readonly UsageRecord[]) {
  return summed(records, ({ at, method, route }) => ({ hour: hourOf(at), method, route }));
}

/** Requests by day. */
export function daySums(records: readonly UsageRecord[]) {
  return summed(records, ({ at }) => ({ day: dayOf(at) }));
}

/** Adds up rows with the same key. */
export function addUp<Row extends UsageCounts>(rows: readonly Row[], keyOf: (row: Row) => string | number): Row[] {
  const sums = new Map<string | number, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const sum = sums.get(key);
    if (sum) for (const name of COUNTS) sum[name] += row[name];
    else sums.set(key, { ...row });
  }
  return [...sums.values()];
}

const COUNTS = ['requestCount', 'errorCount', 'rateLimited', 'durationMs'] as const;

/**
 * Upper bounds of the buckets of durations, in milliseconds; the last bucket has none. Stored: a change would give the stored counts another
 * meaning. A finer scale needs columns of its own.
 */
export const DURATION_BOUNDS_MS = [5, 10, 20, 35, 50, 75, 100, 150, 250, 400, 650, 1000, 2000, 5000, 15_000] as const;

/** The columns that count the requests of each bucket. */
export const DURATION_COLUMNS = [
  ...(['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'] as const),
  ...(['d8', 'd9', 'd10', 'd11', 'd12', 'd13', 'd14', 'd15'] as const),
] as const;

export type DurationColumn = (typeof DURATION_COLUMNS)[number];

/** Numbers of requests by bucket. */
export type DurationCounts = Record<DurationColumn, number>;

export function noDurations(): DurationCounts {
  return Object.fromEntries(DURATION_COLUMNS.map((name) => [name, 0])) as DurationCounts;
}

export function durationColumnOf(durationMs: number): DurationColumn {
  const index = DURATION_BOUNDS_MS.findIndex((bound) => durationMs < bound);
  return DURATION_COLUMNS[index < 0 ? DURATION_BOUNDS_MS.length : index] ?? 'd15';
}

/**
 * Estimates a quantile in milliseconds, with requests spread evenly within a bucket; null without requests. In the last bucket: its lower
 * bound.
 */
export function durationQuantile(counts: DurationCounts, share: number): number | null {
  const total = DURATION_COLUMNS.reduce((sum, name) => sum + counts[name], 0);
  if (total === 0) return null;
  const target = total * share;
  let below = 0;
  for (const [index, name] of DURATION_COLUMNS.entries()) {
    const low = DURATION_BOUNDS_MS[index - 1] ?? 0;
    const high = DURATION_BOUNDS_MS[index] ?? low;
    if (counts[name] > 0 && below + counts[name] >= target) return Math.round(low + ((high - low) * (target - below)) / counts[name]);
    below += counts[name];
  }
  return DURATION_BOUNDS_MS.at(-1) ?? null;
}
