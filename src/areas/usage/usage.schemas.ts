import { z } from '@hono/zod-openapi';
import { USAGE_LAG_SECONDS } from '../../platform/access/usage/token-usage.ts';
import {
  type DurationCounts,
  durationQuantile,
  type TrafficKind,
  type TrafficRow,
  totalTraffic,
} from '../../platform/access/usage/traffic.ts';
import { type DayUsage, totalOf, type UsageCounts, type UsageReport } from '../../platform/access/usage/usage-sums.ts';
import { integer } from '../../platform/http/bodies/body-schemas.ts';
import { integerWithDefault, optionalInteger } from '../../platform/http/pipeline/query-schemas.ts';
import { NextCursor } from '../../platform/http/replies/page.ts';
import type { TokenRateLimitBody } from '../../platform/http/replies/rate-limit-body.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { UsageEvent, UserUsage } from './usage.store.ts';

const average = z.number().openapi({ description: 'Average duration in milliseconds.', example: 12.5 });

const totals = {
  window_days: integer('Length of the window in days, ending now.', 7),
  total_requests: integer('Number of requests.', 1024),
  error_count: integer('Number of responses with a status of 400 or higher.', 12),
  rate_limited: integer('Number of responses with status 429.', 3),
  avg_duration_ms: average,
};

const byDay = z
  .array(
    z
      .object({
        date: z.string().openapi({ description: 'Day, UTC.', example: '2026-03-10' }),
        count: integer('Number of requests.', 512),
        error_count: integer('Number of responses with a status of 400 or higher.', 6),
        rate_limited: integer('Number of responses with status 429.', 1),
        avg_duration_ms: average,
      })
      .openapi('UsageDay'),
  )
  .openapi({ description: 'Usage by day, earliest first; only days with requests.' });

export const UsageByTokenBody = z
  .object({
    window_days: totals.window_days,
    items: z
      .array(z.object({ token_id: z.string().openapi({ description: 'Id of the token.', example: 'bot0Example' }), by_day: byDay }))
      .openapi({ description: 'At most 50 tokens: usable ones first, then those used last.' }),
  })
  .openapi('UsageByToken', { description: 'Requests by day of each token.' });

export const UsageSummaryBody = z
  .object({
    ...totals,
    by_day: byDay,
    by_hour: z
      .array(
        z
          .object({
            hour: z.string().openapi({ description: 'Start of the hour.', example: '2026-03-10T15:00:00.000Z' }),
            count: integer('Number of requests.', 64),
            error_count: integer('Number of responses with a status of 400 or higher.', 1),
            rate_limited: integer('Number of responses with status 429.', 0),
            avg_duration_ms: average,
          })
          .openapi('UsageHour'),
      )
      .openapi({ description: 'Usage by hour over the last two days, earliest first; only hours with requests.' }),
    by_endpoint: z
      .array(
        z
          .object({
            route: z.string().openapi({ description: 'Path with its parameters in braces.', example: '/v1/things/{id}' }),
            method: z.string().openapi({ description: 'HTTP method.', example: 'GET' }),
            count: integer('Number of requests.', 512),
            error_count: integer('Number of responses with a status of 400 or higher.', 6),
            rate_limited: integer('Number of responses with status 429.', 1),
            avg_duration_ms: average,
          })
          .openapi('UsageEndpoint'),
      )
      .openapi({ description: 'Usage by endpoint, most requests first.' }),
  })
  .openapi('UsageSummary');

const quantile = (description: string) => z.number().nullable().openapi({ description, example: 18 });

const TrafficCountsBody = z
  .object({
    count: integer('Number of requests.', 512),
    error_count: integer('Number of responses with a status of 400 or higher.', 6),
    rate_limited: integer('Number of responses with status 429.', 1),
    avg_duration_ms: average,
    p50_ms: quantile('Median duration in milliseconds, from buckets; null without requests.'),
    p95_ms: quantile('95th percentile of the duration in milliseconds, from buckets; null without requests.'),
  })
  .openapi('TrafficCounts');

