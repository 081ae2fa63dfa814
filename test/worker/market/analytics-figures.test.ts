import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAnalyticsStore, createAnalyticsWriter } from '../../../src/areas/market/analytics.store.ts';
import type { DumpListing } from '../../../src/areas/market/insert.domain.ts';
import { createMarketInserts, createMarketResets } from '../../../src/areas/market/insert.store.ts';
import { randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { interruptedDatabase } from '../../support/d1/interrupted-database.ts';
import { measure } from '../../support/meter.ts';
import { clearMarket, db, idAt, listingOf, NOW } from './market.ts';

const DAY = 86_400;
const HOUR = 3600;
const NAMES = ['Ärmel', 'Bardium', 'Sun Sap', 'Zebra'];

type Seen = DumpListing & { lastSeen: number };

const inserts = createMarketInserts(db);
const writer = createAnalyticsWriter(db);
/** Statistics as a new isolate reads them. */
const read = (days: number) => createAnalyticsStore(db).analyze(days, NOW);

/** A market of 70 days with equal prices, listings of one instant and of exactly a window's start. */
function randomMarket(seed: number, size: number): Seen[] {
  const random = seededRandom(seed);
  const below = (limit: number) => randomBelow(random, limit);
  return Array.from({ length: size }, (_, serial) => {
    const createdAt = NOW - (below(5) === 0 ? (1 + below(61)) * DAY : 1 + below(70 * DAY));
    const stack = 1 + below(20);
    const price = stack * (1 + below(30));
    const seen = below(3) === 0 ? Math.max(createdAt, NOW - below(4 * HOUR)) : createdAt + below(7 * DAY);
    const name = NAMES[below(NAMES.length)] ?? '';
    return { ...listingOf({ createdAt, serial, name, stack, price }), lastSeen: Math.min(seen, NOW) };
  });
}

async function store(listings: readonly Seen[]): Promise<void> {
  const byTime = Map.groupBy(listings, ({ lastSeen }) => lastSeen);
  for (const [lastSeen, seen] of [...byTime].sort(([one], [other]) => one - other)) await inserts.save(seen, lastSeen);
}

/** The mean of the middle two values. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return ((sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN) + (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN)) / 2;
}

const sum = <Item>(items: readonly Item[], figureOf: (item: Item) => number) => items.reduce((total, item) => total + figureOf(item), 0);
const milliOf = ({ milliEach }: Seen) => milliEach;

/** The same statistics from the definitions of the endpoints, listing by listing. */
function expectedOf(market: readonly Seen[], days: number) {
  const isActive = ({ createdAt, lastSeen }: Seen) => lastSeen >= NOW - 3 * HOUR && createdAt >= NOW - 7 * DAY;
  const byName = (listings: readonly Seen[]) =>
    NAMES.toSorted((one, other) => (one < other ? -1 : 1)).map((name) => ({ name, own: listings.filter((one) => one.name === name) }));
  const createdIn = (from: number, to: number) => market.filter(({ createdAt }) => createdAt >= from && createdAt < to);
  const window = createdIn(NOW - days * DAY, NOW);
  const prior = createdIn(NOW - 2 * days * DAY, NOW - days * DAY);
  const volume = byName(window)
    .filter(({ own }) => own.length > 0)
    .map(({ name, own }) => ({
      name,
      listings: own.length,
      units: sum(own, ({ stack }) => stack),
      totalValue: sum(own, ({ price }) => price),
      medianMilli: medianOf(own.map(milliOf)),
    }));
  const moves = byName(window).flatMap(({ name, own }) => {
    const before = prior.filter((one) => one.name === name);
    if (own.length < 5 || before.length < 5) return [];
    const [recentMilli, priorMilli] = [medianOf(own.map(milliOf)), medianOf(before.map(milliOf))];
    return [{ name, recentMilli, priorMilli, recentCount: own.length, priorCount: before.length }];
  });
  const ended = market.filter(({ lastSeen }) => lastSeen >= NOW - days * DAY && lastSeen < NOW - 3 * HOUR);
  const liquidity = byName(ended).flatMap(({ name, own }) => {
    const sold = own.filter(({ createdAt, lastSeen }) => lastSeen - createdAt < 7 * DAY - 3 * HOUR);
    const medianSecondsToSell = sold.length === 0 ? null : medianOf(sold.map(({ createdAt, lastSeen }) => lastSeen - createdAt));
    if (own.length < 5) return [];
    return [{ name, concluded: own.length, sold: sold.length, soldUnits: sum(sold, ({ stack }) => stack), medianSecondsToSell }];
  });
  const sizeOf = (move: { recentMilli: number; priorMilli: number }) => Math.abs(move.recentMilli - move.priorMilli) / move.priorMilli;
  const recent = market.filter((one) => isActive(one) && one.createdAt >= NOW - Math.min(days, 7) * DAY);
  const deals = recent
    .map((one) => ({ ...one, medianMilli: medianOf(recent.filter(({ name }) => name === one.name).map(milliOf)) }))
    .filter(({ name }) => recent.filter((one) => one.name === name).length >= 5)
    .filter(({ milliEach, medianMilli }) => milliEach <= medianMilli * 0.95)
    .sort((one, other) => one.milliEach / one.medianMilli - other.milliEach / other.medianMilli || (one.id < other.id ? -1 : 1))
    .map(({ id, medianMilli }) => [id, medianMilli]);
  return {
    active: byName(market.filter(isActive))
      .filter(({ own }) => own.length > 0)
      .map(({ name, own }) => [name, own.length, sum(own, milliOf), medianOf(own.map(milliOf))]),
    moves: moves.sort((one, other) => sizeOf(other) - sizeOf(one)),
    volume: volume.sort((one, other) => other.listings - one.listings || other.units - one.units),
    liquidity: liquidity.sort((one, other) => other.sold / other.concluded - one.sold / one.concluded || other.concluded - one.concluded),
    deals: deals.slice(0, 200),
  };
}

describe('statistics of random markets', () => {
  beforeEach(clearMarket);

  it.each([1, 2])('equal their definitions for every window (seed %i)', async (seed) => {
    const market = randomMarket(seed, 300);
    await store(market);
    await writer.refresh(NOW);
    for (let days = 1; days <= 30; days += 1) {
      const { active, deals, asOf, ...figures } = await read(days);
      const found = {
        active: active.map(({ name, count, sumMilli, medianMilli }) => [name, count, sumMilli, medianMilli]),
        ...figures,
        deals: deals.map(({ id, medianMilli }) => [id, medianMilli]),
      };
      expect({ days, asOf, ...found }).toEqual({ days, asOf: NOW, ...expectedOf(market, days) });
    }
  });
});

describe('stored statistics', () => {
  beforeEach(async () => {
    await clearMarket();
    await store(randomMarket(3, 60));
  });

  it('are computed again by the job when the market has changed, or after 15 minutes', async () => {
    const rowsWritten = async (now: number) => (await measure(() => writer.refresh(now))).usage['D1 rows written'];
    expect(await rowsWritten(NOW)).toBeGreaterThan(0);
    expect(await rowsWritten(NOW + 14 * 60)).toBe(0);
    expect(await rowsWritten(NOW + 15 * 60)).toBeGreaterThan(0);
    expect((await read(7)).asOf).toBe(NOW + 15 * 60);
    await createMarketResets(db).deleteAll();
    await writer.refresh(NOW + 15 * 60);
    expect(await read(7)).toMatchObject({ active: [], deals: [], moves: [], volume: [], liquidity: [] });
  });

  it('are not replaced by those of an older state of the market', async () => {
    const { binding, interrupt } = interruptedDatabase();
    const slow = createAnalyticsWriter(createDatabase(binding));
    const late: Seen = { ...listingOf({ createdAt: NOW, serial: 9999, name: 'Zebra', price: 7 }), lastSeen: NOW };
    interrupt(/market_live_name/, async () => {
      await inserts.save([late], NOW);
      await writer.refresh(NOW);
    });
    await slow.refresh(NOW);
    const active = (await read(1)).active.find(({ name }) => name === 'Zebra');
    expect(active?.minMilli).toBeLessThanOrEqual(7000);
    const [row] = (await env.DB.prepare('SELECT revision = (SELECT revision FROM market_state) AS isCurrent FROM market_analytics').all())
      .results;
    expect(row?.isCurrent).toBe(1);
  });
});

describe('rows of a market dump', () => {
  beforeEach(clearMarket);

  it('writes three rows for a known listing, and all indexes for one that counted as expired', async () => {
    const listings = randomMarket(4, 50).map((listing) => ({ ...listing, createdAt: NOW - DAY, lastSeen: NOW }));
    await inserts.save(listings, NOW);
    const rowsOf = async (seenAt: number) => (await measure(() => inserts.save(listings, seenAt))).usage['D1 rows written'];
    const overhead = 5;
    expect(await rowsOf(NOW + HOUR)).toBeLessThanOrEqual(3 * listings.length + overhead);
    await inserts.save([{ ...(listings[0] as Seen), id: idAt(NOW + DAY, 1) }], NOW + DAY);
    await inserts.save(listings, NOW + DAY + 1);
    const { results } = await env.DB.prepare('SELECT DISTINCT live FROM market_listings WHERE last_seen = ?')
      .bind(NOW + DAY + 1)
      .all();
    expect(results).toEqual([{ live: 1 }]);
  });
});
