import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createMarketInserts } from '../../src/areas/market/insert.store.ts';
import { timelineOf } from '../../src/areas/market/prices.domain.ts';
import { randomBelow, seededRandom } from '../../src/platform/kit/random.ts';
import { archiverOver, clear, DAY, Killer, killable, NAMES, NOW, run, someListings, stateOf, store } from '../worker/market/archiving.ts';
import { db } from '../worker/market/market.ts';

/** Interrupted runs in total; `ARCHIVE_KILLS=<number>` in the environment for a shorter test. */
const KILLS = Number((env as { ARCHIVE_KILLS?: string }).ARCHIVE_KILLS ?? 1000);
const SEEDS = 10;

/** The figures of the days of all listings, computed from the listings themselves. */
const figuresOf = (listings: ReturnType<typeof someListings>) =>
  NAMES.flatMap((name) =>
    timelineOf(
      listings.filter((listing) => listing.name === name),
      DAY,
    ).map(({ bucket, listings: count, stack, p25, p50, p75 }) => ({ name, day: bucket, count, stack, quartiles: [p25, p50, p75] })),
  );

/** The same figures from the archive, and from the listings that are still stored. */
async function foundFigures() {
  const { days } = await stateOf();
  const archived = days.map(({ name, day, listings: count, stack, milliP25, milliP50, milliP75 }) => {
    return { name, day, count, stack, quartiles: [milliP25, milliP50, milliP75].map((milli) => milli / 1000) };
  });
  const { results } = await env.DB.prepare(
    'SELECT id, name, stack, price, milli_each AS milliEach, created_at AS createdAt FROM market_listings',
  ).all<ReturnType<typeof someListings>[number]>();
  return [...archived, ...figuresOf(results)].sort((one, other) =>
    one.name < other.name || (one.name === other.name && one.day < other.day) ? -1 : 1,
  );
}

describe('archive of listings', () => {
  it(`loses no listing and counts none twice after ${KILLS} interruptions at random calls`, async () => {
    let kills = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const random = seededRandom(seed);
      const listings = someListings(seed, 60 + randomBelow(random, 60));
      await clear();
      await store(listings);
      await run();
      const expected = await stateOf();
      const expectedFigures = figuresOf(listings);
      while (kills < (KILLS * seed) / SEEDS) {
        await clear();
        await store(listings);
        // Up to 30 interruptions of one archive, at any distance, before or after the call has run.
        for (let more = 1 + randomBelow(random, 30); more > 0; more -= 1) {
          const killer = Object.assign(new Killer(), { at: 1 + randomBelow(random, 25), runs: randomBelow(random, 2) === 1 });
          const { db: database, bucket } = killable(killer);
          const wasKilled = await run(archiverOver(database, bucket, 5 + randomBelow(random, 20))).then(
            () => false,
            () => true,
          );
          kills += Number(wasKilled);
          // A dump that arrives in between, also of frozen months.
          if (randomBelow(random, 4) === 0) await createMarketInserts(db).save(listings, NOW);
        }
        await run();
        expect({ seed, kills, state: await stateOf() }).toEqual({ seed, kills, state: expected });
        expect(await foundFigures()).toEqual(expectedFigures);
      }
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  });
});
