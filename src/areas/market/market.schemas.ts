import { z } from '@hono/zod-openapi';
import { modelImageUrl } from '../../game/model-image.ts';
import { booleanWithDefault, historyPage, integerWithDefault, optionalInstant } from '../../platform/http/pipeline/query-schemas.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { expiresAt, isExpired, type Listing } from './listing.domain.ts';
import { DEFAULT_SORT, parseSort } from './listing-sort.domain.ts';
import { listingRules } from './market.data.ts';
import type { MarketInsertResult } from './market-insert.service.ts';
import type { PriceSummary } from './prices.domain.ts';

const LATEST_INSTANT = 100_000_000_000;
/** A cursor may hold a name of 200 characters. */
const MAX_CURSOR_LENGTH = 1500;
const MAX_PRICE_EACH = 1_000_000_000;
const ITEM = 'Sun Sap';

const integer = (description: string, example: number) => z.number().int().openapi({ description, example });
const decimal = (description: string, example: number) => z.number().openapi({ description, example });
const text = (description: string, example: string) => z.string().openapi({ description, example });

const imageUrl = z.string().nullable().openapi({
  description: 'Address of an image of the item, 256 pixels square; null when its model is unknown.',
  example: null,
});

/** Images of items, by name. */
export interface ItemImages {
  baseUrl: string;
  blueprints: ReadonlyMap<string, string>;
}

const imageOf = (name: string, { baseUrl, blueprints }: ItemImages) => modelImageUrl(baseUrl, blueprints.get(name) ?? null);

/** A price of one piece with up to 3 decimals, as thousandths. */
function price(description: string, example: string) {
  const message = `must be a number between 0 and ${MAX_PRICE_EACH} with at most 9 decimals`;
  return z
    .string()
    .regex(/^\d{1,10}(?:\.\d{1,9})?$/, message)
    .transform(Number)
    .pipe(z.number().max(MAX_PRICE_EACH, message))
    .optional()
    .openapi({ type: 'number', minimum: 0, maximum: MAX_PRICE_EACH, description, example: Number(example) });
}

const { limit, offset } = historyPage({ max: 1000, default: 100 });
const cursor = z.string().max(MAX_CURSOR_LENGTH).optional().openapi({
  description:
    'Instead of `offset`: the `cursor` of the next page, as the `Link` header of a page gives it, with the same filters and order. Holds still while listings arrive.',
  example: 'WyItbGFzdF9zZWVuIiwxLDE3NzMxNTY2MzAsIjVmMGY4ZTgwLTZhMWMtMTFlZi05YTNlLTAxMDA1MTYxYThkZiJd',
});

export const ListingsQuery = z.object({
  name: z.string().max(200).optional().openapi({ description: 'Only this item; matches exactly.', example: ITEM }),
  price_min: price('Lowest price of one piece, included.', '10'),
  price_max: price('Highest price of one piece, included.', '5000'),
  last_seen_after: optionalInstant({
    min: 0,
    max: LATEST_INSTANT,
    description: 'Only listings seen later than this (unix seconds).',
    example: 1_700_000_000,
  }),
  hide_expired: booleanWithDefault({
    ...{ default: true, example: true },
    description: 'False: listings that ended or were not seen for three hours too. A further limit per token may apply.',
  }),
  sort: z
    .string()
    .max(100)
    .default('-last_seen')
    .transform(parseSort)
    .openapi({
      type: 'string',
      default: '-last_seen',
      description: `\`last_seen\`, \`price_each\`, \`created_at\`, \`price\`, \`stack\` or \`name\`, with \`-\` in front for descending; anything else is \`${DEFAULT_SORT.descending ? '-' : ''}${DEFAULT_SORT.field}\`. Equal ones by id.`,
      example: 'price_each',
    }),
  limit,
  offset,
  cursor,
});

