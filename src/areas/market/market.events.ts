import type { EventDeclaration } from '../../platform/events/event-declaration.ts';

/** The cheapest new listing of an item in an insert. */
interface MarketPriceBody {
  item: string;
  /** Price of one piece, with three decimals. */
  price_each: number;
  /** Pieces and price of the listing. */
  stack: number;
  price: number;
  /** Id of the listing. */
  listing_id: string;
  /** New listings of the item in the insert. */
  new_listings: number;
}

declare module '../../platform/events/event-declaration.ts' {
  interface EventBodies {
    market_price: MarketPriceBody;
  }
}

const MAX_PRICE = 1_000_000_000;

/** A new listing at or below the price of a webhook: once per item and insert, the cheapest one. */
export const marketPriceEvent: EventDeclaration<'market_price'> = {
  type: 'market_price',
  label: 'Market price',
  summary: 'An item was listed at or below a chosen price',
  hint: 'when an item is listed at or below a price that you choose',
  feature: 'featureMarketEnabled',
  isTrigger: true,
  conditions: [
    {
      name: 'item',
      label: 'Market item is cheap',
      valueLabel: 'Item',
      suggestions: '/v1/misc/interest-items',
      limit: { label: 'At most, each', rule: 'at most', min: 0.001, max: MAX_PRICE, decimals: 3 },
      sentence: (values, limit) => `${values} is at most ${limit} each`,
      seen: (values, price) => `the cheapest new listing of ${values} was ${price} each`,
    },
  ],
  factsOf: ({ item, price_each: each }) => [{ name: 'item', value: item, number: each }],
  sample: () => ({
    item: 'Sun Sap',
    price_each: 142.5,
    stack: 200,
    price: 28_500,
    listing_id: '6f0d7b3e-1c8a-11f1-9a3e-0242ac120002',
    new_listings: 3,
  }),
  chat: {
    text: {
      title: '{item}: {price_each} each',
      color: '#F2C14E',
      fields: [
        ['Stack', '{stack} for {price}'],
        ['New listings', '{new_listings}'],
      ],
    },
    variablesOf: (body) => ({ ...body }),
  },
};
