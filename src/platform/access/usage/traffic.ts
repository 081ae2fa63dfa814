import { gte, lt, sql } from 'drizzle-orm';
import { logError } from '../../kit/logging.ts';
import { SECONDS_PER_DAY, systemMs, type UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { DURATION_BOUNDS_MS, DURATION_COLUMNS, type DurationColumn, usageHours } from './usage.tables.ts';
import { hourOf, isError, isRateLimited, USAGE_DELAY_SECONDS } from './usage-buffer.ts';
import type { UsageCounts } from './usage-sums.ts';

export type TrafficKind = (typeof usageHours.$inferSelect)['kind'];

/** Requests of one kind in an hour, or in a longer period that starts with it. */
export type TrafficRow = typeof usageHours.$inferSelect;

export interface TrafficRecord {
  hasToken: boolean;
  status: number;
  durationMs: number;
  at: UnixSeconds;
}

/** Counts finished requests of the whole service by hour. */
export interface Traffic {
  /** `waitUntil` extends work beyond the response. */
  record(record: TrafficRecord, waitUntil: (work: Promise<unknown>) => void): void;
  /** Adds the counts of this isolate to the database. */
  flush(): Promise<void>;
}

/** One request in ten without a token is counted, as ten. Requests with a token and failures of the service are counted one by one. */
const SAMPLE_WEIGHT = 10;
/** A flush of at least so many requests is of a busy isolate, which writes less often: it surely has a next request that starts a flush. */
export const BUSY_REQUESTS = 200;
export const BUSY_PAUSE_MS = 100_000;
/** Maximum number of rows that wait in an isolate; without a database for a day, the oldest are dropped. */
const MAX_PENDING = 48;
/** A wait that has not ended by then was stopped with its request. */
const WAIT_SLACK_MS = 10_000;
const TRAFFIC_TTL_SECONDS = 400 * SECONDS_PER_DAY;

const COLUMNS = [
  ...([
    ['request_count', 'requestCount'],
    ['error_count', 'errorCount'],
    ['rate_limited', 'rateLimited'],
    ['duration_ms', 'durationMs'],
  ] as const),
  ...DURATION_COLUMNS.map((name) => [name, name] as const),
] as const;

/** Adds rows in one statement. Parameter: the rows as JSON. */
const ADD_ROWS = `insert into usage_hours (hour, kind, ${COLUMNS.map(([column]) => column).join(', ')})
  select value->>'hour', value->>'kind', ${COLUMNS.map(([, name]) => `value->>'${name}'`).join(', ')} from json_each(?1) where true
  on conflict do update set ${COLUMNS.map(([column]) => `${column} = ${column} + excluded.${column}`).join(', ')}`;

/**
 * Counts in the memory of the isolate: a request costs no call. The first request after a flush waits `delaySeconds` beyond its response and
 * writes what the isolate has counted by then: at most two rows in 20 s, and of a busy isolate in two minutes. Null: only `flush` writes.
 */
export function createTraffic(db: Pick<Database, '$client'>, delaySeconds: number | null, random: () => number): Traffic {
  const delayMs = delaySeconds === null ? null : Math.min(delaySeconds, USAGE_DELAY_SECONDS) * 1000;
  let pending = new Map<string, TrafficRow>();
  /** No request waits before this time. */
  let quietUntil = Number.NEGATIVE_INFINITY;

  function add(row: TrafficRow): void {
    const key = `${row.hour} ${row.kind}`;
    const sum = pending.get(key);
    if (sum) for (const [, name] of COLUMNS) sum[name] += row[name];
    else pending.set(key, { ...row });
    if (pending.size > MAX_PENDING) pending.delete(pending.keys().next().value ?? '');
  }

  async function flush(): Promise<void> {
    const rows = [...pending.values()];
    const requests = rows.reduce((sum, { requestCount }) => sum + requestCount, 0);
    quietUntil = requests < BUSY_REQUESTS ? Number.NEGATIVE_INFINITY : systemMs() + BUSY_PAUSE_MS;
    if (rows.length === 0) return;
    pending = new Map();
    try {
      await db.$client.prepare(ADD_ROWS).bind(JSON.stringify(rows)).run();
    } catch (error) {
      // Counted again with the next flush: twice when only the response was lost, which statistics may be.
      logError('traffic could not be stored', error);
      for (const row of rows) add(row);
    }
  }

  async function flushAfterPause(pauseMs: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await flush();
  }

  return {
    record(request, waitUntil) {
      const isExact = request.hasToken || request.status >= 500;
      if (!isExact && random() * SAMPLE_WEIGHT >= 1) return;
      add(rowOf(request, isExact ? 1 : SAMPLE_WEIGHT));
      if (delayMs === null || systemMs() < quietUntil) return;
      quietUntil = systemMs() + delayMs + WAIT_SLACK_MS;
      waitUntil(flushAfterPause(delayMs));
    },
    flush,
  };
}

function rowOf({ hasToken, status, durationMs, at }: TrafficRecord, weight: number): TrafficRow {
  return {
    hour: hourOf(at),
    kind: hasToken ? 'token' : 'other',
    requestCount: weight,
    errorCount: isError(status) ? weight : 0,
    rateLimited: isRateLimited(status) ? weight : 0,
    durationMs: durationMs * weight,
    ...noDurations(),
    [durationColumnOf(durationMs)]: weight,
  };
}

/** Query of the rows since an hour, earliest first. Bound: two rows per hour. */
export function selectTrafficHours(db: Database, since: UnixSeconds) {
  return db
    .select()
    .from(usageHours)
    .where(gte(usageHours.hour, hourOf(since)))
    .orderBy(usageHours.hour, usageHours.kind);
}

/** Query of the sums by day since a time, earliest first; `hour` is the start of the day. Bound: two rows per day. */
export function selectTrafficDays(db: Database, since: UnixSeconds) {
  const sum = (column: (typeof usageHours)[keyof UsageCounts | keyof DurationCounts]) => sql<number>`sum(${column})`;
  const sums = Object.fromEntries(COLUMNS.map(([, name]) => [name, sum(usageHours[name])]));
  // D1 binds numbers as REAL: a bound divisor would not round.
  const perDay = sql.raw(String(SECONDS_PER_DAY));
  const day = sql<number>`${usageHours.hour} / ${perDay} * ${perDay}`;
  return db
    .select({
      hour: day.as('day'),
      kind: usageHours.kind,
      ...(sums as Record<keyof UsageCounts | keyof DurationCounts, ReturnType<typeof sum>>),
    })
    .from(usageHours)
    .where(gte(usageHours.hour, hourOf(since)))
    .groupBy(sql`day`, usageHours.kind)
    .orderBy(sql`day`, usageHours.kind);
}

/** Adds up rows of one kind. */
export function totalTraffic(rows: readonly TrafficRow[], kind: TrafficKind): UsageCounts & DurationCounts {
  const total = { requestCount: 0, errorCount: 0, rateLimited: 0, durationMs: 0, ...noDurations() };
  for (const row of rows) if (row.kind === kind) for (const [, name] of COLUMNS) total[name] += row[name];
  return total;
}

export async function deleteExpiredTraffic(db: Database, now: UnixSeconds): Promise<void> {
  await db.delete(usageHours).where(lt(usageHours.hour, now - TRAFFIC_TTL_SECONDS));
}

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
