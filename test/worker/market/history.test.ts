import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMarketInserts } from '../../../src/areas/market/insert.store.ts';
import type { JsonReply } from '../../support/calculators.ts';
import { clearMarket, db, listingOf, NOW, nextPath, openMarket } from './market.ts';

const DAY = 86_400;
const PATH = '/v1/market/items/Sun%20Sap';

describe('GET /v1/market/items/{name}/history', () => {
  let market: Awaited<ReturnType<typeof openMarket>>;
  beforeAll(async () => {
    await clearMarket();
    market = await openMarket();
    const old = [
      { serial: 1, price: 90, createdAt: NOW - 9 * DAY },
      { serial: 2, price: 95, createdAt: NOW - 3 * DAY },
    ];
    await market.insert(old, NOW - 2 * DAY);
    const prices = [100, 101, 99, 102, 9000];
    await market.insert([
      ...prices.map((price, index) => ({ serial: 10 + index, price, stack: 2, createdAt: NOW - (index + 1) * 3600 })),
      { serial: 20, name: 'Bardium' },
      // Created in the future, as with an id of another UUID version.
      { serial: 21, price: 1, createdAt: NOW + DAY },
    ]);
  });

  const points = ({ body }: JsonReply) => body.points.map(({ price }: { price: number }) => price);

  it('returns active listings created in the window, oldest first, without outliers', async () => {
    const { body } = await market.get(`${PATH}/history`);
    expect(body).toMatchObject({
      name: 'Sun Sap',
      days: 7,
      include_expired: false,
      keep_outliers: false,
      window_start: NOW - 7 * DAY,
      window_end: NOW,
      count: 4,
      raw_count: 5,
      outliers_excluded: 1,
      outliers_min_price: 4500,
      outliers_max_price: 4500,
      outliers_threshold_z: 3.5,
      truncated: false,
    });
    expect(body.points[0]).toEqual({ created_at: NOW - 4 * 3600, price_each: 51, last_seen: NOW, stack: 2, price: 102 });
    expect(body.points.map(({ price }: { price: number }) => price)).toEqual([102, 99, 101, 100]);
  });

  it('includes outliers and expired listings on request', async () => {
    expect(points(await market.get(`${PATH}/history?keep_outliers=true`))).toEqual([9000, 102, 99, 101, 100]);
    expect(points(await market.get(`${PATH}/history?include_expired=true&keep_outliers=true`))).toEqual([95, 9000, 102, 99, 101, 100]);
    expect(points(await market.get(`${PATH}/history?include_expired=true&keep_outliers=true&days=30`))).toEqual([
      90, 95, 9000, 102, 99, 101, 100,
    ]);
  });

  it('returns an empty history for a tracked item that was never listed', async () => {
    const { body: tracked } = await market.get('/v1/market/interest-items');
    const name = tracked.items.find((item: string) => item !== 'Sun Sap' && item !== 'Bardium');
    const { status, body } = await market.get(`/v1/market/items/${encodeURIComponent(name)}/history`);
    expect([status, body.points, body.outliers_min_price]).toEqual([200, [], null]);
  });

  it.each(['summary', 'history', 'timeline'])('returns 404 with the nearest names for an unknown item: %s', async (part) => {
    const { status, body } = await market.get(`/v1/market/items/Sun%20Sapp/${part}`);
    expect([status, body.error.code, body.error.details.name]).toEqual([404, 'not_found', 'Sun Sapp']);
    expect(body.error.details.nearest[0]).toBe('Sun Sap');
    expect(body.error.hint).toContain('did you mean Sun Sap');
    const other = await market.get(`/v1/market/items/qqqqqqqqqqqqqq/${part}`);
    expect([other.status, other.body.error.details.nearest]).toEqual([404, []]);
  });

  it.each(['summary', 'history', 'timeline'])('matches the name in any case, trimmed: %s', async (part) => {
    const { body } = await market.get(`/v1/market/items/Sun%20Sap/${part}`);
    expect((await market.get(`/v1/market/items/%20SUN%20sap%20/${part}`)).body).toEqual(body);
  });

  it.each(['days=0', 'days=31', 'include_expired=maybe', 'keep_outliers=x'])('returns 422 for %s', async (query) => {
    expect((await market.get(`${PATH}/history?${query}`)).status).toBe(422);
  });

  it.each(['x', btoa('[1]'), btoa('["a","b"]')])('returns 400 for the cursor %j', async (cursor) => {
    expect((await market.get(`${PATH}/history?cursor=${cursor}`)).status).toBe(400);
  });

  it('returns quartiles in the timeline, including expired listings', async () => {
    const { body } = await market.get(`${PATH}/timeline`);
    expect(body).toMatchObject({ name: 'Sun Sap', days: 14, bucket_hours: 24, truncated: false });
    expect(body.points.map(({ listings }: { listings: number }) => listings)).toEqual([1, 1, 5]);
    expect(body.points[2]).toEqual({ bucket: NOW - (NOW % DAY), listings: 5, stack: 10, p25: 50, p50: 50.5, p75: 51 });
    const hours = await market.get(`${PATH}/timeline?days=1&bucket_hours=1`);
    expect(hours.body.points).toHaveLength(5);
    for (const query of ['days=0', 'days=3651', 'bucket_hours=0', 'bucket_hours=169']) {
      expect((await market.get(`${PATH}/timeline?${query}`)).status).toBe(422);
    }
  });
});

describe('paging through a price history', () => {
  beforeEach(clearMarket);

  it('continues after the previous page while listings arrive', async () => {
    const market = await openMarket();
    const listing = (serial: number, createdAt: number) => listingOf({ createdAt, serial, price: 5 });
    const listings = Array.from({ length: 5100 }, (_, serial) => listing(serial, NOW - 5200 + Math.floor(serial / 3)));
    await createMarketInserts(db).save(listings, NOW);
    const first = await market.get(`${PATH}/history`);
    expect([first.body.count, first.body.truncated]).toEqual([5000, true]);
    await createMarketInserts(db).save([listing(1, NOW - 5100), listing(9000, NOW - 1)], NOW + 1);
    const rest = await market.get(nextPath(first) ?? '', NOW + 1);
    expect([rest.body.count, rest.body.truncated, nextPath(rest)]).toEqual([101, false, null]);
    expect(rest.body.points[0].created_at).toBe(NOW - 5200 + Math.floor(5000 / 3));
  });
});
