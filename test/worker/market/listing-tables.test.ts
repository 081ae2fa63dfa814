import { beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../support/csv.ts';
import { call, type TestResponse } from '../../support/requests.ts';
import { clearMarket, idAt, NOW, nextPath, openMarket } from './market.ts';

const HEADER = ['id', 'name', 'type', 'stack', 'price', 'price_each', 'last_seen', 'created_at', 'expires_at', 'expired', 'image_url'];
const LISTINGS = '/v1/market/listings';

let market: Awaited<ReturnType<typeof openMarket>>;
const get = (path: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
  call(path, { authorization: market.reader, headers, now: NOW }, market.fetch);

beforeAll(async () => {
  await clearMarket();
  market = await openMarket();
  await market.insert([
    { serial: 1, type: '=1+1', stack: 3, price: 10, createdAt: NOW - 7200 },
    { serial: 2, type: 'Crafting', stack: 4, price: 10, createdAt: NOW - 3600 },
    { serial: 3, type: '@x', stack: 1, price: 7, createdAt: NOW - 1800 },
  ]);
});

describe('GET /v1/market/listings as a table', () => {
  it('returns the columns of the schema and escapes formulas', async () => {
    const response = await get(`${LISTINGS}?sort=created_at&format=csv`);
    expect([response.status, response.headers.get('Content-Disposition')]).toEqual([200, 'inline; filename="market-listings.csv"']);
    const [header, ...rows] = readCsv(response.text);
    expect(header).toEqual(HEADER);
    expect(rows.map(([, name, type, stack, price, each]) => [name, type, stack, price, each])).toEqual([
      ['Sun Sap', "'=1+1", '3', '10', '3.333'],
      ['Sun Sap', 'Crafting', '4', '10', '2.5'],
      ['Sun Sap', "'@x", '1', '7', '7'],
    ]);
    expect(rows[0]?.[0]).toBe(idAt(NOW - 7200, 1));
    expect(rows.map((row) => row[HEADER.indexOf('expired')])).toEqual(['false', 'false', 'false']);
  });

  it('returns JSON Lines equal to the JSON items, with unescaped text', async () => {
    const json = JSON.parse((await get(`${LISTINGS}?sort=created_at`)).text);
    const lines = (await get(`${LISTINGS}?sort=created_at`, { Accept: 'application/x-ndjson' })).text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(json.items);
    expect(json.items[0].type).toBe('=1+1');
  });

  it('links the next page in the same format', async () => {
    const ids: (string | undefined)[] = [];
    let path: string | null = `${LISTINGS}?format=csv&limit=2&sort=created_at`;
    for (let pages = 0; path !== null && pages < 5; pages += 1) {
      const response: TestResponse = await get(path);
      expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
      ids.push(
        ...readCsv(response.text)
          .slice(1)
          .map(([id]) => id),
      );
      path = nextPath({ ...response, body: null });
    }
    expect(ids).toEqual([idAt(NOW - 7200, 1), idAt(NOW - 3600, 2), idAt(NOW - 1800, 3)]);
  });

  it('returns errors in the JSON envelope', async () => {
    const [json, csv] = [await get(`${LISTINGS}?limit=0`), await get(`${LISTINGS}?limit=0&format=csv`)];
    expect([csv.status, csv.headers.get('Content-Type'), JSON.parse(csv.text).error.details]).toEqual([
      422,
      'application/json',
      JSON.parse(json.text).error.details,
    ]);
    const both = JSON.parse((await get(`${LISTINGS}?limit=0&format=xml`)).text).error.details;
    expect(both.map(({ loc }: { loc: string[] }) => loc[1]).sort()).toEqual(['format', 'limit']);
  });

  it('counts one request in the same rate limit as JSON and sends the rate limit headers', async () => {
    const names = ['X-RateLimit-Limit', 'X-RateLimit-Reset', 'RateLimit-Policy', 'Cache-Control'];
    const json = await get(LISTINGS);
    const csv = await get(`${LISTINGS}?format=csv`);
    expect(names.map((name) => csv.headers.get(name))).toEqual(names.map((name) => json.headers.get(name)));
    const remaining = (response: TestResponse) => Number(response.headers.get('X-RateLimit-Remaining'));
    expect(remaining(csv)).toBe(remaining(json) - 1);
  });

  it('does not accept a token in the URL', async () => {
    const token = market.reader.slice('Bearer '.length);
    const response = await call(`${LISTINGS}?format=csv&token=${token}&access_token=${token}`, { now: NOW }, market.fetch);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([401, 'application/json']);
  });
});

describe('price history and timeline as tables', () => {
  it.each([
    ['history', ['created_at', 'price_each', 'last_seen', 'stack', 'price']],
    ['timeline', ['bucket', 'listings', 'stack', 'p25', 'p50', 'p75']],
  ])('returns one row per point for %s', async (name, header) => {
    const path = `/v1/market/items/Sun%20Sap/${name}`;
    const { points } = JSON.parse((await get(path)).text);
    const rows = readCsv((await get(path, { Accept: 'text/csv' })).text);
    expect(points.length).toBeGreaterThan(0);
    expect(rows).toEqual([header, ...points.map((point: Record<string, number>) => header.map((column) => String(point[column])))]);
  });
});
