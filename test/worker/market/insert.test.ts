import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createIngestLog } from '../../../src/areas/ingest/ingest.store.ts';
import { createRawDumps } from '../../../src/areas/market/insert.store.ts';
import { marketItems, marketListings, marketState } from '../../../src/areas/market/market.tables.ts';
import { withJson } from '../../support/calculators.ts';
import { bearer, call } from '../../support/requests.ts';
import { storedState } from '../../support/storage.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { clearMarket, db, formOf, lineOf, NOW, openMarket } from './market.ts';

beforeEach(clearMarket);

describe('POST /v1/market/insert', () => {
  it('stores the listings of tracked items', async () => {
    const { insertText, get } = await openMarket();
    const text = [
      '5f0f8e80-6a1c-11ef-9a3e-01005161a8df;Sun Sap;Crafting;250;40000',
      lineOf({ serial: 1, name: 'Nothing Anybody Tracks' }),
      lineOf({ serial: 2, price: 0 }),
    ].join('\n');
    const { status, body } = await insertText(text, 1_725_389_155);
    expect([status, body]).toEqual([200, { parsed: 2, imported: 1, ignored_not_in_list: 1, last_seen: 1_725_389_155 }]);
    expect((await get('listings', 1_725_389_155)).body).toEqual({
      items: [
        {
          id: '5f0f8e80-6a1c-11ef-9a3e-01005161a8df',
          name: 'Sun Sap',
          type: 'Crafting',
          stack: 250,
          price: 40_000,
          price_each: 160,
          last_seen: 1_725_389_155,
          created_at: 1_725_385_555,
          expires_at: 1_725_990_355,
          expired: false,
          image_url: null,
        },
      ],
      count: 1,
      total: 1,
      sort: '-last_seen',
    });
  });

  it('updates only last_seen of a known listing', async () => {
    const { insert, get } = await openMarket();
    await insert([{ price: 100 }]);
    await insert([{ price: 999, stack: 7, name: 'Bardium', type: '' }], NOW + 600);
    const { body } = await get('listings', NOW + 600);
    expect(body.items).toMatchObject([{ name: 'Sun Sap', type: 'Crafting', price: 100, stack: 1, last_seen: NOW + 600 }]);
    expect((await get('items')).body).toEqual({ items: ['Sun Sap'], count: 1, image_urls: {} });
  });

  it('never decreases last_seen', async () => {
    const { insert, get } = await openMarket();
    await insert([{}]);
    const { body } = await insert([{}, { serial: 1 }], NOW, `?timestamp=${NOW - 1000}`);
    expect(body).toMatchObject({ imported: 2, last_seen: NOW - 1000 });
    expect((await get('listings')).body.items.map(({ last_seen }: { last_seen: number }) => last_seen)).toEqual([NOW, NOW - 1000]);
  });

  it('is idempotent', async () => {
    const { insert } = await openMarket();
    const offers = [{}, { serial: 1, name: 'Bardium' }, { serial: 2 }];
    const first = await insert(offers);
    const market = () => Promise.all([db.select().from(marketListings), db.select().from(marketItems), db.select().from(marketState)]);
    const stored = await market();
    expect((await insert(offers)).body).toEqual(first.body);
    expect(await market()).toEqual(stored);
    expect(stored[1]).toEqual([
      { name: 'Bardium', listings: 1 },
      { name: 'Sun Sap', listings: 2 },
    ]);
    expect(stored[2]).toEqual([{ id: 1, revision: 1, insertSeen: NOW, newestSeen: NOW, archivedUntil: null, listings: 3, live: 3 }]);
  });

  it('accepts concurrent inserts of the same listings', async () => {
    const offers = Array.from({ length: 300 }, (_, serial) => ({ serial }));
    const [one, two, three] = await Promise.all([openMarket(), openMarket(), openMarket()]);
    const inserts = [one.insert(offers.slice(0, 200)), two.insert(offers.slice(100)), three.insert(offers, NOW + 60)];
    expect((await Promise.all(inserts)).map(({ body }) => body.imported)).toEqual([200, 200, 300]);
    const [state] = await db.select().from(marketState);
    expect(state).toMatchObject({ listings: 300, live: 300, newestSeen: NOW + 60 });
    expect(await db.select().from(marketItems)).toEqual([{ name: 'Sun Sap', listings: 300 }]);
    const rows = await db.select().from(marketListings);
    expect(new Set(rows.map(({ lastSeen }) => lastSeen))).toEqual(new Set([NOW + 60]));
  });

  it('stores the upload identically whether it arrives chunked or at once', async () => {
    const { insert, get } = await openMarket();
    const offers = Array.from({ length: 12_000 }, (_, serial) => ({ serial, type: 'x'.repeat(60) }));
    expect((await insert(offers)).body).toMatchObject({ parsed: 12_000, imported: 12_000 });
    expect((await get('listings?limit=1')).body.total).toBe(12_000);
  });

  it('stores nothing and does not start the cooldown if the dump has no listing', async () => {
    const market = await openMarket(testApp());
    const { status, body } = await market.insertText('done = true\n# nothing');
    expect([status, body]).toEqual([200, { parsed: 0, imported: 0, ignored_not_in_list: 0, last_seen: null }]);
    expect((await market.insert([{}])).status).toBe(200);
    expect((await market.insert([{}])).status).toBe(429);
  });

  it('replaces invalid UTF-8 with the replacement character', async () => {
    const { master, fetch } = await openMarket();
    const bytes = new TextEncoder().encode(`${lineOf({})}\n`);
    const form = new FormData();
    form.append('file', new File([new Uint8Array([0xff, 0xfe, 0x0a]), bytes, new Uint8Array([0xc3])], 'x'));
    const response = await call('/v1/market/insert', { method: 'POST', authorization: master, body: form, now: NOW }, fetch);
    expect(withJson(response).body.imported).toBe(1);
  });
});

