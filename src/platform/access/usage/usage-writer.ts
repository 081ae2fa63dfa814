import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { D1Client } from '../../storage/database.ts';
import type { UsageRecord } from './usage-buffer.ts';
import { type DayUsage, daySums } from './usage-sums.ts';

/** Account and token of the requests. */
export interface UsageOwner {
  tokenId: string;
  userId: string;
}

/** Requests of a token by day, stored in one transaction exactly once. `sequence` ascends per token. */
export interface UsageBundle extends UsageOwner {
  sequence: number;
  days: DayUsage[];
  /** Time of the last request. */
  lastAt: UnixSeconds;
}

/** Stores the usage of tokens in the database. */
export interface UsageWriter {
  /**
   * Stores a bundle in one transaction. Idempotent, because the token row has the last sequence number. No effect for a deleted
   * token.
   */
  write(bundle: UsageBundle): Promise<void>;
}

/** Creates the bundle of requests. */
export function bundleOf(owner: UsageOwner, sequence: number, records: readonly UsageRecord[]): UsageBundle {
  return { ...owner, sequence, days: daySums(records), lastAt: Math.max(...records.map(({ at }) => at)) };
}

/** Parameters: 1 token id, 2 account id, 3 sequence, 4 days as JSON. */
const ADD_DAYS = `insert into usage_days (user_id, day, request_count, error_count, rate_limited, duration_ms)
  select ?2, value->>'day', value->>'requestCount', value->>'errorCount', value->>'rateLimited', value->>'durationMs'
  from json_each(?4) where (select usage_sequence from api_tokens where id = ?1) < ?3
  on conflict do update set request_count = request_count + excluded.request_count, error_count = error_count + excluded.error_count,
    rate_limited = rate_limited + excluded.rate_limited, duration_ms = duration_ms + excluded.duration_ms`;
/** A rotated token counts as unused until its new secret is used. Parameters: 1 token id, 2 request count, 3 sequence, 4 last request. */
const STAMP_TOKEN = `update api_tokens set usage_sequence = ?3, request_count = request_count + ?2,
  last_used_at = case when ?4 >= coalesce(rotated_at, 0) then max(coalesce(last_used_at, 0), ?4) else last_used_at end
  where id = ?1 and usage_sequence < ?3`;

export function createUsageWriter(db: D1Client): UsageWriter {
  return {
    async write({ tokenId, userId, sequence, days, lastAt }) {
      const requests = days.reduce((sum, { requestCount }) => sum + requestCount, 0);
      await db.batch([
        db.prepare(ADD_DAYS).bind(tokenId, userId, sequence, JSON.stringify(days)),
        db.prepare(STAMP_TOKEN).bind(tokenId, requests, sequence, lastAt),
      ]);
    },
  };
}
