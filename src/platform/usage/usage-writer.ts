import type { D1Client } from '../storage/guarded-d1.ts';
import type { UsageRecord } from './usage-record.ts';
import { daySums, hourSums } from './usage-sums.ts';

/** Whose requests they are. */
export interface UsageOwner {
  tokenId: string;
  userId: string;
}

/** Some requests of a token that are stored together, once: `sequence` rises with each. */
export interface UsageBundle extends UsageOwner {
  sequence: number;
  records: UsageRecord[];
}

/** Stores what tokens were used for. */
export interface UsageWriter {
  /**
   * Stores a bundle in one transaction. Repeating it changes nothing: the token remembers the last sequence. So does a
   * bundle of a token that is gone.
   */
  write(bundle: UsageBundle): Promise<void>;
}

const ADD_COUNTS = `request_count = request_count + excluded.request_count, error_count = error_count + excluded.error_count,
  rate_limited = rate_limited + excluded.rate_limited, duration_ms = duration_ms + excluded.duration_ms`;
const COUNT_VALUES = "value->>'requestCount', value->>'errorCount', value->>'rateLimited', value->>'durationMs'";
/** Parameters: 1 token, 2 account, 3 sequence. */
const IS_NEW = '(select usage_sequence from api_tokens where id = ?1) < ?3';

const INSERT_EVENTS = `insert into usage_events (user_id, token_id, method, route, path, status_code, duration_ms, created_at)
  select ?2, ?1, value->>'method', value->>'route', value->>'path', value->>'status',
    value->>'durationMilliseconds' / value->>'count', value->>'at'
  from json_each(?4) where ${IS_NEW}`;
const ADD_HOURS = `insert into usage_hours (token_id, user_id, hour, method, route, request_count, error_count, rate_limited, duration_ms)
  select ?1, ?2, value->>'hour', value->>'method', value->>'route', ${COUNT_VALUES}
  from json_each(?4) where ${IS_NEW} on conflict do update set ${ADD_COUNTS}`;
const ADD_DAYS = `insert into usage_days (user_id, day, request_count, error_count, rate_limited, duration_ms)
  select ?2, value->>'day', ${COUNT_VALUES}
  from json_each(?4) where ${IS_NEW} on conflict do update set ${ADD_COUNTS}`;
/** Requests of one account that are kept singly: the newest. */
export const MAX_EVENTS_PER_USER = 10_000;
/** Requests of a token between two trims. Reading back that far costs as many rows as are kept. */
const TRIM_EVERY_REQUESTS = 1000;
/** Rows that one trim deletes at most. */
const MAX_TRIMMED = 5000;
/**
 * Deletes the oldest requests of the account beyond the newest that are kept, whenever the count of the token passes a multiple.
 * Parameters: 1 token, 2 account, 3 sequence, 4 requests. D1 binds numbers as real ones, hence the cast.
 */
const TRIM_EVENTS = `delete from usage_events where id in (
  select id from usage_events where user_id = ?2 and id <= case when (
    select usage_sequence < ?3 and (request_count + cast(?4 as integer)) / ${TRIM_EVERY_REQUESTS} > request_count / ${TRIM_EVERY_REQUESTS}
    from api_tokens where id = ?1
  ) then (select id from usage_events where user_id = ?2 order by id desc limit 1 offset ${MAX_EVENTS_PER_USER}) end
  order by id limit ${MAX_TRIMMED})`;
/** A rotated token counts as unused until its new secret is used. Parameters: 1 token, 2 requests, 3 sequence, 4 last of them. */
const STAMP_TOKEN = `update api_tokens set usage_sequence = ?3, request_count = request_count + ?2,
  last_used_at = case when ?4 >= coalesce(rotated_at, 0) then max(coalesce(last_used_at, 0), ?4) else last_used_at end
  where id = ?1 and usage_sequence < ?3`;

export function createUsageWriter(db: D1Client): UsageWriter {
  return {
    async write({ tokenId, userId, sequence, records }) {
      const add = (statement: string, rows: readonly object[]) =>
        db.prepare(statement).bind(tokenId, userId, sequence, JSON.stringify(rows));
      const requests = records.reduce((sum, { count }) => sum + count, 0);
      const lastAt = Math.max(...records.map(({ at }) => at));
      await db.batch([
        add(INSERT_EVENTS, records),
        add(ADD_HOURS, hourSums(records)),
        add(ADD_DAYS, daySums(records)),
        db.prepare(TRIM_EVENTS).bind(tokenId, userId, sequence, requests),
        db.prepare(STAMP_TOKEN).bind(tokenId, requests, sequence, lastAt),
      ]);
    },
  };
}
