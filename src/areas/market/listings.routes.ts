import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { modelImageUrl } from '../../game/model-image.ts';
import type { ArchiveRateLimit } from '../../platform/access/limits/archive-rate-limit.ts';
import { tokenAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { integer, number, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { booleanWithDefault, historyPage, optionalInstant } from '../../platform/http/pipeline/query-schemas.ts';
import { decodeCursor, encodeCursor, nextPageLink, pageStart } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { badRequest } from '../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { ItemNames } from './item-names.service.ts';
import {
  DEFAULT_SORT,
  expiresAt,
  isExpired,
  type Listing,
  type ListingPageRequest,
  type ListingSort,
  type PageEnd,
  parseSort,
} from './listings.domain.ts';
import type { ListingsStore } from './listings.store.ts';
import { LATEST_INSTANT } from './market.data.ts';
import { marketItems } from './market.tables.ts';

/** A cursor can contain a name of 200 characters. */
const MAX_CURSOR_LENGTH = 1500;
const MAX_PRICE_EACH = 1_000_000_000;
const ITEM = 'Sun Sap';

export const imageUrl = z.string().nullable().openapi({
  description: 'URL of an image of the item, 256 x 256 pixels; null if its model is unknown.',
  example: null,
});

/** Blueprints by item name, and the base URL of images. */
export interface ItemImages {
  baseUrl: string;
  blueprints: ReadonlyMap<string, string>;
}

export const imageUrlOf = (name: string, { baseUrl, blueprints }: ItemImages) => modelImageUrl(baseUrl, blueprints.get(name) ?? null);

/** A unit price of a query, in thousandths. Prices have 3 decimals, so bounds with more are rounded, without an inexact product. */
interface PriceBound {
  value: number;
  milliFloor: number;
  milliCeil: number;
}

function toPriceBound(text: string): PriceBound {
  const [whole = '', decimals = ''] = text.split('.');
  const milliFloor = Number(whole) * 1000 + Number(decimals.padEnd(3, '0').slice(0, 3));
  return { value: Number(text), milliFloor, milliCeil: /[1-9]/.test(decimals.slice(3)) ? milliFloor + 1 : milliFloor };
}

/** Query parameter for a unit price. */
function price(description: string, example: string) {
  const message = `must be a number between 0 and ${MAX_PRICE_EACH} with at most 9 decimals`;
  return z
    .string()
    .regex(/^\d{1,10}(?:\.\d{1,9})?$/, message)
    .transform(toPriceBound)
    .refine(({ value }) => value <= MAX_PRICE_EACH, message)
    .optional()
    .openapi({ type: 'number', minimum: 0, maximum: MAX_PRICE_EACH, description, example: Number(example) });
}

const { limit, offset } = historyPage({ max: 1000, default: 100 });
const cursor = z.string().max(MAX_CURSOR_LENGTH).optional().openapi({
  description:
    'Cursor from the `Link` header of the previous page, instead of `offset`, with the same filters and order. Stable while listings arrive.',
  example: 'WyItbGFzdF9zZWVuIiwxLDE3NzMxNTY2MzAsIjVmMGY4ZTgwLTZhMWMtMTFlZi05YTNlLTAxMDA1MTYxYThkZiJd',
});

export const ListingsQuery = z.object({
  name: z.string().max(200).optional().openapi({ description: 'Only this item; case-insensitive, trimmed.', example: ITEM }),
  price_min: price('Minimum unit price, inclusive.', '10'),
  price_max: price('Maximum unit price, inclusive.', '5000'),
  last_seen_after: optionalInstant({
    min: 0,
    max: LATEST_INSTANT,
    description: 'Only listings seen after this time (unix seconds).',
    example: 1_700_000_000,
  }),
  hide_expired: booleanWithDefault({
    default: true,
    example: true,
    description: '`false` includes listings that ended or were not seen for three hours. A stricter rate limit per token may apply.',
  }),
  sort: z
    .string()
    .max(100)
    .default('-last_seen')
    .transform(parseSort)
    .openapi({
      type: 'string',
      default: '-last_seen',
      description: `\`last_seen\`, \`price_each\`, \`created_at\`, \`price\`, \`stack\` or \`name\`; prefix \`-\` for descending; any other value is \`${DEFAULT_SORT.descending ? '-' : ''}${DEFAULT_SORT.field}\`. Ties are sorted by id.`,
      example: 'price_each',
    }),
  limit,
  offset,
  cursor,
});

const ListingBody = z
  .object({
    id: string('Id of the listing. The game issues a new id when a listing changes.', '5f0f8e80-6a1c-11ef-9a3e-01005161a8df'),
    name: string('Name of the item.', ITEM),
    type: z.string().nullable().openapi({ description: 'Type of item; null if the game has none.', example: 'Crafting' }),
    stack: integer('Stack size.', 250),
    price: integer('Price of the whole stack.', 40_000),
    price_each: number('Unit price, 3 decimals.', 160),
    last_seen: integer('Time when the listing was last seen (unix seconds).', 1_725_389_155),
    created_at: integer('Time when the listing was created (unix seconds).', 1_725_385_555),
    expires_at: integer('Time when the listing ends: seven days after its creation (unix seconds).', 1_725_990_355),
    expired: z.boolean().openapi({ description: 'Whether the listing ended or was not seen for three hours.', example: false }),
    image_url: imageUrl,
  })
  .openapi('MarketListing', { description: 'A market listing.' });

function toListingBody(listing: Listing, now: UnixSeconds, images: ItemImages): z.infer<typeof ListingBody> {
  const { id, name, type, stack, price, milliEach, lastSeen, createdAt } = listing;
  return {
    id,
    name,
    type,
    stack,
    price,
    price_each: milliEach / 1000,
    last_seen: lastSeen,
    created_at: createdAt,
    expires_at: expiresAt(listing),
    expired: isExpired(listing, now),
    image_url: imageUrlOf(name, images),
  };
}

const ListingsBody = z
  .object({
    items: z.array(ListingBody).openapi({ description: 'Listings on this page.' }),
    count: integer('Number of listings on this page.', 1),
    total: integer('Total number of listings that match the filters.', 1),
    sort: z.string().openapi({ description: 'Applied sort order; the default if the requested one is unknown.', example: '-last_seen' }),
  })
  .openapi('MarketListings', { description: 'A page of listings.' });

const MarketItemsBody = z
  .object({
    items: z.array(z.string()).openapi({ description: 'Names in code point order.', example: [ITEM] }),
    count: integer('Number of names.', 1),
  })
  .openapi('MarketItems', { description: 'Names of items.' });

const KnownItemsBody = MarketItemsBody.extend({
  image_urls: z.record(z.string(), z.string()).openapi({
    description: 'Image URLs by item name, 256 x 256 pixels; items with an unknown model are omitted.',
    example: {},
  }),
}).openapi('MarketKnownItems', { description: 'Names of listed items, with image URLs of those with known models.' });

function imageUrls(images: ItemImages): Record<string, string> {
  const entries = [...images.blueprints.keys()].map((name) => [name, imageUrlOf(name, images)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** What the reads of the market have in common. */
export const marketRead = { method: 'get', tag: 'Market', access: tokenAccess('market:read'), feature: 'featureMarketEnabled' } as const;

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

const ALL_ITEMS = sql`SELECT name FROM ${marketItems}`;

const namesBody = (names: readonly string[]) => ({ items: [...names], count: names.length });

interface ListingRoutesDeps {
  listings: ListingsStore;
  archive: ArchiveRateLimit;
  itemNames: ItemNames;
  ports: Pick<Ports, 'cachedInterestItems' | 'itemBlueprints' | 'loadItemBlueprints'>;
}

/** Endpoints of listings and item names. */
export function createListingEndpoints({ listings, archive, itemNames, ports }: ListingRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...marketRead,
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
        ports.loadItemBlueprints(ALL_ITEMS),
      ]);
      if (!page) throw badRequest('cursor is older than the last two inserts; start again without it');
      const images = { baseUrl: input.baseUrl, blueprints: await ports.itemBlueprints(page.listings.map((listing) => listing.name)) };
      const items = page.listings.map((listing) => toListingBody(listing, input.now, images));
      const next = nextPageLink(input.request.url, page.end && cursorOf(sort, page.end));
      return json({ items, count: items.length, total: page.total, sort: orderOf(sort) }, { headers: { ...headers, ...next } });
    }),

    defineRoute({
      ...marketRead,
      path: '/v1/market/items',
      operationId: 'listMarketItems',
      summary: 'List market items',
      description: 'Lists every item name with a stored listing.',
      ok: { description: 'The names.', schema: KnownItemsBody },
    }).handle(async ({ baseUrl }) => {
      const [names] = await Promise.all([listings.listItems(), ports.loadItemBlueprints(ALL_ITEMS)]);
      return json({ ...namesBody(names), image_urls: imageUrls({ baseUrl, blueprints: await ports.itemBlueprints(names) }) });
    }),

    defineRoute({
      ...marketRead,
      path: '/v1/market/interest-items',
      operationId: 'listMarketInterestItems',
      summary: 'List tracked items',
      description: 'Lists the items whose listings are stored. Same body as `/v1/misc/interest-items`.',
      ok: { description: 'The names.', schema: MarketItemsBody },
    }).handle(async () => json(namesBody(await ports.cachedInterestItems()))),
  ];
}
