import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMarketInserts } from '../../../src/areas/market/insert.store.ts';
import { timelineOf } from '../../../src/areas/market/prices.domain.ts';
import {
  archiverOver,
  clear,
  DAY,
  Killer,
  killable,
  listingsEvery,
  NAMES,
  NOW,
  run,
  snapshot,
  someListings,
  stateOf,
  store,
} from './archiving.ts';
import { db, openMarket } from './market.ts';

describe('archive of listings', () => {
  beforeEach(clear);

  it('moves the listings of months that ended 100 days ago to files and figures of their days', async () => {
    const listings = someListings(1, 300);
    await store(listings);
    expect(await run()).toBe(true);
    const { months, files, days, ...left } = await stateOf();
    const isOld = ({ createdAt }: { createdAt: number }) => createdAt < Date.UTC(2025, 10, 1) / 1000;
    const old = listings.filter(isOld);
    expect(months.map(({ month, stage }) => [month, stage])).toEqual([
      ['2025-09', 'done'],
      ['2025-10', 'done'],
    ]);
    expect(files.flat().sort()).toEqual(old.map(({ id }) => id).sort());
    expect(months.reduce((sum, { count }) => sum + count, 0)).toBe(old.length);
    for (const name of NAMES) {
      const own = old.filter((listing) => listing.name === name);
      const found = days.filter((day) => day.name === name);
      expect(found.map(({ day, listings: count, stack, milliP50 }) => [day, count, stack, milliP50 / 1000])).toEqual(
        timelineOf(own, DAY).map(({ bucket, listings: count, stack, p50 }) => [bucket, count, stack, p50]),
      );
      expect(found.reduce((sum, { value }) => sum + value, 0)).toBe(own.reduce((sum, { price }) => sum + price, 0));
    }
    expect(left.listings).toHaveLength(listings.length - old.length);
    expect(left.state).toEqual({ listings: listings.length - old.length, archivedUntil: Date.UTC(2025, 10, 1) / 1000 });
    expect(left.items.map(({ listings: count }) => count)).toEqual(
      NAMES.map((name) => listings.filter((one) => one.name === name && !isOld(one)).length),
    );
    expect(await run()).toBe(false);
  });

  it('keeps everything with market_keep_days 0, and at least 100 days', async () => {
    await store(someListings(2, 50));
    expect(await run(archiverOver(), 0)).toBe(false);
    expect((await stateOf()).months).toEqual([]);
    await run(archiverOver(), 1);
    expect((await stateOf()).months.map(({ month }) => month)).toEqual(['2025-09', '2025-10']);
  });

  it('ignores a late dump of an archived month and deletes rows that a restored backup brought back', async () => {
    const listings = someListings(3, 80);
    await store(listings);
    await run();
    const before = await stateOf();
    await createMarketInserts(db).save(listings, NOW + 10);
    expect(await stateOf()).toEqual(before);
    await env.DB.prepare('UPDATE market_state SET archived_until = NULL').run();
    await createMarketInserts(db).save(listings, NOW + 20);
    await run();
    expect(await stateOf()).toEqual(before);
  });

  // Two days and two deleted batches of a month: more of them repeat the same calls.
  it('ends in the same state after an interruption before or after any call', { timeout: 300_000 }, async () => {
    const batchSize = 6;
    await store(listingsEvery(15, 65));
    const restore = await snapshot();
    const counting = new Killer();
    const counted = killable(counting);
    await run(archiverOver(counted.db, counted.bucket, batchSize));
    const expected = await stateOf();
    expect(expected.days.map(({ day }) => new Date(day * 1000).getUTCDate())).toEqual([11, 26, 11, 26, 11, 26, 11, 26]);
    expect(expected.months.every(({ count }) => count > batchSize && count < 2 * batchSize)).toBe(true);
    for (const runs of [false, true]) {
      for (let at = 1; at <= counting.calls; at += 1) {
        await restore();
        const killer = Object.assign(new Killer(), { at, runs });
        const { db: database, bucket } = killable(killer);
        await run(archiverOver(database, bucket, batchSize)).catch(() => {});
        await run(archiverOver(db, env.ARCHIVE, batchSize));
        expect({ at, runs, state: await stateOf() }).toEqual({ at, runs, state: expected });
      }
    }
  });
});

describe('endpoints of the archive', () => {
  it('list and download months, and show archived days in timelines', async () => {
    await clear();
    await store(someListings(5, 120));
    const market = await openMarket();
    const wide = await market.get(`items/Bardium/timeline?days=200`, NOW);
    await run();
    const { body } = await market.get('archive', NOW);
    expect(body).toMatchObject({ count: 2, items: [{ month: '2025-10' }, { month: '2025-09' }] });
    const file = await market.fetch(
      new Request('https://api.test/v1/market/archive/2025-10', { headers: { Authorization: market.reader, 'X-Test-Now': String(NOW) } }),
    );
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="market-2025-10.jsonl.gz"');
    const bytes = await file.arrayBuffer();
    expect([bytes.byteLength, file.headers.get('ETag')]).toEqual([body.items[0].bytes, `"${body.items[0].sha256}"`]);
    expect((await market.get('archive/2025-11', NOW)).status).toBe(404);
    expect((await market.get('archive/2025-13', NOW)).status).toBe(422);

    const after = await market.get(`items/Bardium/timeline?days=200`, NOW);
    expect(after.body.archived_days).toBeGreaterThan(0);
    expect({ ...after.body, archived_days: 0 }).toEqual(wide.body);
    expect((await market.get('items/Bardium/timeline?days=91&bucket_hours=12', NOW)).status).toBe(422);
  });
});
