import { beforeEach, describe, expect, it } from 'vitest';
import { createIngestLog } from '../../../src/areas/ingest/ingest.store.ts';
import { createMarketResets } from '../../../src/areas/market/insert.store.ts';
import { marketItems, marketListings, marketState } from '../../../src/areas/market/market.tables.ts';
import { withJson } from '../../support/calculators.ts';
import { call } from '../../support/requests.ts';
import { clearMarket, db, NOW, nextPath, openMarket } from './market.ts';

beforeEach(clearMarket);

const OFFERS = [{ serial: 1 }, { serial: 2 }, { serial: 3, name: 'Bardium' }];

async function openWithReset() {
  const market = await openMarket();
  const reset = async (authorization: string | null = market.master, now = NOW) =>
    withJson(await call('/v1/market/reset', { method: 'POST', authorization, now }, market.fetch));
  return { ...market, reset };
}

describe('POST /v1/market/reset', () => {
  it('deletes every listing, effective immediately for every read', async () => {
    const { insert, get, reset } = await openWithReset();
    await insert(OFFERS);
    await insert([{ serial: 4, createdAt: NOW - 8 * 86_400 }], NOW - 600);
    expect((await get('listings?hide_expired=false')).body.total).toBe(4);
    expect(await reset()).toMatchObject({ status: 200, body: { reset: true, removed: 4 } });
    for (const query of ['', '?hide_expired=false', '?name=Bardium&hide_expired=false', '?name=Bardium', '?price_min=1&sort=price']) {
      expect((await get(`listings${query}`)).body, query).toMatchObject({ items: [], count: 0, total: 0 });
    }
    expect((await get('items')).body).toEqual({ items: [], count: 0, image_urls: {} });
    expect((await get('items/Bardium/summary')).status).toBe(404);
    expect((await get('items/Bardium/history?include_expired=true')).body.count).toBe(0);
  });

  it('keeps the tracked items and accepts the next dump as the first', async () => {
    const { insert, get, reset } = await openWithReset();
    const tracked = (await get('interest-items')).body.count;
    await insert(OFFERS);
    await reset();
    expect((await get('interest-items')).body.count).toBe(tracked);
    // Seen earlier than the deleted listings: the reset must also clear their newest last_seen.
    await insert(OFFERS.slice(0, 1), NOW - 86_400);
    const { body } = await get('listings', NOW - 86_400);
    expect([body.total, body.items[0].expired]).toEqual([1, false]);
  });

  it('returns 0 for an empty market', async () => {
    const { reset, insert } = await openWithReset();
    expect((await reset()).body).toEqual({ reset: true, removed: 0 });
    await insert(OFFERS);
    expect((await reset(undefined, NOW + 600)).body).toEqual({ reset: true, removed: 3 });
    expect((await reset(undefined, NOW + 1200)).body).toEqual({ reset: true, removed: 0 });
  });

  it('invalidates older cursors', async () => {
    const { insert, get, reset } = await openWithReset();
    await insert(OFFERS);
    const next = nextPath(await get('listings?limit=1')) ?? '';
    await reset();
    expect((await get(next)).body.items ?? []).toEqual([]);
  });

  it('requires a superuser', async () => {
    const { reset, reader } = await openWithReset();
    expect([(await reset(reader)).status, (await reset(null)).status]).toEqual([403, 401]);
  });

  it('is recorded in the insert log', async () => {
    const { insert, reset } = await openWithReset();
    await insert(OFFERS);
    await reset();
    const [entry] = await createIngestLog(db).latest({ limit: 1, endpoint: 'market-reset' });
    expect(entry).toMatchObject({ now: NOW, summary: '3 listings deleted', error: null });
  });
});

describe('market reset in batches', () => {
  it('keeps counters correct between two batches', async () => {
    const { insert } = await openWithReset();
    await insert([...OFFERS, { serial: 4, name: 'Bardium' }]);
    const resets = createMarketResets(db, 3);
    expect(await resets.deleteBatch()).toBe(3);
    expect(await db.select().from(marketState)).toMatchObject([{ listings: 1, live: 1, newestSeen: NOW }]);
    expect(await db.select().from(marketListings)).toHaveLength(1);
    expect(await resets.deleteAll()).toBe(1);
    expect(await db.select().from(marketState)).toMatchObject([{ listings: 0, live: 0, newestSeen: 0, insertSeen: 0 }]);
    expect(await db.select().from(marketItems)).toEqual([]);
  });
});
