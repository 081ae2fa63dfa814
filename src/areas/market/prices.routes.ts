import { z } from '@hono/zod-openapi';
import type { ArchiveRateLimit } from '../../platform/access/limits/archive-rate-limit.ts';
import { integer, number } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { booleanWithDefault, integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { decodeCursor, encodeCursor, nextPageLink } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { ItemNames } from './item-names.service.ts';
import type { Listing } from './listings.domain.ts';
import { marketRead } from './listings.routes.ts';
import type { HistoryRequest, ListingsStore } from './listings.store.ts';
import {
  MAX_HISTORY_POINTS,
  MAX_LISTED_DAYS,
  MAX_TIMELINE_DAYS,
  MAX_TIMELINE_LISTINGS,
  MIN_OUTLIER_PRICES,
  OUTLIER_THRESHOLD_Z,
} from './market.data.ts';
import { splitPriceOutliers } from './prices.domain.ts';

const HOURS_PER_DAY = 24;

export const days = (max: number, byDefault: number) =>
  integerWithDefault({ min: 1, max, default: byDefault, description: `Days back from now, 1 to ${max}.`, example: byDefault });

export const ItemParams = z.object({
  name: z.string().max(200).openapi({ description: 'Name of an item, percent-encoded; case-insensitive, trimmed.', example: 'Sun Sap' }),
});

const name = z.string().openapi({ description: 'Name of the item.', example: 'Sun Sap' });

const HistoryQuery = z.object({
  days: days(30, 7),
  include_expired: booleanWithDefault({
    default: false,
    example: false,
    description: '`true` includes listings that ended or were not seen for three hours. A stricter rate limit per token may apply.',
  }),
  keep_outliers: booleanWithDefault({ default: false, example: false, description: '`true` includes price outliers.' }),
  cursor: z.string().max(200).optional().openapi({
    description: 'Cursor from the `Link` header of the previous, truncated page.',
    example: 'WzE3MjUzODU1NTUsIiJd',
  }),
});

const PointBody = z
  .object({
    created_at: integer('Time when the listing was created (unix seconds).', 1_725_385_555),
    price_each: number('Unit price, 3 decimals.', 160),
    last_seen: integer('Time when the listing was last seen (unix seconds).', 1_725_389_155),
    stack: integer('Stack size.', 250),
    price: integer('Price of the whole stack.', 40_000),
  })
  .openapi('MarketPricePoint', { description: 'One listing of an item.' });

const HistoryBody = z
  .object({
    name,
    days: integer('Length of the window.', 7),
    include_expired: z.boolean().openapi({ description: 'Echoed from the request.', example: false }),
    keep_outliers: z.boolean().openapi({ description: 'Echoed from the request.', example: false }),
    window_start: integer('Start of the window (unix seconds).', 1_724_784_355),
    window_end: integer('End of the window: now (unix seconds).', 1_725_389_155),
    points: z.array(PointBody).openapi({ description: 'Listings created in the window, oldest first.' }),
    count: integer('Points on this page.', 1),
    raw_count: integer('Number of points before outliers were removed.', 1),
    outliers_excluded: integer('Number of removed outliers.', 0),
    outliers_min_price: z.number().nullable().openapi({ description: 'Lowest removed price; null if none.', example: null }),
    outliers_max_price: z.number().nullable().openapi({ description: 'Highest removed price; null if none.', example: null }),
    outliers_threshold_z: number('Modified z-score above which a price is an outlier.', OUTLIER_THRESHOLD_Z),
    truncated: z.boolean().openapi({
      description: `Whether there are more than ${MAX_HISTORY_POINTS} points; the \`Link\` header then contains the URL of the next page. Outliers are determined per page.`,
      example: false,
    }),
  })
  .openapi('MarketPriceHistory', { description: 'Price history of an item.' });

const toPoint = ({ createdAt, milliEach, lastSeen, stack, price }: Listing) => ({
  created_at: createdAt,
  price_each: milliEach / 1000,
  last_seen: lastSeen,
  stack,
  price,
});

const TimelineQuery = z
  .object({
    days: days(MAX_TIMELINE_DAYS, 14),
    bucket_hours: integerWithDefault({
      min: 1,
      max: 168,
      default: 24,
      description: `Bucket length in hours, 1 to 168; must be 24 if \`days\` is over ${MAX_LISTED_DAYS}.`,
      example: 24,
    }),
  })
  .refine((query) => query.days <= MAX_LISTED_DAYS || query.bucket_hours === HOURS_PER_DAY, {
    path: ['bucket_hours'],
    message: `must be 24 if days is over ${MAX_LISTED_DAYS}`,
  });

const TimelinePointBody = z
  .object({
    bucket: integer('Start of the bucket (unix seconds).', 1_725_321_600),
    listings: integer('Number of listings created in the bucket.', 12),
    stack: integer('Sum of the stack sizes.', 3000),
    p25: number('Lower quartile of the unit price, 3 decimals.', 150),
    p50: number('Median.', 160),
    p75: number('Upper quartile.', 180.5),
  })
  .openapi('MarketTimelinePoint', { description: 'Listings created in one bucket.' });

const TimelineBody = z
  .object({
    name,
    days: integer('Length of the window.', 14),
    bucket_hours: integer('Bucket length.', 24),
    points: z.array(TimelinePointBody).openapi({ description: 'Oldest first; buckets without a listing are omitted.' }),
    truncated: z.boolean().openapi({
      description: `Whether more than ${MAX_TIMELINE_LISTINGS} listings were created in the window; the oldest are then ignored.`,
      example: false,
    }),
    archived_days: integer('Number of points from the stored figures of a day, whose listings are archived.', 0),
  })
  .openapi('MarketTimeline', { description: 'Price timeline of an item.' });

/** Position of the last listing of a page. */
type HistoryEnd = HistoryRequest['after'];

function decodeHistoryEnd(cursor: string | undefined): HistoryEnd {
  if (cursor === undefined) return null;
  const [createdAt, id] = decodeCursor(cursor, ['number', 'string']);
  return { createdAt: Number(createdAt), id: String(id) };
}

const OUTLIERS = { thresholdZ: OUTLIER_THRESHOLD_Z, minPrices: MIN_OUTLIER_PRICES };

/** A page of the history, and the position of its last listing; null on the last page. */
async function readHistory(
  listings: ListingsStore,
  name: string,
  { after, ...query }: Omit<z.output<typeof HistoryQuery>, 'cursor'> & { after: HistoryEnd },
  now: UnixSeconds,
) {
  const windowStart = now - query.days * SECONDS_PER_DAY;
  const activeAt = query.include_expired ? null : now;
  const rows = await listings.listHistory({ name, since: windowStart, until: now, activeAt, after, limit: MAX_HISTORY_POINTS + 1 });
  const page = rows.slice(0, MAX_HISTORY_POINTS);
  const isTruncated = rows.length > MAX_HISTORY_POINTS;
  const { included, dropped } = query.keep_outliers
    ? { included: page, dropped: [] }
    : splitPriceOutliers(page, ({ milliEach }) => milliEach, OUTLIERS);
  const outlierPrices = dropped.map(({ milliEach }) => milliEach / 1000).sort((one, other) => one - other);
  const body: z.infer<typeof HistoryBody> = {
    name,
    days: query.days,
    include_expired: query.include_expired,
    keep_outliers: query.keep_outliers,
    window_start: windowStart,
    window_end: now,
    points: included.map(toPoint),
    count: included.length,
    raw_count: page.length,
    outliers_excluded: dropped.length,
    outliers_min_price: outlierPrices[0] ?? null,
    outliers_max_price: outlierPrices.at(-1) ?? null,
    outliers_threshold_z: OUTLIER_THRESHOLD_Z,
    truncated: isTruncated,
  };
  return { body, end: (isTruncated && page.at(-1)) || null };
}

/** Endpoints of the prices of one item over time. */
export function createPriceHistoryEndpoints(listings: ListingsStore, archive: ArchiveRateLimit, itemNames: ItemNames): Endpoint[] {
  return [
    defineRoute({
      ...marketRead,
      path: '/v1/market/items/{name}/history',
      operationId: 'getMarketPriceHistory',
      summary: 'Get item price history',
      description:
        'Lists the listings of an item created in the window, oldest first, without price outliers. Returns 404 with the nearest names for an unknown item.',
      params: ItemParams,
      query: HistoryQuery,
      errors: ['bad_request', 'not_found'],
      ok: { description: 'The history.', schema: HistoryBody },
      table: listTable(HistoryBody, 'points'),
    }).handle(async ({ params, query: { cursor, ...query }, ...input }) => {
      const after = decodeHistoryEnd(cursor);
      const headers = query.include_expired ? await archive.charge(input.caller, input.settings, input.now) : {};
      const { value } = await itemNames.read(params.name, (name) => readHistory(listings, name, { ...query, after }, input.now));
      const next = nextPageLink(input.request.url, value.end && encodeCursor(value.end.createdAt, value.end.id));
      return json(value.body, { headers: { ...headers, ...next } });
    }),

    defineRoute({
      ...marketRead,
      path: '/v1/market/items/{name}/timeline',
      operationId: 'getMarketTimeline',
      summary: 'Get item price timeline',
      description:
        'Returns quartiles of the unit price per bucket, over the listings created in it, including expired ones. Returns 404 with the nearest names for an unknown item.',
      params: ItemParams,
      query: TimelineQuery,
      errors: ['not_found'],
      ok: { description: 'The timeline.', schema: TimelineBody },
      table: listTable(TimelineBody, 'points'),
    }).handle(async ({ params, query, now }) => {
      const { days, bucket_hours } = query;
      const { name, value } = await itemNames.read(params.name, (item) => listings.readTimeline(item, days, bucket_hours, now));
      const { archivedDays, ...timeline } = value;
      return json({ name, days, bucket_hours, ...timeline, archived_days: archivedDays });
    }),
  ];
}
