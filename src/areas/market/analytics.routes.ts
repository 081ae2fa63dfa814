import { z } from '@hono/zod-openapi';
import { integer, number } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { computedTable, listTable } from '../../platform/http/tables/table.ts';
import { roundTo } from '../../platform/kit/values/numbers.ts';
import type { PriceMove, TradeVolume } from './analytics.domain.ts';
import { ANALYTICS_TTL_SECONDS, type AnalyticsStore, type MarketAnalytics } from './analytics.store.ts';
import { marketRead } from './listings.routes.ts';
import { analyticsRules, MAX_ANALYTICS_ROWS, MAX_DEALS } from './market.data.ts';
import { changeOf, daysOfStock, discountOf, fromMilli, splitMoves, totalsOf } from './prices.domain.ts';
import { days } from './prices.routes.ts';

const itemName = z.string().openapi({ description: 'Name of the item.', example: 'Sun Sap' });
const asOf = integer('Time that the statistics describe (unix seconds).', 1_773_156_600);
const windowDays = integer('Length of the window in days.', 7);
/** Query parameter `limit` of a list. */
const limit = (max: number, byDefault: number) =>
  integerWithDefault({ min: 1, max, default: byDefault, example: byDefault, description: `Maximum number of rows, 1 to ${max}.` });

const OverviewQuery = z.object({ days: days(30, 7) });
const MoversQuery = z.object({ days: days(30, 7), limit: limit(MAX_ANALYTICS_ROWS, 40) });
const ActivityQuery = z.object({ days: days(30, 14), limit: limit(MAX_ANALYTICS_ROWS, 40) });

const MIN_DISCOUNT = { min: analyticsRules.minDiscount, max: 0.95 };
const discountMessage = `must be a number between ${MIN_DISCOUNT.min} and ${MIN_DISCOUNT.max}`;

const DealsQuery = z.object({
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
    recent_med: number('Median unit price of the listings created in the window, 3 decimals.', 21),
    prior_med: number('Median of the window of the same length before it.', 16),
    recent_n: integer('Listings created in the window.', 8),
    prior_n: integer('Listings created in the window before it.', 6),
    change: number('Relative change of the median, 4 decimals.', 0.3125),
  })
  .openapi('MarketMover', { description: 'An item whose median price changed.' });

const MoversBody = z
  .object({
    risers: z.array(MoverBody).openapi({ description: 'Items whose price rose, largest change first.' }),
    fallers: z.array(MoverBody).openapi({ description: 'Items whose price fell, largest change first.' }),
    days: windowDays,
    as_of: asOf,
  })
  .openapi('MarketMovers', { description: 'Items with the largest changes of the median price.' });

const toMover = (move: PriceMove) => ({
  name: move.name,
  recent_med: fromMilli(move.recentMilli),
  prior_med: fromMilli(move.priorMilli),
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
    price_each: number('Unit price, 3 decimals.', 10),
    median_each: number('Median unit price of the active listings of the item, 3 decimals.', 21),
    sample_size: integer('Number of active listings in the median.', 6),
    discount: number('Discount below the median, 4 decimals.', 0.5238),
    created_at: integer('Time when the listing was created (unix seconds).', 1_773_100_000),
    last_seen: integer('Time when the listing was last seen (unix seconds).', 1_773_156_000),
  })
  .openapi('MarketDeal', { description: 'An active listing below the median of its item.' });

const DealsBody = z
  .object({
    items: z.array(DealBody).openapi({ description: 'Listings, highest discount first.' }),
    count: integer('Number of listings.', 1),
    min_discount: number('Echoed from the request.', 0.25),
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
    price_each: fromMilli(deal.milliEach),
    median_each: fromMilli(deal.medianMilli),
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
    median_each: number('Median of their unit prices, 3 decimals.', 160),
  })
  .openapi('MarketVolumeItem', { description: 'Listings of an item created in a window.' });

const VolumeBody = z
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
  median_each: fromMilli(medianMilli),
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
    sell_through: number('Share of sold listings, 4 decimals.', 0.75),
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

const LiquidityBody = z
  .object({
    items: z.array(LiquidityItemBody).openapi({ description: 'Items, highest share of sold listings first.' }),
    count: integer('Number of items.', 1),
    days: windowDays,
    as_of: asOf,
  })
  .openapi('MarketLiquidity', { description: 'How fast items sell.' });

function toLiquidityBody(analytics: MarketAnalytics, query: z.output<typeof ActivityQuery>): z.infer<typeof LiquidityBody> {
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

const OverviewBody = z
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
  const { activeListings, activeItems, totalValue, totalUnits } = totalsOf(analytics.active);
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

const cached = { maxAge: ANALYTICS_TTL_SECONDS };
/** Statistics of the market over all items. */
export function createAnalyticsEndpoints(store: AnalyticsStore): Endpoint[] {
  return [
    defineRoute({
      ...marketRead,
      path: '/v1/market/analytics/overview',
      operationId: 'getMarketOverview',
      summary: 'Get market overview',
      description: 'Returns totals of the active listings, the item whose price moved most and the most listed item of the window.',
      query: OverviewQuery,
      ok: { description: 'The overview.', schema: OverviewBody },
    }).handle(async ({ query, now }) => json(toOverviewBody(await store.analyze(query.days, now), query.days), cached)),

    defineRoute({
      ...marketRead,
      path: '/v1/market/analytics/movers',
      operationId: 'listMarketMovers',
      summary: 'List price movers',
      description:
        'Lists the items whose median unit price changed most between the window and the window of the same length before it, with at least five listings in each.',
      query: MoversQuery,
      ok: { description: 'The movers.', schema: MoversBody },
      table: computedTable(MoversBody, MoversBody.shape.risers.element, 'mover', ({ risers, fallers }) => [...risers, ...fallers]),
    }).handle(async ({ query, now }) => json(toMoversBody(await store.analyze(query.days, now), query), cached)),

    defineRoute({
      ...marketRead,
      path: '/v1/market/analytics/deals',
      operationId: 'listMarketDeals',
      summary: 'List market deals',
      description:
        'Lists active listings whose unit price is below the median of the active listings of their item by at least `min_discount`. An item needs five active listings.',
      query: DealsQuery,
      ok: { description: 'The deals.', schema: DealsBody },
      table: listTable(DealsBody, 'items'),
    }).handle(async ({ query, now }) => json(toDealsBody(await store.analyze(query.days, now), query), cached)),

    defineRoute({
      ...marketRead,
      path: '/v1/market/analytics/volume',
      operationId: 'listMarketVolume',
      summary: 'List most listed items',
      description: 'Lists the items with the most listings created in the window.',
      query: ActivityQuery,
      ok: { description: 'The items.', schema: VolumeBody },
      table: listTable(VolumeBody, 'items'),
    }).handle(async ({ query, now }) => json(toVolumeBody(await store.analyze(query.days, now), query), cached)),

    defineRoute({
      ...marketRead,
      path: '/v1/market/analytics/liquidity',
      operationId: 'listMarketLiquidity',
      summary: 'List sell-through of items',
      description:
        'Lists the share of sold listings among those that ended in the window, the time to sell and the days that the active listings last. An item needs five ended listings.',
      query: ActivityQuery,
      ok: { description: 'The items.', schema: LiquidityBody },
      table: listTable(LiquidityBody, 'items'),
    }).handle(async ({ query, now }) => json(toLiquidityBody(await store.analyze(query.days, now), query), cached)),
  ];
}
