import { SECONDS_PER_DAY, type UnixSeconds } from '../../kit/time/clock.ts';
import type { RefusedLimit, UsageRecord } from './usage-buffer.ts';
import { type DayUsage, type HourUsage, hourSums, type RouteUsage, type UsageSummary } from './usage-sums.ts';

/** A stored request. */
export interface StoredRequest {
  /** Ascending with the time of the request. */
  id: number;
  method: string;
  route: string;
  path: string;
  statusCode: number;
  /** Average of all `count` requests. */
  durationMs: number;
  createdAt: UnixSeconds;
  /** Null in rows of an older version. Absent, like the rest, from an object that still runs one. */
  requestId?: string | null;
  /** Error code; null on success and in rows of an older version. */
  code?: string | null;
  /** Present on a refusal with 429. */
  refusedBy?: RefusedLimit | null;
  /** Number of equal requests that a flood merged to this one. */
  count?: number;
}

export interface RequestFilter {
  statusCode?: number | undefined;
  minStatusCode?: number | undefined;
  /** Only requests with a lower id; null for all. */
  belowId: number | null;
}

/** Retention of requests: the newest `MAX_STORED_REQUESTS` of the last 30 days. */
export const MAX_STORED_REQUESTS = 10_000;
const REQUEST_TTL_SECONDS = 30 * SECONDS_PER_DAY;
/** Retention of sums: longer than the maximum window of a query (365 days). */
const HOUR_TTL_SECONDS = 400 * SECONDS_PER_DAY;
/** Maximum number of rows of sums, about 12 MB: 400 days with ten routes per hour. The oldest rows are deleted first. */
export const MAX_HOUR_ROWS = 96_000;
/** Maximum number of routes in a summary. */
export const MAX_ROUTES = 200;
/** Maximum number of hours in a report. */
export const MAX_HOURS = 48;
/** Number of rows deleted beyond the surplus, so that deletions are rare. */
const DELETE_BATCH = 1000;
const IDS_PER_SECOND = 1_000_000;
const IDS_PER_TOKEN = 1000;
const MAX_CHUNK_RECORDS = 100;

const CREATE = `
  CREATE TABLE IF NOT EXISTS request_chunks (id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL, last_at INTEGER NOT NULL,
    stored_at INTEGER NOT NULL, requests TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS request_hours (hour INTEGER NOT NULL, route TEXT NOT NULL, method TEXT NOT NULL, stored_at INTEGER NOT NULL,
    request_count INTEGER NOT NULL, error_count INTEGER NOT NULL, rate_limited INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
    PRIMARY KEY (hour, route, method)) WITHOUT ROWID;`;
const ADD_HOUR = `INSERT INTO request_hours VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET stored_at = excluded.stored_at,
  request_count = request_count + excluded.request_count, error_count = error_count + excluded.error_count,
  rate_limited = rate_limited + excluded.rate_limited, duration_ms = duration_ms + excluded.duration_ms`;
const ADD_CHUNK = 'INSERT INTO request_chunks (number, last_at, stored_at, requests) VALUES (?, ?, ?, ?)';
const SUMS = `sum(request_count) AS requestCount, sum(error_count) AS errorCount, sum(rate_limited) AS rateLimited,
  sum(duration_ms) AS durationMs`;

/**
 * Usage of a token, in the SQLite database of its gate. Bounds: 10,000 requests of 30 days, packed 100 per row; 96,000 sums by hour
 * and route of 400 days. All methods are synchronous.
 */
export class TokenHistory {
  readonly #sql: SqlStorage;
  #hasTables = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores requests of a token. `salt`, from 0 to 999, separates the ids of different tokens. */
  add(records: readonly UsageRecord[], salt: number, storedAt: UnixSeconds): void {
    if (records.length === 0) return;
    this.#create();
    for (let start = 0; start < records.length; start += MAX_CHUNK_RECORDS) {
      this.#addChunk(records.slice(start, start + MAX_CHUNK_RECORDS), salt, storedAt);
    }
    for (const { hour, route, method, ...sum } of hourSums(records)) {
      const counts = [sum.requestCount, sum.errorCount, sum.rateLimited, sum.durationMs];
      this.#sql.exec(ADD_HOUR, hour, route, method, storedAt, ...counts);
    }
    this.#deleteOldRequests();
  }

  /** Sums by hour since a time, earliest first. */
  sumByHour(since: UnixSeconds): HourUsage[] {
    this.#create();
    return this.#sql
      .exec<Record<keyof HourUsage, number>>(
        `SELECT hour, ${SUMS} FROM request_hours WHERE hour >= ? GROUP BY hour ORDER BY hour LIMIT ${MAX_HOURS}`,
        since,
      )
      .toArray();
  }

