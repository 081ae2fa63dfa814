import { z } from '@hono/zod-openapi';
import { booleanWithDefault, integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import type { Listing } from './listings.domain.ts';
import { days, decimal, integer } from './listings.schemas.ts';
import { MAX_HISTORY_POINTS, MAX_TIMELINE_LISTINGS, OUTLIER_THRESHOLD_Z } from './market.data.ts';
import type { TimelinePoint } from './prices.domain.ts';
import type { PriceHistory } from './prices.service.ts';

const name = z.string().openapi({ description: 'Name of the item.', example: 'Sun Sap' });

export const HistoryQuery = z.object({
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
    price_each: decimal('Unit price, 3 decimals.', 160),
    last_seen: integer('Time when the listing was last seen (unix seconds).', 1_725_389_155),
    stack: integer('Stack size.', 250),
    price: integer('Price of the whole stack.', 40_000),
  })
  .openapi('MarketPricePoint', { description: 'One listing of an item.' });

export const HistoryBody = z
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
    outliers_threshold_z: decimal('Modified z-score above which a price is an outlier.', OUTLIER_THRESHOLD_Z),
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

export function toHistoryBody(history: PriceHistory): z.infer<typeof HistoryBody> {
  const prices = history.dropped.map(({ milliEach }) => milliEach / 1000).sort((one, other) => one - other);
  return {
    name: history.name,
    days: history.days,
    include_expired: history.includeExpired,
    keep_outliers: history.keepOutliers,
    window_start: history.windowStart,
    window_end: history.windowEnd,
    points: history.included.map(toPoint),
    count: history.included.length,
    raw_count: history.included.length + history.dropped.length,
    outliers_excluded: history.dropped.length,
    outliers_min_price: prices[0] ?? null,
    outliers_max_price: prices.at(-1) ?? null,
    outliers_threshold_z: OUTLIER_THRESHOLD_Z,
    truncated: history.next !== null,
  };
}

export const TimelineQuery = z.object({
  days: days(90, 14),
  bucket_hours: integerWithDefault({ min: 1, max: 168, default: 24, description: 'Bucket length in hours, 1 to 168.', example: 24 }),
});

const TimelinePointBody = z
  .object({
    bucket: integer('Start of the bucket (unix seconds).', 1_725_321_600),
    listings: integer('Number of listings created in the bucket.', 12),
    stack: integer('Sum of the stack sizes.', 3000),
    p25: decimal('Lower quartile of the unit price, 3 decimals.', 150),
    p50: decimal('Median.', 160),
    p75: decimal('Upper quartile.', 180.5),
  })
  .openapi('MarketTimelinePoint', { description: 'Listings created in one bucket.' });

export const TimelineBody = z
  .object({
    name,
    days: integer('Length of the window.', 14),
    bucket_hours: integer('Bucket length.', 24),
    points: z.array(TimelinePointBody).openapi({ description: 'Oldest first; buckets without a listing are omitted.' }),
    truncated: z.boolean().openapi({
      description: `Whether more than ${MAX_TIMELINE_LISTINGS} listings were created in the window; the oldest are then ignored.`,
      example: false,
    }),
  })
  .openapi('MarketTimeline', { description: 'Price timeline of an item.' });

export function toTimelineBody(
  query: { days: number; bucket_hours: number },
  item: string,
  timeline: { points: TimelinePoint[]; truncated: boolean },
): z.infer<typeof TimelineBody> {
  return { name: item, days: query.days, bucket_hours: query.bucket_hours, ...timeline };
}