export const TrafficBody = z
  .object({
    period_seconds: integer('Length of a period: an hour, or a day for more than two days.', 3600),
    periods: z
      .array(
        z
          .object({
            start: z.string().openapi({ description: 'Start of the period.', example: '2026-03-10T15:00:00.000Z' }),
            with_token: TrafficCountsBody.openapi({ description: 'Requests with a token.' }),
            without_token: TrafficCountsBody.openapi({ description: 'Other requests, estimated from a sample of one in ten.' }),
          })
          .openapi('TrafficPeriod'),
      )
      .openapi({ description: 'Earliest first; only periods with requests.' }),
    with_token: TrafficCountsBody.openapi({ description: 'All requests with a token.' }),
    without_token: TrafficCountsBody.openapi({ description: 'All other requests, estimated from a sample of one in ten.' }),
  })
  .openapi('Traffic', { description: 'Requests of the whole service. Requests of the last two minutes may be missing.' });

export const ActivityBody = z
  .object({
    ...totals,
    as_of: z.string().openapi({
      description: 'All requests until this time are counted; of later ones some.',
      example: '2026-03-10T09:30:00.000Z',
    }),
    top_users: z
      .array(
        z
          .object({
            user_id: z.string().openapi({ description: 'Account id.', example: '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11' }),
            email: z
              .string()
              .nullable()
              .openapi({ description: 'Email address of the account; null if deleted.', example: 'ada@example.com' }),
            count: integer('Number of requests.', 512),
            error_count: integer('Number of responses with a status of 400 or higher.', 6),
            rate_limited: integer('Number of responses with status 429.', 3),
          })
          .openapi('UsageUser'),
      )
      .openapi({ description: 'Accounts with the most requests, highest count first.' }),
    traffic: TrafficBody,
  })
  .openapi('ServiceActivity');

