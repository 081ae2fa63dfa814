import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonReply } from '../../support/calculators.ts';
import { testApp } from '../platform/test-app.ts';
import { clearMarket, idAt, NOW, nextPath, type Offer, openMarket } from './market.ts';

const HOUR = 3600;
const LIFE = 604_800;
const STALE = 10_800;

const idsIn = ({ body }: JsonReply): string[] => body.items.map(({ id }: { id: string }) => id);
const serialsIn = (response: JsonReply): number[] => idsIn(response).map((id) => Number.parseInt(id.slice(-12), 16));

describe('GET /v1/market/listings', () => {
  let market: Awaited<ReturnType<typeof openMarket>>;
  beforeAll(async () => {
    await clearMarket();
    market = await openMarket();
    await market.insert([{ serial: 9, name: 'Bardium', stack: 10, price: 25, createdAt: NOW - 2 * HOUR }], NOW - STALE - 60);
    await market.insert([{ serial: 1, stack: 4, price: 10, createdAt: NOW - 5 * HOUR }], NOW - HOUR);
    await market.insert([
      { serial: 2, stack: 3, price: 30, createdAt: NOW - 4 * HOUR },
      { serial: 3, name: 'Bardium', stack: 5, price: 20, createdAt: NOW - 4 * HOUR },
      { serial: 4, stack: 5, price: 20, createdAt: NOW - LIFE },
      { serial: 5, stack: 1, price: 1, createdAt: NOW - LIFE - 1 },
    ]);
  });

  it.each<[string, number[]]>([
    ['', [4, 2, 3, 1]],
    ['?sort=-last_seen', [4, 2, 3, 1]],
    ['?sort=last_seen', [1, 4, 2, 3]],
    ['?sort=price_each', [1, 4, 3, 2]],
    ['?sort=-price_each', [2, 4, 3, 1]],
    ['?sort=+price', [1, 4, 3, 2]],
    ['?sort=%2Bprice', [1, 4, 3, 2]],
    ['?sort=-price', [2, 4, 3, 1]],
    ['?sort=stack', [2, 1, 4, 3]],
    ['?sort=-stack', [4, 3, 1, 2]],
    ['?sort=created_at', [4, 1, 2, 3]],
    ['?sort=-created_at', [2, 3, 1, 4]],
    ['?sort=name', [3, 4, 2, 1]],
    ['?sort=-name', [4, 2, 1, 3]],
    ['?sort=nonsense', [4, 2, 3, 1]],
    ['?name=Bardium', [3]],
    ['?name=bardium', [3]],
    ['?name=%20SUN%20SAP&sort=price', [1, 4, 2]],
    ['?name=Nothing', []],
    ['?name=Sun%20Sap&sort=price', [1, 4, 2]],
    ['?price_min=4', [4, 2, 3]],
    ['?price_min=4&price_max=4', [4, 3]],
    ['?price_min=2.5001&price_max=9.9999&sort=-price', [4, 3]],
    ['?price_max=2.4999', []],
    ['?price_max=0', []],
    [`?last_seen_after=${NOW - HOUR}`, [4, 2, 3]],
    [`?last_seen_after=${NOW - HOUR - 1}&sort=stack`, [2, 1, 4, 3]],
    [`?last_seen_after=${NOW}`, []],
    ['?hide_expired=false', [5, 4, 2, 3, 1, 9]],
    ['?hide_expired=false&sort=price', [5, 1, 4, 3, 9, 2]],
    ['?hide_expired=false&sort=-stack&limit=3', [9, 4, 3]],
    ['?hide_expired=false&name=Bardium', [3, 9]],
    ['?hide_expired=false&name=Bardium&sort=created_at', [3, 9]],
    ['?hide_expired=false&price_min=2.5&price_max=2.5', [1, 9]],
    ['?limit=2', [2, 3]],
    ['?limit=2&offset=2', [4, 1]],
    ['?offset=4', []],
  ])('returns the matching listings in order for the query "%s"', async (query, serials) => {
    const response = await market.get(`listings${query}`);
    expect([...serialsIn(response)].sort(), query).toEqual([...serials].sort());
    expect(orderKey(response, query)).toEqual(sortedKey(response, query));
    expect(response.body.count).toBe(serials.length);
  });

  it.each([
    ['', '-last_seen'],
    ['?sort=+price', 'price'],
    ['?sort=-name', '-name'],
    ['?sort=nonsense', '-last_seen'],
  ])('returns the applied sort: %s', async (query, sort) => {
    expect((await market.get(`listings${query}`)).body.sort).toBe(sort);
  });

  it('returns the total of matching listings on every page', async () => {
    const total = async (query: string) => (await market.get(`listings${query}`)).body.total;
    expect(await total('?limit=1')).toBe(4);
    expect(await total('?offset=50')).toBe(4);
    expect(await total('?hide_expired=false&limit=1')).toBe(6);
    expect(await total('?hide_expired=false&name=Bardium&limit=1')).toBe(2);
    expect(await total('?name=Sun Sap&limit=1')).toBe(3);
    expect(await total('?price_min=4&sort=stack&limit=1')).toBe(3);
    expect(await total('?name=Nothing&hide_expired=false')).toBe(0);
  });

  it('marks expired listings', async () => {
    const { body } = await market.get('listings?hide_expired=false');
    const expired = Object.fromEntries(
      body.items.map((item: { id: string; expired: boolean }) => [Number.parseInt(item.id.slice(-12), 16), item.expired]),
    );
    expect(expired).toEqual({ 1: false, 2: false, 3: false, 4: false, 5: true, 9: true });
  });

  it('expires listings to the second', async () => {
    expect(serialsIn(await market.get('listings', NOW + 1)).sort()).toEqual([1, 2, 3]);
    expect(serialsIn(await market.get('listings', NOW - HOUR + STALE)).sort()).toEqual([1, 2, 3]);
    expect(serialsIn(await market.get('listings', NOW - HOUR + STALE + 1)).sort()).toEqual([2, 3]);
    // With an earlier clock, listings active at that time are returned.
    expect(serialsIn(await market.get('listings', NOW - 60)).sort()).toEqual([1, 2, 3, 4, 5, 9]);
    expect((await market.get('listings', NOW - 60)).body.total).toBe(6);
  });

  it.each(['', '?name=Sun%20Sap', '?price_min=1&sort=stack', '?last_seen_after=1&sort=name', '?limit=1&hide_expired=true'])(
    'counts listings active at the time of the request: listings%s',
    async (query) => {
      // Listing 4 ends at NOW; listing 1 becomes stale after NOW - HOUR + STALE.
      for (const now of [NOW - 1, NOW, NOW + 1, NOW + 29, NOW - HOUR + STALE, NOW - HOUR + STALE + 1, NOW + 2, NOW]) {
        const { body } = await market.get(`listings${query}`, now);
        const full = await market.get(`listings${query.replace('limit=1', 'limit=1000')}`, now);
        expect(body.total, String(now - NOW)).toBe(full.body.items.length);
      }
    },
  );

  it.each([
    'price_min=-1',
    'price_min=x',
    'price_max=1e3',
    'price_min=1.',
    'limit=0',
    'limit=1001',
    'offset=-1',
    'hide_expired=maybe',
    'last_seen_after=x',
  ])('returns 422 for %s', async (query) => {
    const { status, body } = await market.get(`listings?${query}`);
    expect([status, body.error.details[0].loc]).toEqual([422, ['query', query.split('=')[0]]]);
  });

  it('returns 400 if price_min exceeds price_max', async () => {
    expect((await market.get('listings?price_min=5&price_max=4.999')).status).toBe(400);
    expect((await market.get('listings?price_min=1.0001&price_max=1.0002')).body.items).toEqual([]);
  });

  it('returns a price summary of an item', async () => {
    const { status, body } = await market.get('items/Sun%20Sap/summary');
    expect([status, body]).toEqual([
      200,
      {
        name: 'Sun Sap',
        count: 3,
        total_price: 60,
        total_stack: 12,
        min_each: 2.5,
        max_each: 10,
        avg_each: 5.5,
        median_each: 4,
        image_url: null,
      },
    ]);
    expect((await market.get('items/Sun%20Sap/summary', NOW + LIFE)).status).toBe(404);
    expect((await market.get('items/nothing/summary')).status).toBe(404);
    expect((await market.get('items/a%2Fb%20%E2%82%AC/summary')).status).toBe(404);
  });

  it('returns item names and tracked items', async () => {
    expect((await market.get('items')).body).toEqual({ items: ['Bardium', 'Sun Sap'], count: 2, image_urls: {} });
    const { body } = await market.get('interest-items');
    expect(body).toEqual((await market.get('/v1/misc/interest-items')).body);
    expect(body.count).toBeGreaterThan(300);
  });
});

