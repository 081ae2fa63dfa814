import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMarketInserts } from '../../src/areas/market/insert.store.ts';
import { bundledInterestItems } from '../../src/areas/misc/interest-items.data.ts';
import { randomBelow, seededRandom } from '../../src/platform/kit/random.ts';
import { bearer } from '../support/requests.ts';
import { createSuperuserToken, createToken } from '../support/tokens.ts';
import { archiverOver, clear, DAY, NOW } from '../worker/market/archiving.ts';
import { db, formOf, listingOf } from '../worker/market/market.ts';
import { createAges } from './years.ts';

/** Listings in total; `MARKET_LISTINGS=<number>` in the environment for a shorter test with as many days. */
const LISTINGS = Number((env as { MARKET_LISTINGS?: string }).MARKET_LISTINGS ?? 2_000_000);
const YEARS_DAYS = 1095;
const PER_DAY = Math.ceil(LISTINGS / YEARS_DAYS);
/** Days after which the longest window of the statistics, twice 30 days, is full; and of the first measurement. */
const FIRST_MONTH = 30;
const WINDOW_FULL = 65;
const KEEP_DAYS = 400;
/** Each has at least five new listings a day. */
const ITEMS = bundledInterestItems.slice(0, Math.min(100, Math.max(1, Math.floor(PER_DAY / 5))));
/** Larger than the default, for fewer statements in a test. */
const ARCHIVE_BATCH = 20_000;

const startOf = (day: number) => NOW - (YEARS_DAYS - day) * DAY;

/** The new listings of a day, the same in each run. */
function listingsOf(day: number) {
  const random = seededRandom(day);
  return Array.from({ length: PER_DAY }, (_, serial) => {
    const createdAt = startOf(day) + Math.floor((serial * DAY) / PER_DAY);
    const stack = 1 + randomBelow(random, 50);
    const price = 1000 + randomBelow(random, 5000);
    const name = ITEMS[serial % ITEMS.length] ?? '';
    return listingOf({ createdAt, serial, name, stack, price });
  });
}

/** The listings of a dump at the end of a day: the new ones, and half of those of the day before. */
const dumpOf = (day: number) => [...listingsOf(day - 1).slice(PER_DAY / 2), ...listingsOf(day)];

describe(`a market of ${LISTINGS} listings in three years`, () => {
  let clock = NOW;
  const ages = createAges(() => clock);
  let sums: Record<'stored' | 'counted' | 'archived' | 'folded', number> | null = null;
  let databaseBytes = 0;

  const archive = (now: number) => archiverOver(db, env.ARCHIVE, ARCHIVE_BATCH).run(KEEP_DAYS, now, new AbortController().signal);

  async function fill(from: number, to: number): Promise<void> {
    const inserts = createMarketInserts(db);
    for (let day = from; day < to; day += 1) {
      await inserts.save(dumpOf(day), startOf(day + 1));
      if (day % 30 === 0) await archive(startOf(day + 1));
    }
  }

  /** Measures the dump of a day, then the reads after it. */
  async function measureAt(age: string, day: number): Promise<void> {
    clock = startOf(day + 1);
    const master = bearer(await createSuperuserToken());
    const authorization = bearer(await createToken({ scopes: 1024 }));
    const lines = dumpOf(day).map(({ id, name, stack, price }) => `${id};${name};;${stack};${price}`);
    const body = formOf(lines.join('\n'));
    await ages.note(age, 'POST /v1/market/insert', { method: 'POST', authorization: master, body }, '/v1/market/insert', 1);
    const item = `/v1/market/items/${encodeURIComponent(ITEMS[0] ?? '')}`;
    const paths = [
      ...['/v1/market/listings', '/v1/market/listings?sort=-price&hide_expired=false', '/v1/market/items', `${item}/summary`],
      ...[`${item}/history?days=7`, `${item}/timeline?days=7`, '/v1/market/summaries', '/v1/market/analytics/overview?days=7'],
      ...['/v1/market/analytics/movers?days=7', '/v1/market/analytics/deals?days=7'],
    ];
    for (const path of paths) await ages.note(age, path, { authorization });
  }

  beforeAll(async () => {
    await clear();
    let filled = 1;
    for (const [age, day] of [
      ['first month', FIRST_MONTH],
      ['third month', WINDOW_FULL],
      ['three years', YEARS_DAYS - 1],
    ] as const) {
      await fill(filled, day);
      await measureAt(age, day);
      filled = day + 1;
    }
    const row = await env.DB.prepare(
      `SELECT (SELECT count(*) FROM market_listings) AS stored, (SELECT listings FROM market_state) AS counted,
        (SELECT sum(listings) FROM market_archive WHERE stage = 'done') AS archived, (SELECT sum(listings) FROM market_days) AS folded`,
    ).run<NonNullable<typeof sums>>();
    sums = row.results[0] ?? null;
    databaseBytes = row.meta.size_after;
    await ages.print(`a market of ${LISTINGS} listings`, [`YEARS ${JSON.stringify({ ...sums, databaseBytes })}`]);
  }, 24 * 3_600_000);

  it('stores, archives and folds each listing once', () => {
    const { stored = 0, counted, archived = 0, folded } = sums ?? {};
    expect(stored).toBe(counted);
    expect(archived).toBeGreaterThan(LISTINGS / 2);
    expect(folded).toBe(archived);
    // Half of the listings of the day before the first are in its dump.
    expect(stored + archived).toBe(PER_DAY * (YEARS_DAYS - 1) + Math.ceil(PER_DAY / 2));
  });

  it('costs no more to read than in its first month', () => {
    expect(ages.grown('first month', 'three years', /^\//)).toEqual([]);
  });

  it('costs no more to insert into than once the window of the statistics is full', () => {
    expect(ages.grown('third month', 'three years')).toEqual([]);
  });
});