  /** Sums since a time: by day, earliest first, and by route, most requests first. */
  summarize(since: UnixSeconds): UsageSummary {
    this.#create();
    const days = this.#sql.exec<Record<keyof DayUsage, number>>(
      `SELECT hour / ${SECONDS_PER_DAY} * ${SECONDS_PER_DAY} AS day, ${SUMS} FROM request_hours WHERE hour >= ? GROUP BY day ORDER BY day`,
      since,
    );
    const routes = this.#sql.exec<Record<keyof RouteUsage, string | number>>(
      `SELECT method, route, ${SUMS} FROM request_hours WHERE hour >= ? GROUP BY route, method
        ORDER BY requestCount DESC, route, method LIMIT ${MAX_ROUTES}`,
      since,
    );
    return { days: days.toArray(), routes: routes.toArray() as unknown as RouteUsage[] };
  }

  /** Requests, newest first. */
  listRequests({ statusCode, minStatusCode = 0, belowId }: RequestFilter, limit: number): StoredRequest[] {
    this.#create();
    const below = belowId ?? Number.MAX_SAFE_INTEGER;
    let newest: StoredRequest[] = [];
    for (const row of this.#sql.exec<{ last_at: number; requests: string }>(
      'SELECT last_at, requests FROM request_chunks ORDER BY last_at DESC',
    )) {
      // Chunks overlap because isolates report late. Stops when this chunk and all older ones have only older requests.
      const last = newest[limit - 1];
      if (last && last.id >= (row.last_at + 1) * IDS_PER_SECOND) break;
      const chunk = (JSON.parse(row.requests) as PackedRequest[]).map(unpacked);
      const matches = (request: StoredRequest) =>
        request.id < below && request.statusCode >= minStatusCode && (statusCode ?? request.statusCode) === request.statusCode;
      newest.push(...chunk.filter(matches));
      newest = newest.sort((one, other) => other.id - one.id).slice(0, limit);
    }
    return newest;
  }

  /** Deletes expired rows and rows over the limits. Returns the time of the next expiry; null when no row is left. */
  deleteExpired(now: UnixSeconds): UnixSeconds | null {
    this.#create();
    this.#deleteOldRequests();
    const sql = this.#sql;
    sql.exec('DELETE FROM request_chunks WHERE stored_at <= ?', now - REQUEST_TTL_SECONDS);
    sql.exec('DELETE FROM request_hours WHERE hour <= ? AND stored_at <= ?', now - HOUR_TTL_SECONDS, now - HOUR_TTL_SECONDS);
    const { n } = sql.exec<{ n: number }>('SELECT count(*) AS n FROM request_hours').one();
    if (n > MAX_HOUR_ROWS) {
      const surplus = n - MAX_HOUR_ROWS + DELETE_BATCH;
      sql.exec('DELETE FROM request_hours WHERE hour <= (SELECT hour FROM request_hours ORDER BY hour LIMIT 1 OFFSET ?)', surplus);
    }
    return this.expiresAt();
  }

  /** Time of the next expiry, rounded up to the end of a day; null when no row is stored. */
  expiresAt(): UnixSeconds | null {
    this.#create();
    const { at } = this.#sql
      .exec<{ at: number | null }>(
        `SELECT min(at) AS at FROM (SELECT min(stored_at) + ${REQUEST_TTL_SECONDS} AS at FROM request_chunks
          UNION ALL SELECT max(min(stored_at), min(hour)) + ${HOUR_TTL_SECONDS} FROM request_hours)`,
      )
      .one();
    return at === null ? null : Math.ceil((at + 1) / SECONDS_PER_DAY) * SECONDS_PER_DAY;
  }

  /** Call after the storage of the object was emptied. */
  reset(): void {
    this.#hasTables = false;
  }

  #create(): void {
    if (this.#hasTables) return;
    this.#sql.exec(CREATE);
    this.#hasTables = true;
  }

  #deleteOldRequests(): void {
    const tooMany = `SELECT id FROM (SELECT id, sum(number) OVER (ORDER BY id DESC) AS newer FROM request_chunks) WHERE newer > ${MAX_STORED_REQUESTS}`;
    this.#sql.exec(`DELETE FROM request_chunks WHERE id <= (SELECT max(id) FROM (${tooMany}))`);
  }

  #addChunk(records: readonly UsageRecord[], salt: number, storedAt: UnixSeconds): void {
    const [latest] = this.#sql.exec<{ id: number | null }>('SELECT max(id) AS id FROM request_chunks').toArray();
    const first = (latest?.id ?? 0) * MAX_CHUNK_RECORDS;
    const idOf = (at: UnixSeconds, index: number) => at * IDS_PER_SECOND + salt * IDS_PER_TOKEN + ((first + index) % IDS_PER_TOKEN);
    const packed = records.map((record, index) => packedOf(record, idOf(record.at, index)));
    const lastAt = Math.max(...records.map(({ at }) => at));
    this.#sql.exec(ADD_CHUNK, records.length, lastAt, storedAt, JSON.stringify(packed));
  }
}

/** The last four are missing in rows of an older version. */
type PackedRequest = [
  id: number,
  method: string,
  route: string,
  path: string,
  status: number,
  durationMs: number,
  requestId?: string | null,
  code?: string | null,
  refusedBy?: RefusedLimit | null,
  count?: number,
];

function packedOf(record: UsageRecord, id: number): PackedRequest {
  const { method, route, path, status, durationMilliseconds, requestId = null, code = null, refusedBy = null, count } = record;
  return [id, method, route, path, status, Math.round(durationMilliseconds / count), requestId, code, refusedBy, count];
}

function unpacked(packed: PackedRequest): StoredRequest {
  const [id, method, route, path, statusCode, durationMs, requestId = null, code = null, refusedBy = null, count = 1] = packed;
  const createdAt = Math.floor(id / IDS_PER_SECOND);
  return { id, method, route, path, statusCode, durationMs, createdAt, requestId, code, refusedBy, count };
}
