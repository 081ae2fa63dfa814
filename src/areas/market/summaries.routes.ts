import { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { integer, number, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import {
  createImageCache,
  type EmbeddedImage,
  IMAGE_SHAPES,
  ImageQuery,
  imageOk,
  imagesRateLimit,
} from '../../platform/http/replies/badge-reply.ts';
import { fixedJson, json, type Representation } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { notFound, validationError } from '../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { readableTime } from '../../platform/kit/time/time-text.ts';
import type { ActiveItem } from './analytics.domain.ts';
import { type AnalyticsStore, SUMMARIES_TTL_SECONDS } from './analytics.store.ts';
import { type ItemNames, itemKey } from './item-names.service.ts';
import { type ItemImages, imageUrl, imageUrlOf, marketRead } from './listings.routes.ts';
import type { ListingsStore } from './listings.store.ts';
import { MAX_SUMMARY_NAMES } from './market.data.ts';
import { fromMilli, type PriceSummary, splitNames, summarisePrices } from './prices.domain.ts';
import { ItemParams } from './prices.routes.ts';

const SummaryBody = z
  .object({
    name: string('Name of the item.', 'Sun Sap'),
    count: integer('Number of active listings.', 2),
    total_price: integer('Sum of the listing prices.', 90_000),
    total_stack: integer('Sum of the stack sizes.', 500),
    min_each: number('Lowest unit price.', 160),
    max_each: number('Highest unit price.', 200),
    avg_each: number('Mean unit price, 3 decimals.', 180),
    median_each: number('Median unit price.', 180),
    image_url: imageUrl,
  })
  .openapi('MarketSummary', { description: 'Price summary of the active listings of an item.' });

function toSummaryBody(name: string, summary: PriceSummary, images: ItemImages): z.infer<typeof SummaryBody> {
  return {
    name,
    count: summary.count,
    total_price: summary.totalPrice,
    total_stack: summary.totalStack,
    min_each: summary.minEach,
    max_each: summary.maxEach,
    avg_each: summary.avgEach,
    median_each: summary.medianEach,
    image_url: imageUrlOf(name, images),
  };
}

const MAX_NAMES_LENGTH = 8000;
const EVERY_ITEM = 'all';

const SummariesQuery = z.object({
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
const isEveryItem = (names: string): boolean => names.trim().toLowerCase() === EVERY_ITEM;

const SummariesBody = z
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
    as_of: integer('Time that the statistics describe (unix seconds).', 1_773_156_600),
  })
  .openapi('MarketSummaries', { description: 'Prices of several items.' });

const toSummary = ({ name, count, ...sums }: ActiveItem) => ({
  name,
  count,
  total_price: sums.totalPrice,
  total_stack: sums.totalStack,
  min_each: fromMilli(sums.minMilli),
  max_each: fromMilli(sums.maxMilli),
  avg_each: fromMilli(sums.sumMilli / count),
  median_each: sums.medianMilli / 1000,
});

function toSummariesBody(items: readonly ActiveItem[], missing: readonly string[], at: UnixSeconds): z.infer<typeof SummariesBody> {
  return { items: items.map(toSummary), count: items.length, missing: [...missing], as_of: at };
}

/** The prices of the active listings of one item. */
export function createItemSummaryEndpoint(listings: ListingsStore, itemNames: ItemNames, ports: Pick<Ports, 'itemBlueprints'>): Endpoint {
  return defineRoute({
    ...marketRead,
    path: '/v1/market/items/{name}/summary',
    operationId: 'getMarketSummary',
    summary: 'Get item prices',
    description:
      'Summarises the prices of the active listings of an item. Returns 404 if there are none; for an unknown item the 404 has the nearest names.',
    params: ItemParams,
    errors: ['not_found'],
    ok: { description: 'The summary.', schema: SummaryBody },
  }).handle(async ({ params, now, baseUrl }) => {
    const { name, value } = await itemNames.read(params.name, (item) =>
      Promise.all([listings.listActive(item, now), ports.itemBlueprints([item])]),
    );
    const [active, blueprints] = value;
    const summary = summarisePrices(active);
    if (!summary) throw notFound('the item has no active listings');
    return json(toSummaryBody(name, summary, { baseUrl, blueprints }));
  });
}

/** The prices of many items. */
export function createSummariesEndpoint(store: AnalyticsStore): Endpoint {
  /** The body of every item, serialized and hashed once per read. */
  const everyItem = new WeakMap<readonly ActiveItem[], Representation<ReturnType<typeof toSummariesBody>>>();
  return defineRoute({
    ...marketRead,
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
    const byName = new Map(items.map((item) => [itemKey(item.name), item]));
    const { names, missing } = splitNames(query.names, (name) => byName.get(itemKey(name))?.name);
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

const numberFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });
const priceText = (milli: number) => numberFormat.format(milli / 1000);

function itemImage(name: string, item: ActiveItem | undefined, asOf: UnixSeconds): EmbeddedImage {
  const rows = item
    ? [
        { label: 'Median', value: priceText(item.medianMilli) },
        { label: 'Lowest', value: priceText(item.minMilli) },
        { label: 'Listings', value: numberFormat.format(item.count) },
        { label: 'Pieces', value: numberFormat.format(item.totalStack) },
      ]
    : [{ label: 'Listings', value: 'none' }];
  return {
    badge: { label: name, value: item ? `${priceText(item.medianMilli)} each` : 'no listings', tone: item ? 'info' : 'none' },
    card: { kind: 'Market · price of one piece', title: name, rows, note: `As of ${readableTime(asOf)}` },
  };
}

/** Badge and card of the price of an item. */
export function createItemImageEndpoints(analytics: AnalyticsStore, itemNames: ItemNames): Endpoint[] {
  const cached = createImageCache();
  return IMAGE_SHAPES.map((shape) =>
    defineRoute({
      method: 'get',
      tag: 'Market',
      access: tokenlessAccess('market:read', imagesRateLimit),
      feature: 'featureMarketEnabled',
      path: `/v1/market/items/{name}/${shape}.svg`,
      operationId: shape === 'badge' ? 'getMarketItemBadge' : 'getMarketItemCard',
      summary: `Get an item price ${shape}`,
      description: 'Returns the price of one piece of an item as an SVG image, for READMEs and forums. Cached for 5 minutes.',
      params: ItemParams,
      query: ImageQuery,
      errors: ['not_found'],
      ok: imageOk(shape),
    }).handle(({ params, query, now, waitUntil }) =>
      cached({ key: `item ${itemKey(params.name)}`, shape, theme: query.theme, now, waitUntil }, async () => {
        const { name, value } = await itemNames.read(params.name, async (item) => {
          const { items, asOf } = await analytics.summarize(now);
          return { item: items.find((active) => active.name === item), asOf };
        });
        return itemImage(name, value.item, value.asOf);
      }),
    ),
  );
}
