import { z } from '@hono/zod-openapi';
import { integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { roundTo } from '../../platform/kit/values/rounding.ts';
import { changeOf, daysOfStock, discountOf, splitMoves, totalsOf } from './analytics.domain.ts';
import type { ActiveItem, MarketAnalytics, PriceMove, TradeVolume } from './analytics.store.ts';
import { days, decimal, integer, SummaryBody } from './listings.schemas.ts';
import { analyticsRules, MAX_ANALYTICS_ROWS, MAX_DEALS, MAX_SUMMARY_NAMES } from './market.data.ts';

const itemName = z.string().openapi({ description: 'Name of the item.', example: 'Sun Sap' });
const asOf = integer('Time that the statistics describe (unix seconds).', 1_773_156_600);
const windowDays = integer('Length of the window in days.', 7);
const milli = (value: number) => roundTo(value / 1000, 3);
const MAX_NAMES_LENGTH = 8000;
const EVERY_ITEM = 'all';

/** Query parameter `limit` of a list. */
const limit = (max: number, byDefault: number) =>
  integerWithDefault({ min: 1, max, default: byDefault, example: byDefault, description: `Maximum number of rows, 1 to ${max}.` });

export const SummariesQuery = z.object({
  names: z
    .string()
    .max(MAX_NAMES_LENGTH)
    .default(EVERY_ITEM)
    .openapi({
      description: `Names of items, comma-separated, case-insensitive, at most ${MAX_SUMMARY_NAMES}; \`${EVERY_ITEM}\` (default): every item with active listings.`,
      example: 'Sun Sap,Bardium',
    }),
});

/** Whether the parameter `names` requests every item. */
export const isEveryItem = (names: string): boolean => names.trim().toLowerCase() === EVERY_ITEM;

export const SummariesBody = z
  .object({
    items: z
      .array(
        SummaryBody.omit({ image_url: true }).openapi('MarketItemSummary', { description: 'Prices of the active listings of an item.' }),
      )
      .openapi({
        description: 'Items with active listings, by code point of the name.',
      }),
    count: integer('Number of items.', 1),
    missing: z.array(z.string()).openapi({ description: 'Requested names without active listings.', example: [] }),
    as_of: asOf,
  })
  .openapi('MarketSummaries', { description: 'Prices of several items.' });

const toSummary = ({ name, count, ...sums }: ActiveItem) => ({
  name,
  count,
  total_price: sums.totalPrice,
  total_stack: sums.totalStack,
  min_each: milli(sums.minMilli),
  max_each: milli(sums.maxMilli),
  avg_each: milli(sums.sumMilli / count),
  median_each: sums.medianMilli / 1000,
});

export function toSummariesBody(items: readonly ActiveItem[], missing: readonly string[], at: UnixSeconds): z.infer<typeof SummariesBody> {
  return { items: items.map(toSummary), count: items.length, missing: [...missing], as_of: at };
}

export const OverviewQuery = z.object({ days: days(30, 7) });
export const MoversQuery = z.object({ days: days(30, 7), limit: limit(MAX_ANALYTICS_ROWS, 40) });
export const ActivityQuery = z.object({ days: days(30, 14), limit: limit(MAX_ANALYTICS_ROWS, 40) });

const MIN_DISCOUNT = { min: analyticsRules.minDiscount, max: 0.95 };
const discountMessage = `must be a number between ${MIN_DISCOUNT.min} and ${MIN_DISCOUNT.max}`;

export const DealsQuery = z.object({
  days: days(30, 7),
  min_discount: z
    .string()
    .regex(/^0?\.\d{1,4}$/, discountMessage)
    .transform(Number)
    .refine((value) => value >= MIN_DISCOUNT.min && value <= MIN_DISCOUNT.max, discountMessage)
    .default(0.25)
    .openapi({
      type: 'number',
      minimum: MIN_DISCOUNT.min,
      maximum: MIN_DISCOUNT.max,
      default: 0.25,
      description: `Minimum discount below the median of the item, ${MIN_DISCOUNT.min} to ${MIN_DISCOUNT.max}.`,
      example: 0.25,
    }),
  limit: limit(MAX_DEALS, 50),
});

const MoverBody = z
  .object({
    name: itemName,
    recent_med: decimal('Median unit price of the listings created in the window, 3 decimals.', 21),
    prior_med: decimal('Median of the window of the same length before it.', 16),
    recent_n: integer('Listings created in the window.', 8),
    prior_n: integer('Listings created in the window before it.', 6),
    change: decimal('Relative change of the median, 4 decimals.', 0.3125),
  })
  .openapi('MarketMover', { description: 'An item whose median price changed.' });

export const MoversBody = z
  .object({
    risers: z.array(MoverBody).openapi({ description: 'Items whose price rose, largest change first.' }),
    fallers: z.array(MoverBody).openapi({ description: 'Items whose price fell, largest change first.' }),
    days: windowDays,
    as_of: asOf,
  })
  .openapi('MarketMovers', { description: 'Items with the largest changes of the median price.' });

const toMover = (move: PriceMove) => ({
  name: move.name,
  recent_med: milli(move.recentMilli),
  prior_med: milli(move.priorMilli),
  recent_n: move.recentCount,
  prior_n: move.priorCount,
  change: changeOf(move),
});

export function toMoversBody({ moves, asOf: at }: MarketAnalytics, query: z.output<typeof MoversQuery>): z.infer<typeof MoversBody> {
  const { risers, fallers } = splitMoves(moves, query.limit);
  return { risers: risers.map(toMover), fallers: fallers.map(toMover), days: query.days, as_of: at };
}

const DealBody = z
  .object({
    id: z.string().openapi({ description: 'Id of the listing.', example: '5f0f8e80-6a1c-11ef-9a3e-01005161a8df' }),
    name: itemName,
    stack: integer('Stack size.', 250),
    price: integer('Price of the whole stack.', 2500),
    price_each: decimal('Unit price, 3 decimals.', 10),
    median_each: decimal('Median unit price of the active listings of the item, 3 decimals.', 21),
    sample_size: integer('Number of active listings in the median.', 6),
    discount: decimal('Discount below the median, 4 decimals.', 0.5238),
    created_at: integer('Time when the listing was created (unix seconds).', 1_773_100_000),
    last_seen: integer('Time when the listing was last seen (unix seconds).', 1_773_156_000),
  })
  .openapi('MarketDeal', { description: 'An active listing below the median of its item.' });

export const DealsBody = z
  .object({
    items: z.array(DealBody).openapi({ description: 'Listings, highest discount first.' }),
    count: integer('Number of listings.', 1),
    min_discount: decimal('Echoed from the request.', 0.25),
    days: windowDays,
    as_of: asOf,
  })
  .openapi('MarketDeals', { description: 'Active listings far below the median of their item.' });

export function toDealsBody({ deals, asOf: at }: MarketAnalytics, query: z.output<typeof DealsQuery>): z.infer<typeof DealsBody> {
  // The exact comparison of the formula; the rounded discount of a listing just above the limit may equal it.
  const cheap = deals.filter(({ milliEach, medianMilli }) => milliEach <= medianMilli * (1 - query.min_discount)).slice(0, query.limit);
  const items = cheap.map(({ id, name, stack, price, ...deal }) => ({
    id,
    name,
    stack,
    price,
    price_each: milli(deal.milliEach),
    median_each: milli(deal.medianMilli),
    sample_size: deal.sampleSize,
    discount: discountOf(deal.milliEach, deal.medianMilli),
    created_at: deal.createdAt,
    last_seen: deal.lastSeen,
  }));
  return { items, count: items.length, min_discount: query.min_discount, days: query.days, as_of: at };
}

const VolumeItemBody = z
  .object({
    name: itemName,
    listings: integer('Listings created in the window.', 120),
    units: integer('Sum of their stack sizes.', 30_000),
    total_value: integer('Sum of their prices.', 4_800_000),
    median_each: decimal('Median of their unit prices, 3 decimals.', 160),
  })
  .openapi('MarketVolumeItem', { description: 'Listings of an item created in a window.' });

export const VolumeBody = z
  .object({
    items: z.array(VolumeItemBody).openapi({ description: 'Items, most listings first.' }),
    count: integer('Number of items.', 1),
    days: windowDays,
    as_of: asOf,
  })
  .openapi('MarketVolume', { description: 'The most listed items of a window.' });

const toVolumeItem = ({ name, listings, units, totalValue, medianMilli }: TradeVolume) => ({
  name,
  listings,
  units,
  total_value: totalValue,
  median_each: milli(medianMilli),
});

export function toVolumeBody({ volume, asOf: at }: MarketAnalytics, query: z.output<typeof ActivityQuery>): z.infer<typeof VolumeBody> {
  const items = volume.slice(0, query.limit).map(toVolumeItem);
  return { items, count: items.length, days: query.days, as_of: at };
}

const LiquidityItemBody = z
  .object({
    name: itemName,
    concluded: integer('Listings that ended in the window.', 40),
    sold: integer('Of these, listings that disappeared before their time: they count as sold.', 30),
    expired: integer('Of these, listings that ended after seven days.', 10),
    sell_through: decimal('Share of sold listings, 4 decimals.', 0.75),
    median_time_to_sell: z.number().int().nullable().openapi({
      description: 'Median time from creation to the last sighting of sold listings, in seconds; null for none.',
      example: 21_600,
    }),
    days_of_stock: z.number().nullable().openapi({
      description: 'Units in active listings divided by the units sold per day, 1 decimal; null when nothing was sold.',
      example: 2.5,
    }),
  })
  .openapi('MarketLiquidityItem', { description: 'How fast an item sells.' });

export const LiquidityBody = z
  .object({
    items: z.array(LiquidityItemBody).openapi({ description: 'Items, highest share of sold listings first.' }),
    count: integer('Number of items.', 1),
    days: windowDays,
    as_of: asOf,
  })
  .openapi('MarketLiquidity', { description: 'How fast items sell.' });

export function toLiquidityBody(analytics: MarketAnalytics, query: z.output<typeof ActivityQuery>): z.infer<typeof LiquidityBody> {
  const active = new Map(analytics.active.map((item) => [item.name, item]));
  const items = analytics.liquidity.slice(0, query.limit).map((item) => ({
    name: item.name,
    concluded: item.concluded,
    sold: item.sold,
    expired: item.concluded - item.sold,
    sell_through: roundTo(item.sold / item.concluded, 4),
    median_time_to_sell: item.medianSecondsToSell === null ? null : Math.floor(item.medianSecondsToSell),
    days_of_stock: daysOfStock(item, active.get(item.name), query.days),
  }));
  return { items, count: items.length, days: query.days, as_of: analytics.asOf };
}

export const OverviewBody = z
  .object({
    active_listings: integer('Number of active listings.', 4200),
    active_items: integer('Number of items with an active listing.', 280),
    total_value: integer('Sum of the prices of the active listings.', 91_000_000),
    total_units: integer('Sum of their stack sizes.', 610_000),
    biggest_mover: z
      .union([MoverBody, z.null()])
      .openapi({ description: 'The item with the largest change of the median; null for none.' }),
    most_traded: z.union([VolumeItemBody, z.null()]).openapi({
      description: 'The item with the most listings created in the window; null for none.',
    }),
    days: windowDays,
    as_of: asOf,
  })
  .openapi('MarketOverview', { description: 'The market at a glance.' });

export function toOverviewBody(analytics: MarketAnalytics, windowLength: number): z.infer<typeof OverviewBody> {
  const { activeListings, activeItems, totalValue, totalUnits } = totalsOf(analytics);
  const [move] = analytics.moves;
  const [traded] = analytics.volume;
  return {
    active_listings: activeListings,
    active_items: activeItems,
    total_value: totalValue,
    total_units: totalUnits,
    biggest_mover: move ? toMover(move) : null,
    most_traded: traded ? toVolumeItem(traded) : null,
    days: windowLength,
    as_of: analytics.asOf,
  };
}