describe('raw market dumps', () => {
  const keys = async () => (await env.BOARDS.list({ prefix: 'market/' })).objects.map(({ key }) => key);

  it('are stored for 30 days', async () => {
    const { insertText } = await openMarket();
    await Promise.all((await keys()).map((key) => env.BOARDS.delete(key)));
    await insertText('no listing at all', NOW);
    await insertText(lineOf({}), NOW, `?timestamp=${NOW - 31 * 86_400}`);
    const [old, fresh = ''] = await keys();
    expect(old).toContain(`market/00${NOW - 31 * 86_400}-`);
    const object = await env.BOARDS.get(fresh);
    expect(await new Response(object?.body.pipeThrough(new DecompressionStream('gzip'))).text()).toBe('no listing at all');
    await createRawDumps(env.BOARDS).deleteBefore(NOW - 30 * 86_400);
    expect(await keys()).toEqual([fresh]);
  });
});

describe('POST /v1/market/insert errors', () => {
  it.each<[string, number, string, BodyInit | null, string]>([
    ['without a form', 400, '', 'text', 'multipart/form-data'],
    ['without a file', 400, '', new FormData(), 'file'],
    ['with an empty file', 400, '', formOf(''), 'file'],
    ['for the year 1970', 400, '?timestamp=0', formOf(lineOf({})), 'timestamp'],
    ['for the future', 400, `?timestamp=${NOW + 301}`, formOf(lineOf({})), 'timestamp'],
    ['for no time', 422, '?timestamp=soon', formOf(lineOf({})), 'timestamp'],
  ])('%s: returns %i', async (_title, status, query, body, named) => {
    const { master, fetch } = await openMarket();
    const before = await storedMarket();
    const response = withJson(await call(`/v1/market/insert${query}`, { method: 'POST', authorization: master, body, now: NOW }, fetch));
    expect([response.status, response.body.error.message.includes(named)]).toEqual([status, true]);
    expect(await storedMarket()).toBe(before);
  });

  it('returns 403 for an ordinary account and 401 without a token', async () => {
    const { fetch } = await openMarket();
    const post = (authorization: string | null) =>
      call('/v1/market/insert', { method: 'POST', authorization, body: formOf(lineOf({})), now: NOW }, fetch);
    expect((await post(bearer(await createToken()))).status).toBe(403);
    expect((await post(null)).status).toBe(401);
  });

  const storedMarket = async () =>
    JSON.parse(await storedState())
      .filter(([name]: [string]) => name.startsWith('market'))
      .map(String)
      .join();
});

describe('insert log of the market', () => {
  it('records dropped lines and failures', async () => {
    const { insertText, master, fetch } = await openMarket();
    await insertText(`${lineOf({})}\nrubbish;1;2;3;4;5\n${lineOf({ stack: 0 })}\n${lineOf({})}`);
    await call('/v1/market/insert', { method: 'POST', authorization: master, body: formOf(''), now: NOW }, fetch);
    const [failed, stored] = await createIngestLog(db).latest({ limit: 2, endpoint: 'market' });
    expect(stored).toMatchObject({
      now: NOW,
      summary: '1 parsed, 1 imported, 0 not tracked, 3 dropped: line 2 malformed, line 3 zero_stack, line 4 repeated',
      error: null,
      tokenName: 'test',
    });
    expect(failed).toMatchObject({ summary: null, error: expect.stringContaining('file') });
  });
});
