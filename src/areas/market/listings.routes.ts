import { type SQL, sql } from 'drizzle-orm';
import type { ArchiveBudget } from '../../platform/access/limits/archive-budget.ts';
import { tokenAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { decodeCursor, encodeCursor, nextPageLink, pageStart } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { badRequest, notFound } from '../../platform/kit/errors/api-error.ts';
import type { CachedInterestList, ItemNames } from './item-names.service.ts';
import type { ListingPageRequest, ListingSort, PageEnd } from './listings.domain.ts';
import {
  ItemParams,
  imageUrls,
  KnownItemsBody,
  ListingsBody,
  ListingsQuery,
  MarketItemsBody,
  SummaryBody,
  toListingBody,
  toSummaryBody,
} from './listings.schemas.ts';
import type { ListingsRepository } from './listings.store.ts';
import { marketItems } from './market.tables.ts';
import { summarisePrices } from './prices.domain.ts';

const shared = { method: 'get', tag: 'Market', access: tokenAccess('market:read'), feature: 'featureMarketEnabled' } as const;

const orderOf = ({ field, descending }: ListingSort) => `${descending ? '-' : ''}${field}`;

/** A cursor contains a value of the sort column and is valid for that order only. */
const cursorOf = (sort: ListingSort, { revision, value, id }: PageEnd) => encodeCursor(orderOf(sort), revision, value, id);

function decodePageEnd(cursor: string, sort: ListingSort): PageEnd {
  const valueType = sort.field === 'name' ? 'string' : 'number';
  const [order, revision, value = 0, id] = decodeCursor(cursor, ['string', 'number', valueType, 'string']);
  if (order !== orderOf(sort)) throw badRequest('cursor belongs to another sort order; use the sort of the previous page');
  return { revision: Number(revision), value, id: String(id) };
}

function toPageStart(query: { offset?: number | undefined; cursor?: string | undefined; sort: ListingSort }): ListingPageRequest['start'] {
  if (query.cursor === undefined || query.offset !== undefined) {
    const start = pageStart(query);
    return 'offset' in start ? start : { offset: 0 };
  }
  return { after: decodePageEnd(query.cursor, query.sort) };
}

/** Returns the blueprints of models by item name; omits ambiguous names. */
export type ItemBlueprints = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Loads the images of the items that a statement names into the isolate. */
export type LoadItemBlueprints = (statement: SQL) => Promise<void>;

const ALL_ITEMS = sql`SELECT name FROM ${marketItems}`;

interface ListingRoutesDeps {
  listings: ListingsRepository;
  interestList: CachedInterestList;
  archive: ArchiveBudget;
  itemBlueprints: ItemBlueprints;
  loadItemBlueprints: LoadItemBlueprints;
  itemNames: ItemNames;
}

/** Endpoints of listings, item names and summaries. */
export function createListingEndpoints({
  listings,
  interestList,
  archive,
  itemBlueprints,
  loadItemBlueprints,
  itemNames,
}: ListingRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/market/listings',
      operationId: 'listMarketListings',
      summary: 'List market listings',
      description:
        'Lists market listings, by default active ones. The `Link` header contains the URL of the next page. Paging in the order of `last_seen` survives one insert between two pages; after two inserts, start again without the cursor.',
      query: ListingsQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of listings.', schema: ListingsBody },
      table: listTable(ListingsBody, 'items'),
    }).handle(async ({ query, ...input }) => {
      const { price_min, price_max, last_seen_after, hide_expired, sort, limit } = query;
      if (price_min !== undefined && price_max !== undefined && price_min.value > price_max.value) {
        throw badRequest('price_min must not exceed price_max');
      }
      const start = toPageStart(query);
      const headers = hide_expired ? {} : await archive.charge(input.caller, input.settings, input.now);
      const name = query.name === undefined ? undefined : ((await itemNames.find(query.name)) ?? query.name);
      const bounds = { milliMin: price_min?.milliCeil, milliMax: price_max?.milliFloor };
      const filter = { name, ...bounds, seenAfter: last_seen_after, activeAt: hide_expired ? input.now : null };
      const [page] = await Promise.all([
        listings.readPage({ filter, sort, limit, start }, input.now),
        // Loads the images of all items into the isolate, so that those of the page need no further read.
        loadItemBlueprints(ALL_ITEMS),
      ]);
      if (!page) throw badRequest('cursor is older than the last two inserts; start again without it');
      const images = { baseUrl: input.baseUrl, blueprints: await itemBlueprints(page.listings.map((listing) => listing.name)) };
      const items = page.listings.map((listing) => toListingBody(listing, input.now, images));
      const next = nextPageLink(input.request.url, page.end && cursorOf(sort, page.end));
      return json({ items, count: items.length, total: page.total, sort: orderOf(sort) }, { headers: { ...headers, ...next } });
    }),

    defineRoute({
      ...shared,
      path: '/v1/market/items',
      operationId: 'listMarketItems',
      summary: 'List market items',
      description: 'Lists every item name with a stored listing.',
      ok: { description: 'The names.', schema: KnownItemsBody },
    }).handle(async ({ baseUrl }) => {
      const [names] = await Promise.all([listings.listItems(), loadItemBlueprints(ALL_ITEMS)]);
      return json({ ...namesBody(names), image_urls: imageUrls({ baseUrl, blueprints: await itemBlueprints(names) }) });
    }),

    defineRoute({
      ...shared,
      path: '/v1/market/interest-items',
      operationId: 'listMarketInterestItems',
      summary: 'List tracked items',
      description: 'Lists the items whose listings are stored. Same body as `/v1/misc/interest-items`.',
      ok: { description: 'The names.', schema: MarketItemsBody },
    }).handle(async () => json(namesBody(await interestList()))),

    defineRoute({
      ...shared,
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
        Promise.all([listings.listActive(item, now), itemBlueprints([item])]),
      );
      const [active, blueprints] = value;
      const summary = summarisePrices(active);
      if (!summary) throw notFound('the item has no active listings');
      return json(toSummaryBody(name, summary, { baseUrl, blueprints }));
    }),
  ];
}

const namesBody = (names: readonly string[]) => ({ items: [...names], count: names.length });
