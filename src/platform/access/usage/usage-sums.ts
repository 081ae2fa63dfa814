import { floorDiv, SECONDS_PER_DAY, type UnixSeconds } from '../../kit/time/clock.ts';
import { hourOf, isError, isRateLimited, type UsageRecord } from './usage-buffer.ts';

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

/** Adds up all rows. */
export function totalOf(rows: readonly UsageCounts[]): UsageCounts {
  const total = { requestCount: 0, errorCount: 0, rateLimited: 0, durationMs: 0 };
  for (const row of rows) for (const name of COUNTS) total[name] += row[name];
  return total;
}

const COUNTS = ['requestCount', 'errorCount', 'rateLimited', 'durationMs'] as const;