const FIELDS = ['last_seen', 'price', 'price_each', 'stack', 'created_at', 'name'];

/** Sort value and id of each item. */
function orderKey({ body }: JsonReply, query: string): [string | number, string][] {
  const sort = /sort=(?:%2B|[+-])?(\w+)/.exec(query)?.[1] ?? '';
  const field = FIELDS.includes(sort) ? sort : 'last_seen';
  return body.items.map((item: Record<string, string | number>) => [item[field], item.id]);
}

/** Expected order: by value, equal values by id in either direction. */
function sortedKey(response: JsonReply, query: string): [string | number, string][] {
  const down = /sort=-/.test(query) || !/sort=(?:%2B|\+)?(?:last_seen|price|price_each|stack|created_at|name)(?:&|$)/.test(query);
  const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);
  return orderKey(response, query).sort(([value, id], [otherValue, otherId]) => {
    const order = compare(value, otherValue);
    return order === 0 ? compare(id, otherId) : down ? -order : order;
  });
}

describe('paging through listings', () => {
  const OFFERS: Offer[] = Array.from({ length: 60 }, (_, serial) => ({
    serial,
    name: ['Sun Sap', 'Bardium', 'Bomb'][serial % 3] ?? '',
    stack: 1 + (serial % 4),
    price: 100 + 7 * (serial % 5),
    createdAt: NOW - HOUR - 60 * (serial % 7),
  }));
  beforeEach(clearMarket);

  async function walk(market: Awaited<ReturnType<typeof openMarket>>, query: string, between?: (page: number) => Promise<unknown>) {
    const seen: string[] = [];
    let path: string | null = `/v1/market/listings?limit=11&${query}`;
    for (let page = 0; path !== null; page += 1) {
      const response: JsonReply = await market.get(path, NOW + page);
      expect(response.status, response.text).toBe(200);
      seen.push(...idsIn(response));
      path = nextPath(response);
      await between?.(page);
    }
    return seen;
  }

  it.each(['last_seen', 'price_each', 'created_at', 'price', 'stack', 'name'])(
    'returns every listing once when sorted by %s, like one large page',
    async (field) => {
      const market = await openMarket();
      await market.insert(OFFERS.slice(0, 20), NOW - STALE - 5);
      await market.insert(OFFERS.slice(20, 40), NOW - 60);
      await market.insert(OFFERS.slice(30), NOW);
      const filters = ['sort=', 'sort=-', 'hide_expired=false&sort=-', 'name=Bardium&sort=', 'price_min=50&sort='];
      for (const query of filters.map((filter) => `${filter}${field}`)) {
        const full = idsIn(await market.get(`listings?limit=1000&${query}`));
        expect(await walk(market, query), query).toEqual(full);
        expect(full.length, query).toBeGreaterThan(5);
      }
    },
  );

  it.each(['', 'sort=last_seen', 'name=Bardium', 'hide_expired=false', 'price_min=50', 'sort=price', 'sort=-name'])(
    'returns every listing once while listings arrive and are updated (query "%s")',
    async (query) => {
      const market = await openMarket();
      await market.insert(OFFERS.slice(0, 30), NOW - 120);
      await market.insert(OFFERS.slice(20, 50), NOW - 60);
      const full = idsIn(await market.get(`listings?limit=1000&${query}`));
      // All listings are seen again, and new ones appear.
      const seen = await walk(market, query, async (page) => {
        if (page === 0) await market.insert(OFFERS, NOW);
      });
      const news = new Set(OFFERS.slice(50).map(({ createdAt = 0, serial = 0 }) => idAt(createdAt, serial)));
      expect(seen.filter((id) => !news.has(id))).toEqual(full);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  it('returns 400 for a cursor older than two inserts', async () => {
    const market = await openMarket();
    await market.insert(OFFERS, NOW - 60);
    const first = await market.get('listings?limit=7');
    const byPrice = await market.get('listings?limit=7&sort=price');
    await market.insert(OFFERS, NOW - 30);
    await market.insert(OFFERS, NOW);
    const { status, body } = await market.get(nextPath(first) ?? '');
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('start again')]);
    expect((await market.get(nextPath(byPrice) ?? '')).status).toBe(200);
  });

  it.each([
    'abc',
    'WzFd',
    btoa('["price",1,2,"x"]'),
    btoa('["-last_seen",1,"x","x"]'),
    btoa('["-last_seen",1.5,1,"x"]'),
    btoa('{"length":4}'),
  ])('rejects the cursor %j', async (cursor) => {
    const { get } = await openMarket();
    expect((await get(`listings?cursor=${encodeURIComponent(cursor)}`)).status).toBe(400);
  });

  it('returns 422 for a cursor together with an offset', async () => {
    const { get } = await openMarket();
    expect((await get(`listings?cursor=${btoa('["-last_seen",0,1,"x"]')}&offset=5`)).status).toBe(422);
  });
});

