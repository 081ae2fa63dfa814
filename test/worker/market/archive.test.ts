import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMarketArchiver } from '../../../src/areas/market/archive.service.ts';
import { createMarketArchiveStore } from '../../../src/areas/market/archive.store.ts';
import { createMarketInserts, createMarketResets } from '../../../src/areas/market/insert.store.ts';
import { marketArchive, marketDays, marketItems, marketListings, marketState } from '../../../src/areas/market/market.tables.ts';
import { timelineOf } from '../../../src/areas/market/prices.domain.ts';
import { randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { clearMarket, db, idAt, openMarket } from './market.ts';

const DAY = 86_400;
/** 2026-03-10 15:30:30 UTC. */
const NOW = 1_773_156_630;
const NAMES = ['Bardium', 'Sun Sap'];
const KEEP_DAYS = 100;

/** Listings of seven months; those of September and October 2025 and of the first days of November are older than 100 days. */
function someListings(seed: number, count: number) {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, serial) => {
    const createdAt = NOW - randomBelow(random, 180 * DAY);
    const price = 1 + randomBelow(random, 900);
    const stack = 1 + randomBelow(random, 9);
    const name = NAMES[serial % 2] ?? '';
    return { id: idAt(createdAt, serial), name, type: null, stack, price, milliEach: Math.round((price * 1000) / stack), createdAt };
  });
}

/** A binding whose `n`-th call fails, before or after it has run. */
class Killer {
  calls = 0;
  at = Number.POSITIVE_INFINITY;
  runs = false;

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    this.calls += 1;
    if (this.calls !== this.at) return work();
    if (this.runs) await work();
    throw new Error('killed');
  }
}

function killable(killer: Killer) {
  const statement = (inner: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(inner, {
      get(target, property) {
        if (property === 'inner') return target;
        if (property === 'bind') return (...values: unknown[]) => statement(target.bind(...values));
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? (...input: unknown[]) => killer.pass(() => value.apply(target, input)) : value;
      },
    });
  const binding = {
    prepare: (text: string) => statement(env.DB.prepare(text)),
    batch: (statements: (D1PreparedStatement & { inner: D1PreparedStatement })[]) =>
      killer.pass(() => env.DB.batch(statements.map(({ inner }) => inner))),
  };
  const bucket = new Proxy(env.ARCHIVE, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? (...input: unknown[]) => killer.pass(() => value.apply(target, input)) : value;
    },
  });
  return { db: createDatabase(binding as unknown as D1Database), bucket };
}

function archiverOver(database = db, bucket: R2Bucket = env.ARCHIVE, batchSize = 20) {
  const store = createMarketArchiveStore(database);
  return createMarketArchiver({ store, bucket, resets: createMarketResets(database, batchSize), newId: () => crypto.randomUUID() });
}

const run = (archiver = archiverOver(), keepDays = KEEP_DAYS) => archiver.run(keepDays, NOW, new AbortController().signal);

/** The listings of a month's file. */
async function readFile(month: string) {
  const archived = await createMarketArchiveStore(db).find(month);
  const object = await env.ARCHIVE.get(archived?.key ?? '');
  const text = object ? await new Response(object.body.pipeThrough(new DecompressionStream('gzip'))).text() : '';
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as { id: string; name: string; created_at: number; price: number });
}

/** Everything that archiving changes. */
async function stateOf() {
  const [months, days, listings, items, [state]] = await db.batch([
    db.select().from(marketArchive).orderBy(marketArchive.month),
    db.select().from(marketDays).orderBy(marketDays.name, marketDays.day),
    db.select({ id: marketListings.id }).from(marketListings).orderBy(marketListings.id),
    db.select().from(marketItems).orderBy(marketItems.name),
    db.select().from(marketState),
  ]);
  const files = await Promise.all(months.map(({ month }) => readFile(month)));
  return {
    months: months.map(({ month, listings: count, stage }) => ({ month, count, stage })),
    files: files.map((lines) => lines.map(({ id }) => id)),
    days,
    listings,
    items,
    state: { listings: state?.listings, archivedUntil: state?.archivedUntil },
  };
}

async function clear(): Promise<void> {
  await clearMarket();
  await db.batch([db.delete(marketDays), db.delete(marketArchive)]);
}

async function store(listings: ReturnType<typeof someListings>): Promise<void> {
  await createMarketInserts(db).save(listings, NOW);
}

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

  it('ends in the same state after an interruption before or after any call', async () => {
    const listings = someListings(4, 90);
    await store(listings);
    await run();
    const expected = await stateOf();
    const counting = new Killer();
    await clear();
    await store(listings);
    const counted = killable(counting);
    await run(archiverOver(counted.db, counted.bucket));
    for (const runs of [false, true]) {
      for (let at = 1; at <= counting.calls; at += 1) {
        await clear();
        await store(listings);
        const killer = Object.assign(new Killer(), { at, runs });
        const { db: database, bucket } = killable(killer);
        await run(archiverOver(database, bucket)).catch(() => {});
        await run();
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
