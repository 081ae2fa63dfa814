import { beforeEach, describe, expect, it, vi } from 'vitest';
import { METERS, sumOf, type Usage } from '../../../src/areas/admin/bill/prices.data.ts';
import { createAnalyticsWriter } from '../../../src/areas/market/analytics.store.ts';
import { createMarketInserts } from '../../../src/areas/market/insert.store.ts';
import { CONTENT_COSTS } from '../../scale/unit-costs.data.ts';
import { measure, type Reading } from '../../support/meter.ts';
import { boardLine, capture, dumpOf } from '../leaderboards/dumps.ts';
import { clearMarket, db, listingOf, NOW } from '../market/market.ts';

const HOUR = 3600;
const LISTINGS = 100;

const inserts = createMarketInserts(db);

/** Listings of a dump. */
function listingsFrom(serial: number, createdAt: number) {
  return Array.from({ length: LISTINGS }, (_, index) =>
    listingOf({ createdAt, serial: serial + index, name: `Item ${index % 20}`, stack: 2 }),
  );
}

/** Expects the amounts of the model for `count` units, and at least half of them: a model far above the service is wrong as well. */
function expectNear({ usage }: Reading, costs: Partial<Usage>, count: number): void {
  const meters = METERS.filter((meter) => !['log events', 'object rows read', 'object requests', 'object rows written'].includes(meter));
  const off = meters.filter((meter) => {
    const model = (costs[meter] ?? 0) * count;
    return usage[meter] > model * 1.05 + 10 || usage[meter] < model / 2 - 10;
  });
  expect(off.map((meter) => `${meter}: ${usage[meter] / count} instead of ${costs[meter] ?? 0}`)).toEqual([]);
}

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

describe('bill of a market dump', () => {
  beforeEach(clearMarket);

  it('counts its new, known and ended listings, and its statistics', async () => {
    const first = listingsFrom(0, NOW - HOUR);
    const second = listingsFrom(LISTINGS, NOW - HOUR);
    await inserts.save(second, NOW);
    expectNear(await measure(() => inserts.save(first, NOW)), CONTENT_COSTS.newListing, LISTINGS);
    expectNear(await measure(() => inserts.save([...first, ...second], NOW + 2 * HOUR)), CONTENT_COSTS.knownListing, 2 * LISTINGS);
    const { knownListing, endedListing, statisticsOfListing, statistics } = CONTENT_COSTS;
    const known = sumOf([
      [1, knownListing],
      [1, endedListing],
    ]);
    const refresh = sumOf([
      [2 * LISTINGS, statisticsOfListing],
      [1, statistics],
    ]);
    expectNear(await measure(() => inserts.save(first, NOW + 6 * HOUR)), known, LISTINGS);
    expectNear(await measure(() => createAnalyticsWriter(db).refresh(NOW + 6 * HOUR)), refresh, 1);
  });
});

describe('bill of a leaderboard capture', () => {
  it('counts its boards', async () => {
    const boards = 50;
    const text = (score: number) =>
      dumpOf(
        ...Array.from({ length: boards }, (_, index) =>
          boardLine(5000 + index, [
            [`Player${index}`, score],
            ['Other', 1],
          ]),
        ),
      );
    const at = Math.floor(NOW / HOUR) * HOUR + 660;
    await capture(text(100), at - HOUR);
    const reading = await measure(() => capture(text(200), at));
    expectNear(reading, CONTENT_COSTS.board, boards);
  });
});