describe('expired listings', () => {
  it('have no archive rate limit by default', async () => {
    const market = await openMarket(testApp());
    for (let read = 0; read < 12; read += 1) {
      const { status, headers } = await market.get('listings?hide_expired=false');
      expect([status, headers.get('X-RateLimit-Archive-Limit')]).toEqual([200, null]);
    }
  });

  it('are rate limited per token when configured', async () => {
    const market = await openMarket(testApp({ settings: { marketArchiveRateLimitMax: 10 } }));
    const paths = ['listings?hide_expired=false', 'items/Bardium/history?include_expired=true'];
    for (let read = 0; read < 10; read += 1) {
      const { status, headers } = await market.get(paths[read % 2] ?? '');
      expect([status, headers.get('X-RateLimit-Archive-Limit'), headers.get('X-RateLimit-Archive-Remaining')]).toEqual([
        200,
        '10',
        String(9 - read),
      ]);
      expect(headers.get('X-RateLimit-Limit')).toBe('120');
      expect(Number(headers.get('X-RateLimit-Archive-Reset'))).toBe(NOW - (NOW % 60) + 60);
    }
    const { status, headers, body } = await market.get(paths[0] ?? '');
    expect([status, body.error.details]).toEqual([429, { limit: 10, window_seconds: 60 }]);
    expect(headers.get('X-RateLimit-Archive-Remaining')).toBe('0');
    expect(headers.get('Retry-After')).toBe('30');
    expect((await market.get('listings')).status).toBe(200);
    expect((await market.get(paths[0] ?? '', NOW + 60)).status).toBe(200);
  });
});

describe('unit prices that binary fractions cannot represent', () => {
  it('are returned by bounds equal to them', async () => {
    await clearMarket();
    const market = await openMarket();
    const offers = [1, 5, 9, 15, 35, 57, 115, 201, 207, 229, 403, 513].map((price, serial) => ({ serial, stack: 200, price }));
    await market.insert(offers);
    const { body } = await market.get('listings?limit=1000');
    for (const { price_each: each, id } of body.items) {
      const found = await market.get(`listings?price_min=${each}&price_max=${each}`);
      expect([each, found.body.items.map((item: { id: string }) => item.id)]).toEqual([each, [id]]);
    }
  });
});