export const ListingBody = z
  .object({
    id: text('Identity of the listing: the game issues a new one when a listing changes.', '5f0f8e80-6a1c-11ef-9a3e-01005161a8df'),
    name: text('Name of the item.', ITEM),
    type: z.string().nullable().openapi({ description: 'Kind of item, or null when the game states none.', example: 'Crafting' }),
    stack: integer('Pieces in the stack.', 250),
    price: integer('Price of the whole stack.', 40_000),
    price_each: decimal('Price of one piece, 3 decimals.', 160),
    last_seen: integer('When the listing was last seen (unix seconds).', 1_725_389_155),
    created_at: integer('When the listing was made (unix seconds).', 1_725_385_555),
    expires_at: integer('When the listing ends, seven days after it was made (unix seconds).', 1_725_990_355),
    expired: z.boolean().openapi({ description: 'Ended, or not seen for three hours.', example: false }),
    image_url: imageUrl,
  })
  .openapi('MarketListing', { description: 'An offer on the market.' });

export function toListingBody(listing: Listing, now: UnixSeconds, images: ItemImages): z.infer<typeof ListingBody> {
  const { id, name, type, stack, price, milliEach, lastSeen, createdAt } = listing;
  return {
    ...{ id, name, type, stack, price, price_each: milliEach / 1000, last_seen: lastSeen, created_at: createdAt },
    expires_at: expiresAt(listing, listingRules),
    expired: isExpired(listing, now, listingRules),
    image_url: imageOf(name, images),
  };
}

export const ListingsBody = z
  .object({
    items: z.array(ListingBody).openapi({ description: 'The page.' }),
    count: integer('Listings on this page.', 1),
    total: integer('Listings the filters fit.', 1),
    sort: z
      .string()
      .openapi({ description: 'Order of the page; another one than was asked for when that is none.', example: '-last_seen' }),
  })
  .openapi('MarketListings', { description: 'A page of listings.' });

export const MarketItemsBody = z
  .object({
    items: z.array(z.string()).openapi({ description: 'Names by code point.', example: [ITEM] }),
    count: integer('Number of names.', 1),
  })
  .openapi('MarketItems', { description: 'Names of items.' });

export const KnownItemsBody = MarketItemsBody.extend({
  image_urls: z.record(z.string(), z.string()).openapi({
    description: 'Addresses of images, 256 pixels square, by name; items whose model is unknown are left out.',
    example: {},
  }),
}).openapi('MarketKnownItems', { description: 'Names of items that were ever listed, and images of those whose models are known.' });

export function imageUrls(images: ItemImages): Record<string, string> {
  const entries = [...images.blueprints.keys()].map((name) => [name, imageOf(name, images)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

export const ItemParams = z.object({
  name: z.string().max(200).openapi({ description: 'Name of an item, percent-encoded; matches exactly.', example: ITEM }),
});

export const SummaryBody = z
  .object({
    name: text('Name of the item.', ITEM),
    count: integer('Active listings.', 2),
    total_price: integer('Sum of their prices.', 90_000),
    total_stack: integer('Sum of their stacks.', 500),
    min_each: decimal('Lowest price of one piece.', 160),
    max_each: decimal('Highest price of one piece.', 200),
    avg_each: decimal('Mean of the prices of one piece, 3 decimals.', 180),
    median_each: decimal('Median of the prices of one piece.', 180),
    image_url: imageUrl,
  })
  .openapi('MarketSummary', { description: 'What the active listings of an item ask for.' });

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
    image_url: imageOf(name, images),
  };
}

export const InsertQuery = z.object({
  timestamp: optionalInstant({
    min: 0,
    max: LATEST_INSTANT,
    description: 'When the listings were seen (unix seconds); now when absent.',
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
    imported: integer('Of these, stored or refreshed.', 2),
    ignored_not_in_list: integer('Of these, not stored because nobody tracks the item.', 1),
    last_seen: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'When they count as seen (unix seconds); null without any.', example: 1_725_389_155 }),
  })
  .openapi('MarketInserted', { description: 'What a dump brought.' });

export function toInsertBody({ parsed, imported, ignoredNotInList, lastSeen }: MarketInsertResult): z.infer<typeof InsertBody> {
  return { parsed, imported, ignored_not_in_list: ignoredNotInList, last_seen: lastSeen };
}

export const ResetBody = z
  .object({
    reset: z.literal(true).openapi({ description: 'Always true.', example: true }),
    removed: integer('Listings deleted.', 12_000),
  })
  .openapi('MarketReset', { description: 'What a reset deleted.' });

export const days = (max: number, byDefault: number) =>
  integerWithDefault({ min: 1, max, default: byDefault, description: `Days back from now, 1 to ${max}.`, example: byDefault });
