import { env } from 'cloudflare:workers';
import { marketAnalytics, marketItems, marketListings, marketState } from '../../../src/areas/market/market.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { type JsonReply, withJson } from '../../support/calculators.ts';
import { bearer, call, type Fetch } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

/** Time of the tests. */
export const NOW = 1_773_156_630;
const TICKS_PER_SECOND = 10_000_000n;
const UUID_EPOCH_TICKS = 122_192_928_000_000_000n;

export const db = createDatabase(env.DB);

/** Version-1 UUID of a listing created at an instant. */
export function idAt(createdAt: number, serial = 0): string {
  const ticks = (BigInt(createdAt) * TICKS_PER_SECOND + UUID_EPOCH_TICKS).toString(16).padStart(15, '0');
  return `${ticks.slice(7)}-${ticks.slice(3, 7)}-1${ticks.slice(0, 3)}-9a3e-${serial.toString(16).padStart(12, '0')}`;
}

export interface Offer {
  createdAt?: number;
  serial?: number;
  name?: string;
  type?: string;
  stack?: number;
  price?: number;
}

export function lineOf({ createdAt = NOW - 3600, serial = 0, name = 'Sun Sap', type = 'Crafting', stack = 1, price = 100 }: Offer): string {
  return `${idAt(createdAt, serial)};${name};${type};${stack};${price}`;
}

/** An offer without a type, as it is stored. */
export const listingOf = ({ createdAt = NOW - 3600, serial = 0, name = 'Sun Sap', stack = 1, price = 100 }: Omit<Offer, 'type'>) => ({
  id: idAt(createdAt, serial),
  name,
  type: null,
  stack,
  price,
  milliEach: Math.round((price * 1000) / stack),
  createdAt,
});

export function formOf(text: string): FormData {
  const form = new FormData();
  form.append('file', new File([text], 'market.cfg', { type: 'text/plain' }));
  return form;
}

/** Helpers to write and read the market with a new application without cached state. */
export async function openMarket(fetch: Fetch = testApp({ settings: { ingestCooldownMax: 1000, apiRateLimitMax: 100_000 } })) {
  const master = bearer(await createSuperuserToken());
  const reader = bearer(await createToken({ scopes: 1024 }));
  const insertText = async (text: string, now = NOW, query = '') =>
    withJson(await call(`/v1/market/insert${query}`, { method: 'POST', authorization: master, body: formOf(text), now }, fetch));
  return {
    insertText,
    insert: (offers: readonly Offer[], now = NOW, query = '') => insertText(offers.map(lineOf).join('\n'), now, query),
    get: async (path: string, now = NOW): Promise<JsonReply> =>
      withJson(await call(path.startsWith('/') ? path : `/v1/market/${path}`, { authorization: reader, now }, fetch)),
    master,
    reader,
    fetch,
  };
}

export async function clearMarket(): Promise<void> {
  await db.batch([db.delete(marketListings), db.delete(marketItems), db.delete(marketState), db.delete(marketAnalytics)]);
}

/** Path of the next page in the `Link` header; null on the last page. */
export function nextPath({ headers }: JsonReply): string | null {
  return /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1] ?? null;
}
