import { z } from '@hono/zod-openapi';
import { modelImageUrl } from '../../game/model-image.ts';
import { booleanWithDefault, historyPage, integerWithDefault, optionalInstant } from '../../platform/http/pipeline/query-schemas.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { MarketInsertResult } from './insert.service.ts';
import { DEFAULT_SORT, expiresAt, isExpired, type Listing, parseSort } from './listings.domain.ts';
import { listingRules } from './market.data.ts';
import type { PriceSummary } from './prices.domain.ts';

const LATEST_INSTANT = 100_000_000_000;
/** A cursor can contain a name of 200 characters. */
const MAX_CURSOR_LENGTH = 1500;
const MAX_PRICE_EACH = 1_000_000_000;
const ITEM = 'Sun Sap';

export const integer = (description: string, example: number) => z.number().int().openapi({ description, example });
export const decimal = (description: string, example: number) => z.number().openapi({ description, example });
const text = (description: string, example: string) => z.string().openapi({ description, example });

const imageUrl = z.string().nullable().openapi({
  description: 'URL of an image of the item, 256 x 256 pixels; null if its model is unknown.',
  example: null,
});

/** Blueprints by item name, and the base URL of images. */
interface ItemImages {
  baseUrl: string;
  blueprints: ReadonlyMap<string, string>;
}

const imageUrlOf = (name: string, { baseUrl, blueprints }: ItemImages) => modelImageUrl(baseUrl, blueprints.get(name) ?? null);

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
    id: text('Id of the listing. The game issues a new id when a listing changes.', '5f0f8e80-6a1c-11ef-9a3e-01005161a8df'),
    name: text('Name of the item.', ITEM),
    type: z.string().nullable().openapi({ description: 'Type of item; null if the game has none.', example: 'Crafting' }),
    stack: integer('Stack size.', 250),
    price: integer('Price of the whole stack.', 40_000),
    price_each: decimal('Unit price, 3 decimals.', 160),
    last_seen: integer('Time when the listing was last seen (unix seconds).', 1_725_389_155),
    created_at: integer('Time when the listing was created (unix seconds).', 1_725_385_555),
    expires_at: integer('Time when the listing ends: seven days after its creation (unix seconds).', 1_725_990_355),
    expired: z.boolean().openapi({ description: 'Whether the listing ended or was not seen for three hours.', example: false }),
    image_url: imageUrl,
  })
  .openapi('MarketListing', { description: 'A market listing.' });

export function toListingBody(listing: Listing, now: UnixSeconds, images: ItemImages): z.infer<typeof ListingBody> {
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
    expires_at: expiresAt(listing, listingRules),
    expired: isExpired(listing, now, listingRules),
    image_url: imageUrlOf(name, images),
  };
}

export const ListingsBody = z
  .object({
    items: z.array(ListingBody).openapi({ description: 'Listings on this page.' }),
    count: integer('Number of listings on this page.', 1),
    total: integer('Total number of listings that match the filters.', 1),
    sort: z.string().openapi({ description: 'Applied sort order; the default if the requested one is unknown.', example: '-last_seen' }),
  })
  .openapi('MarketListings', { description: 'A page of listings.' });

export const MarketItemsBody = z
  .object({
    items: z.array(z.string()).openapi({ description: 'Names in code point order.', example: [ITEM] }),
    count: integer('Number of names.', 1),
  })
  .openapi('MarketItems', { description: 'Names of items.' });

export const KnownItemsBody = MarketItemsBody.extend({
  image_urls: z.record(z.string(), z.string()).openapi({
    description: 'Image URLs by item name, 256 x 256 pixels; items with an unknown model are omitted.',
    example: {},
  }),
}).openapi('MarketKnownItems', { description: 'Names of listed items, with image URLs of those with known models.' });

export function imageUrls(images: ItemImages): Record<string, string> {
  const entries = [...images.blueprints.keys()].map((name) => [name, imageUrlOf(name, images)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

export const ItemParams = z.object({
  name: z.string().max(200).openapi({ description: 'Name of an item, percent-encoded; case-insensitive, trimmed.', example: ITEM }),
});

export const SummaryBody = z
  .object({
    name: text('Name of the item.', ITEM),
    count: integer('Number of active listings.', 2),
    total_price: integer('Sum of the listing prices.', 90_000),
    total_stack: integer('Sum of the stack sizes.', 500),
    min_each: decimal('Lowest unit price.', 160),
    max_each: decimal('Highest unit price.', 200),
    avg_each: decimal('Mean unit price, 3 decimals.', 180),
    median_each: decimal('Median unit price.', 180),
    image_url: imageUrl,
  })
  .openapi('MarketSummary', { description: 'Price summary of the active listings of an item.' });

export function toSummaryBody(name: string, summary: PriceSummary, images: ItemImages): z.infer<typeof SummaryBody> {
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

export const InsertQuery = z.object({
  timestamp: optionalInstant({
    min: 0,
    max: LATEST_INSTANT,
    description: 'Time when the listings were seen (unix seconds); defaults to now.',
    example: 1_700_000_000,
  }),
});

export const InsertForm = z
  .object({
    file: z.any().openapi({ type: 'string', format: 'binary', description: 'The dump, up to 20 MiB of text.', example: '' }),
  })
  .openapi('MarketInsertForm', { description: 'A dump of the market.' });

export const InsertBody = z
  .object({
    parsed: integer('Valid listings in the dump.', 3),
    imported: integer('Listings stored or updated.', 2),
    ignored_not_in_list: integer('Listings ignored because the item is not tracked.', 1),
    last_seen: z
      .number()
      .int()
      .nullable()
      .openapi({ description: '`last_seen` of the imported listings (unix seconds); null if none.', example: 1_725_389_155 }),
  })
  .openapi('MarketInserted', { description: 'Result of a market dump import.' });

export function toInsertBody({ parsed, imported, ignoredNotInList, lastSeen }: MarketInsertResult): z.infer<typeof InsertBody> {
  return { parsed, imported, ignored_not_in_list: ignoredNotInList, last_seen: lastSeen };
}

export const ResetBody = z
  .object({
    reset: z.literal(true).openapi({ description: 'Always true.', example: true }),
    removed: integer('Listings deleted.', 12_000),
  })
  .openapi('MarketReset', { description: 'Result of a market reset.' });

export const days = (max: number, byDefault: number) =>
  integerWithDefault({ min: 1, max, default: byDefault, description: `Days back from now, 1 to ${max}.`, example: byDefault });
