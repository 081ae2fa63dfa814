import { env } from 'cloudflare:workers';
import { createMarketArchiver } from '../../../src/areas/market/archive.service.ts';
import { createMarketArchiveStore } from '../../../src/areas/market/archive.store.ts';
import { createMarketInserts, createMarketResets } from '../../../src/areas/market/insert.store.ts';
import { marketArchive, marketDays, marketItems, marketListings, marketState } from '../../../src/areas/market/market.tables.ts';
import { randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { snapshotTables } from '../../support/table-snapshot.ts';
import { clearMarket, db, listingOf } from './market.ts';

export const DAY = 86_400;
/** 2026-03-10 15:30:30 UTC. */
export const NOW = 1_773_156_630;
export const NAMES = ['Bardium', 'Sun Sap'];
const KEEP_DAYS = 100;

/** Listings of seven months; those of September and October 2025 and of the first days of November are older than 100 days. */
export function someListings(seed: number, count: number) {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, serial) => {
    const createdAt = NOW - randomBelow(random, 180 * DAY);
    const price = 1 + randomBelow(random, 900);
    const stack = 1 + randomBelow(random, 9);
    const name = NAMES[serial % 2] ?? '';
    return listingOf({ createdAt, serial, name, stack, price });
  });
}

/** Listings of equally many days, every `step` days, from now to 180 days ago. */
export const listingsEvery = (step: number, count: number) =>
  Array.from({ length: count }, (_, serial) => {
    const createdAt = NOW - (serial % (180 / step + 1)) * step * DAY - serial;
    return listingOf({ createdAt, serial, name: NAMES[serial % 2] ?? '', stack: 1 + (serial % 9), price: 1 + ((serial * 37) % 900) });
  });

/** A binding whose `n`-th call fails, before or after it has run. */
export class Killer {
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

export function killable(killer: Killer) {
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

export function archiverOver(database = db, bucket: R2Bucket = env.ARCHIVE, batchSize = 20) {
  const store = createMarketArchiveStore(database);
  return createMarketArchiver({ store, bucket, resets: createMarketResets(database, batchSize), newId: () => crypto.randomUUID() });
}

export const run = (archiver = archiverOver(), keepDays = KEEP_DAYS) => archiver.run(keepDays, NOW, new AbortController().signal);

/** The listings of a month's file. */
async function readFile(key: string) {
  const object = await env.ARCHIVE.get(key);
  const text = object ? await new Response(object.body.pipeThrough(new DecompressionStream('gzip'))).text() : '';
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as { id: string; name: string; created_at: number; price: number });
}

/** Everything that archiving changes. */
export async function stateOf() {
  const [months, days, listings, items, [state]] = await db.batch([
    db.select().from(marketArchive).orderBy(marketArchive.month),
    db.select().from(marketDays).orderBy(marketDays.name, marketDays.day),
    db.select({ id: marketListings.id }).from(marketListings).orderBy(marketListings.id),
    db.select().from(marketItems).orderBy(marketItems.name),
    db.select().from(marketState),
  ]);
  const files = await Promise.all(months.map(({ key }) => readFile(key)));
  return {
    months: months.map(({ month, listings: count, stage }) => ({ month, count, stage })),
    files: files.map((lines) => lines.map(({ id }) => id)),
    days,
    listings,
    items,
    state: { listings: state?.listings, archivedUntil: state?.archivedUntil },
  };
}

/** Saves the market; returns a function that restores it. Files are not restored. */
export const snapshot = () => snapshotTables(['market_listings', 'market_items', 'market_state', 'market_days', 'market_archive']);

export async function clear(): Promise<void> {
  await clearMarket();
  await db.batch([db.delete(marketDays), db.delete(marketArchive)]);
}

export async function store(listings: ReturnType<typeof someListings>): Promise<void> {
  await createMarketInserts(db).save(listings, NOW);
}