const UsageEventBody = z
  .object({
    id: integer('Sequence number of the request, ascending with time.', 1_773_156_630_000_001),
    user_id: z.string().openapi({ description: 'Account id.', example: '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11' }),
    token_id: z.string().openapi({ description: 'Token id.', example: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11' }),
    method: z.string().openapi({ description: 'HTTP method.', example: 'GET' }),
    route: z.string().openapi({ description: 'Path with its parameters in braces.', example: '/v1/things/{id}' }),
    path: z.string().openapi({ description: 'Requested path.', example: '/v1/things/7' }),
    status_code: integer('HTTP status of the response.', 200),
    duration_ms: integer('Time to the response in milliseconds.', 12),
    created_at: z.string().openapi({ description: 'Time of the request.', example: '2026-03-10T15:30:00.000Z' }),
  })
  .openapi('UsageEvent');

const RefusedByBody = z
  .object({
    name: z.string().nullable().openapi({
      description: 'The limit in the `RateLimit` headers; null for a limit without a window, as that of open streams.',
      example: 'token',
    }),
    limit: z.number().int().nullable().openapi({ description: 'Requests allowed per window, or open streams.', example: 120 }),
    window_seconds: z.number().int().nullable().openapi({ description: 'Length of the window.', example: 60 }),
    reset_at: z
      .string()
      .nullable()
      .openapi({ description: 'Earliest time of the next accepted request: the end of the window.', example: '2026-03-10T15:31:00.000Z' }),
    message: z.string().openapi({ description: 'Message of the error.', example: 'more than 120 requests in 60 seconds' }),
  })
  .openapi('RefusedBy', { description: 'The rate limit that refused a request.' });

const OwnRequestBody = z
  .object({
    created_at: z.string().openapi({ description: 'Time of the request.', example: '2026-03-10T15:30:42.000Z' }),
    token_id: z.string().openapi({ description: 'Id of the token.', example: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11' }),
    method: z.string().openapi({ description: 'HTTP method.', example: 'GET' }),
    route: z.string().openapi({ description: 'Path with its parameters in braces.', example: '/v1/market/items/{id}' }),
    path: z.string().openapi({ description: 'Requested path without its query, at most 200 characters.', example: '/v1/market/items/7' }),
    status_code: integer('HTTP status of the response.', 429),
    code: z.string().nullable().openapi({ description: 'Error code; null on success.', example: 'rate_limited' }),
    duration_ms: integer('Time to the response in milliseconds; the average when `count` is over 1.', 1),
    request_id: z.string().nullable().openapi({
      description: '`X-Request-ID` of the response; null for requests that were stored without it.',
      example: '3a1f4c52-4cf1-4a55-9a10-6e2f0f2c7a11',
    }),
    count: integer('Equal requests in this entry: over 1 only when a flood of requests was merged.', 1),
    refused_by: z.union([RefusedByBody, z.null()]).openapi({ description: 'The rate limit; null unless the status is 429.' }),
  })
  .openapi('OwnRequest', { description: 'A request with one of your tokens.' });

export const OwnRequestsQuery = z.object({
  status_code: optionalInteger({ min: 100, max: 599, description: 'Only requests with this status.', example: 429 }),
  min_status_code: optionalInteger({
    min: 100,
    max: 599,
    description: 'Only requests with this status or a higher one; 400 for all errors.',
    example: 400,
  }),
  cursor: z.string().max(200).optional().openapi({ description: 'The `next_cursor` of the previous page.', example: 'WzFd' }),
  limit: integerWithDefault({ min: 1, max: 200, default: 50, description: 'Maximum number of items on the page.', example: 50 }),
});

export const OwnRequestsOfTokenQuery = OwnRequestsQuery.extend({
  token_id: z.string().max(64).optional().openapi({ description: 'Only requests with this token.', example: 'bot0Example' }),
});

export const OwnRequestsBody = z
  .object({
    items: z.array(OwnRequestBody).openapi({ description: 'Newest first.' }),
    next_cursor: NextCursor,
    has_more: z.boolean().openapi({ description: 'Whether there is a next page.', example: false }),
  })
  .openapi('OwnRequests', { description: 'A page of requests with your tokens.' });

export const ActivityQuery = z.object({
  days: integerWithDefault({
    min: 1,
    max: 365,
    default: 7,
    description: 'Length of the window in days, ending now; the UTC day in which it starts counts as a whole.',
    example: 7,
  }),
});

export const ServiceActivityQuery = ActivityQuery.extend({
  top: integerWithDefault({ min: 1, max: 100, default: 10, description: 'Maximum number of accounts.', example: 10 }),
});

export const UsageEventsQuery = z.object({
  user_id: z.string().max(64).optional().openapi({
    description: 'Only requests of this account. Required without `token_id`.',
    example: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11',
    'x-sample': true,
  }),
  token_id: z
    .string()
    .max(64)
    .optional()
    .openapi({ description: 'Only requests of this token.', example: '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11' }),
  status_code: optionalInteger({ min: 100, max: 599, description: 'Only requests with this status.', example: 429 }),
  cursor: z.string().max(200).optional().openapi({ description: 'The `next_cursor` of the previous page.', example: 'WzFd' }),
  limit: integerWithDefault({ min: 1, max: 200, default: 50, description: 'Maximum number of items on the page.', example: 50 }),
});

export const UsageEventsBody = z
  .object({
    items: z.array(UsageEventBody).openapi({ description: 'Newest first.' }),
    next_cursor: NextCursor,
    has_more: z.boolean().openapi({ description: 'Whether there is a next page.', example: false }),
  })
  .openapi('UsageEvents');

/** The usage of a token and its remaining rate limits. */
export const createTokenUsageBody = (rateLimit: TokenRateLimitBody) =>
  UsageSummaryBody.extend({ budgets: z.array(rateLimit).openapi({ description: 'Remaining rate limits.' }) }).openapi('TokenUsage');

/** Average duration in milliseconds, rounded to two decimals. */
const averageOf = ({ requestCount, durationMs }: UsageCounts) =>
  requestCount === 0 ? 0 : Math.round((durationMs / requestCount) * 100) / 100;

function toTotals(days: number, counts: UsageCounts) {
  return {
    window_days: days,
    total_requests: counts.requestCount,
    error_count: counts.errorCount,
    rate_limited: counts.rateLimited,
    avg_duration_ms: averageOf(counts),
  };
}

const toDayBody = (row: DayUsage) => ({
  date: toIso(row.day).slice(0, 10),
  count: row.requestCount,
  error_count: row.errorCount,
  rate_limited: row.rateLimited,
  avg_duration_ms: averageOf(row),
});

export function toUsageByTokenBody(
  windowDays: number,
  tokens: readonly { tokenId: string; days: readonly DayUsage[] }[],
): z.infer<typeof UsageByTokenBody> {
  return { window_days: windowDays, items: tokens.map(({ tokenId, days }) => ({ token_id: tokenId, by_day: days.map(toDayBody) })) };
}

export function toUsageSummaryBody(windowDays: number, { days, hours, routes }: UsageReport): z.infer<typeof UsageSummaryBody> {
  return {
    ...toTotals(windowDays, totalOf(days)),
    by_day: days.map(toDayBody),
    by_hour: hours.map((row) => ({
      hour: toIso(row.hour),
      count: row.requestCount,
      error_count: row.errorCount,
      rate_limited: row.rateLimited,
      avg_duration_ms: averageOf(row),
    })),
    by_endpoint: routes.map((row) => ({
      route: row.route,
      method: row.method,
      count: row.requestCount,
      error_count: row.errorCount,
      rate_limited: row.rateLimited,
      avg_duration_ms: averageOf(row),
    })),
  };
}

export function toActivityBody(
  windowDays: number,
  usage: { total: UsageCounts; users: UserUsage[] },
  traffic: z.infer<typeof TrafficBody>,
  now: UnixSeconds,
): z.infer<typeof ActivityBody> {
  return {
    ...toTotals(windowDays, usage.total),
    as_of: toIso(now - USAGE_LAG_SECONDS),
    top_users: usage.users.map((user) => ({
      user_id: user.userId,
      email: user.email,
      count: user.requestCount,
      error_count: user.errorCount,
      rate_limited: user.rateLimited,
    })),
    traffic,
  };
}

export function toTrafficBody(rows: readonly TrafficRow[], periodSeconds: number): z.infer<typeof TrafficBody> {
  const starts = [...new Set(rows.map(({ hour }) => hour))];
  const countsOf = (some: readonly TrafficRow[], kind: TrafficKind) => toTrafficCounts(totalTraffic(some, kind));
  return {
    period_seconds: periodSeconds,
    periods: starts.map((start) => {
      const ofPeriod = rows.filter(({ hour }) => hour === start);
      return { start: toIso(start), with_token: countsOf(ofPeriod, 'token'), without_token: countsOf(ofPeriod, 'other') };
    }),
    with_token: countsOf(rows, 'token'),
    without_token: countsOf(rows, 'other'),
  };
}

function toTrafficCounts(counts: UsageCounts & DurationCounts): z.infer<typeof TrafficCountsBody> {
  return {
    count: counts.requestCount,
    error_count: counts.errorCount,
    rate_limited: counts.rateLimited,
    avg_duration_ms: averageOf(counts),
    p50_ms: durationQuantile(counts, 0.5),
    p95_ms: durationQuantile(counts, 0.95),
  };
}

export function toUsageEventBody(event: UsageEvent): z.infer<typeof UsageEventBody> {
  return {
    id: event.id,
    user_id: event.userId,
    token_id: event.tokenId,
    method: event.method,
    route: event.route,
    path: event.path,
    status_code: event.statusCode,
    duration_ms: event.durationMs,
    created_at: toIso(event.createdAt),
  };
}

export function toOwnRequestBody(event: Omit<UsageEvent, 'userId'>): z.infer<typeof OwnRequestBody> {
  const { code = null, requestId = null, refusedBy = null, count: merged = 1 } = event;
  return {
    created_at: toIso(event.createdAt),
    token_id: event.tokenId,
    method: event.method,
    route: event.route,
    path: event.path,
    status_code: event.statusCode,
    code,
    duration_ms: event.durationMs,
    request_id: requestId,
    count: merged,
    refused_by: refusedBy && {
      name: refusedBy.name,
      limit: refusedBy.limit,
      window_seconds: refusedBy.windowSeconds,
      reset_at: refusedBy.resetAt === null ? null : toIso(refusedBy.resetAt),
      message: refusedBy.message,
    },
  };
}
