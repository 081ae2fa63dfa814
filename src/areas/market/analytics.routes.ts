import { tokenAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { fixedJson } from '../../platform/http/replies/cached-json.ts';
import { json, type Representation } from '../../platform/http/replies/reply.ts';
import { computedTable, listTable } from '../../platform/http/tables/table.ts';
import { validationError } from '../../platform/kit/errors/api-error.ts';
import { splitNames } from './analytics.domain.ts';
import {
  ActivityQuery,
  DealsBody,
  DealsQuery,
  isEveryItem,
  LiquidityBody,
  MoversBody,
  MoversQuery,
  OverviewBody,
  OverviewQuery,
  SummariesBody,
  SummariesQuery,
  toDealsBody,
  toLiquidityBody,
  toMoversBody,
  toOverviewBody,
  toSummariesBody,
  toVolumeBody,
  VolumeBody,
} from './analytics.schemas.ts';
import { type ActiveItem, ANALYTICS_TTL_SECONDS, type AnalyticsStore, SUMMARIES_TTL_SECONDS } from './analytics.store.ts';
import { MAX_SUMMARY_NAMES } from './market.data.ts';

const shared = { method: 'get', tag: 'Market', access: tokenAccess('market:read'), feature: 'featureMarketEnabled' } as const;
const cached = { maxAge: ANALYTICS_TTL_SECONDS };
const foldName = (name: string) => name.trim().toLowerCase();

/** Endpoints over all items: prices of many items at once, and statistics of the market. */
export function createAnalyticsEndpoints(store: AnalyticsStore): Endpoint[] {
  return [createSummariesEndpoint(store), ...createStatisticsEndpoints(store)];
}

function createSummariesEndpoint(store: AnalyticsStore): Endpoint {
  /** The body of every item, serialized and hashed once per read. */
  const everyItem = new WeakMap<readonly ActiveItem[], Representation<ReturnType<typeof toSummariesBody>>>();
  return defineRoute({
    ...shared,
    path: '/v1/market/summaries',
    operationId: 'listMarketSummaries',
    summary: 'List item prices',
    description: `Summarises the prices of the active listings of up to ${MAX_SUMMARY_NAMES} items, or of every item in one body. Prices are at most ${SUMMARIES_TTL_SECONDS} seconds old; names without active listings are in \`missing\`.`,
    query: SummariesQuery,
    ok: { description: 'The summaries.', schema: SummariesBody },
    table: listTable(SummariesBody, 'items'),
  }).handle(async ({ query, now }) => {
    const { items, asOf } = await store.summarize(now);
    if (isEveryItem(query.names)) {
      const body = everyItem.get(items) ?? fixedJson(toSummariesBody(items, [], asOf), SUMMARIES_TTL_SECONDS);
      everyItem.set(items, body);
      return body;
    }
    const byName = new Map(items.map((item) => [foldName(item.name), item]));
    const { names, missing } = splitNames(query.names, (name) => byName.get(foldName(name))?.name);
    if (names.length + missing.length > MAX_SUMMARY_NAMES) {
      throw validationError([{ loc: ['query', 'names'], msg: `must have at most ${MAX_SUMMARY_NAMES} names`, type: 'too_long' }]);
    }
    const requested = new Set(names);
    return json(
      toSummariesBody(
        items.filter(({ name }) => requested.has(name)),
        missing,
        asOf,
      ),
      { maxAge: SUMMARIES_TTL_SECONDS },
    );
  });
}

function createStatisticsEndpoints(store: AnalyticsStore): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/market/analytics/overview',
      operationId: 'getMarketOverview',
      summary: 'Get market overview',
      description: 'Returns totals of the active listings, the item whose price moved most and the most listed item of the window.',
      query: OverviewQuery,
      ok: { description: 'The overview.', schema: OverviewBody },
    }).handle(async ({ query, now }) => json(toOverviewBody(await store.analyze(query.days, now), query.days), cached)),

    defineRoute({
      ...shared,
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
      ...shared,
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
      ...shared,
      path: '/v1/market/analytics/volume',
      operationId: 'listMarketVolume',
      summary: 'List most listed items',
      description: 'Lists the items with the most listings created in the window.',
      query: ActivityQuery,
      ok: { description: 'The items.', schema: VolumeBody },
      table: listTable(VolumeBody, 'items'),
    }).handle(async ({ query, now }) => json(toVolumeBody(await store.analyze(query.days, now), query), cached)),

    defineRoute({
      ...shared,
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
