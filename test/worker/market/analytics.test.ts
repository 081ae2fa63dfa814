import { beforeAll, describe, expect, it } from 'vitest';
import { clearMarket, NOW, openMarket } from './market.ts';

const DAY = 86_400;
const HOUR = 3600;

describe('statistics of the market', () => {
  let market: Awaited<ReturnType<typeof openMarket>>;
  beforeAll(async () => {
    await clearMarket();
    market = await openMarket();
    const prior = [14, 15, 16, 17, 18].map((price, index) => ({ serial: 100 + index, price, createdAt: NOW - 9 * DAY }));
    await market.insert(prior, NOW - 8 * DAY);
    // Bardium: four of five listings disappear before their time, one is seen until its end.
    const sold = [1, 2, 3, 4].map((hours, index) => ({
      serial: 200 + index,
      name: 'Bardium',
      stack: 10,
      price: 100,
      createdAt: NOW - 2 * DAY - hours * HOUR,
    }));
    await market.insert([...sold, { serial: 210, name: 'Bardium', price: 10, createdAt: NOW - 9 * DAY }], NOW - 2 * DAY);
    const prices = [10, 12, 20, 22, 30, 40];
    await market.insert([
      ...prices.map((price, index) => ({ serial: index, price, createdAt: NOW - HOUR })),
      { serial: 300, name: 'Bardium', stack: 40, price: 400, createdAt: NOW - HOUR },
    ]);
  });

  const read = async (path: string) => {
    const { status, body } = await market.get(`/v1/market/${path}`);
    expect(status).toBe(200);
    return body;
  };

  it('lists the prices of every item with active listings in one body', async () => {
    const body = await read('summaries');
    expect(body).toEqual({
      items: [
        { name: 'Bardium', count: 1, total_price: 400, total_stack: 40, min_each: 10, max_each: 10, avg_each: 10, median_each: 10 },
        { name: 'Sun Sap', count: 6, total_price: 134, total_stack: 6, min_each: 10, max_each: 40, avg_each: 22.333, median_each: 21 },
      ],
      count: 2,
      missing: [],
      as_of: NOW,
    });
    expect(await read('summaries?names=ALL')).toEqual(body);
    const { image_url, ...single } = await read('items/Sun%20Sap/summary');
    expect(body.items[1]).toEqual(single);
  });

  it('returns 304 for the ETag of every item, and CSV', async () => {
    const { headers } = await market.get('/v1/market/summaries');
    expect(headers.get('Cache-Control')).toContain('max-age=60');
    expect(headers.get('ETag')).toMatch(/^"/);
    const csv = await market.fetch(
      new Request('https://api.test/v1/market/summaries?format=csv', {
        headers: { Authorization: market.reader, 'X-Test-Now': String(NOW), 'CF-Connecting-IP': '10.1.2.3' },
      }),
    );
    expect((await csv.text()).split('\r\n').slice(0, 2)).toEqual([
      'name,count,total_price,total_stack,min_each,max_each,avg_each,median_each',
      'Bardium,1,400,40,10,10,10,10',
    ]);
  });

  it('lists the prices of named items and the names without active listings', async () => {
    const names = encodeURIComponent(' sun SAP ,Bardium,Mount: Amatrix, the Hexed,bardium');
    const body = await read(`summaries?names=${names}`);
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['Bardium', 'Sun Sap']);
    expect(body.missing).toEqual(['Mount: Amatrix', 'the Hexed']);
    await market.insert([{ serial: 400, name: 'Mount: Amatrix, the Hexed', price: 5 }]);
    const listed = await read(`summaries?names=${names}`);
    expect([listed.count, listed.missing]).toEqual([3, []]);
  });

  it('returns 422 for more than 100 names', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `Item ${index}`);
    expect((await market.get(`/v1/market/summaries?names=${encodeURIComponent(names.join(','))}`)).status).toBe(422);
    expect((await read(`summaries?names=${encodeURIComponent(names.slice(1).join(','))}`)).missing).toHaveLength(100);
  });

  it('lists deals below the median', async () => {
    const body = await read('analytics/deals?min_discount=0.25');
    expect(
      body.items.map(({ price, median_each, discount, sample_size }: Record<string, number>) => [
        price,
        median_each,
        discount,
        sample_size,
      ]),
    ).toEqual([
      [10, 21, 0.5238, 6],
      [12, 21, 0.4286, 6],
    ]);
    expect((await read('analytics/deals?min_discount=0.5')).count).toBe(1);
    for (const query of ['min_discount=0.04', 'min_discount=0.96', 'min_discount=x', 'limit=201', 'days=31']) {
      expect((await market.get(`/v1/market/analytics/deals?${query}`)).status).toBe(422);
    }
  });

  it('lists items whose median changed', async () => {
    const body = await read('analytics/movers?days=7');
    expect(body).toEqual({
      risers: [{ name: 'Sun Sap', recent_med: 21, prior_med: 16, recent_n: 6, prior_n: 5, change: 0.3125 }],
      fallers: [],
      days: 7,
      as_of: NOW,
    });
  });

  it('lists the most listed items', async () => {
    const body = await read('analytics/volume?days=3');
    expect(body.items[0]).toEqual({ name: 'Sun Sap', listings: 6, units: 6, total_value: 134, median_each: 21 });
    expect(body.items[1]).toEqual({ name: 'Bardium', listings: 5, units: 80, total_value: 800, median_each: 10 });
  });

  it('lists the share of sold listings and the days of stock', async () => {
    const { items } = await read('analytics/liquidity?days=4');
    expect(items).toEqual([
      {
        name: 'Bardium',
        concluded: 5,
        sold: 4,
        expired: 1,
        sell_through: 0.8,
        median_time_to_sell: 2.5 * HOUR,
        // 40 active units, 40 units sold in four days.
        days_of_stock: 4,
      },
    ]);
  });

  it('returns the totals of active listings with the largest move', async () => {
    const body = await read('analytics/overview');
    expect(body).toMatchObject({ active_listings: 8, active_items: 3, total_value: 539, total_units: 47, days: 7 });
    expect([body.biggest_mover.name, body.most_traded.name]).toEqual(['Sun Sap', 'Sun Sap']);
  });

  it('shows the first rows on a page without a token', async () => {
    const page = await market.fetch(new Request('https://api.test/market', { headers: { 'X-Test-Now': String(NOW) } }));
    const text = await page.text();
    expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=60']);
    expect(text).toMatch(/8 active listings of 3 items, worth 539/);
    expect(text).toMatch(
      /Sun Sap<\/a><\/th><td class="number"[^>]*>16<\/td><td class="number"[^>]*>21<\/td><td class="number"[^>]*>\+31\.[23]\u00a0%<\/td>/,
    );
    expect(text.match(/<tr>/g)?.length).toBeLessThan(60);
  });

  it('is empty without listings', async () => {
    await market.fetch(new Request('https://api.test/v1/market/reset', { method: 'POST', headers: { Authorization: market.master } }));
    expect(await read('summaries')).toMatchObject({ items: [], count: 0 });
    expect(await read('analytics/overview')).toMatchObject({ active_listings: 0, biggest_mover: null, most_traded: null });
    expect((await read('analytics/movers')).risers).toEqual([]);
  });
});
