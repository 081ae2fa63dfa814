import { type SQL, sql } from 'drizzle-orm';
import { floorDiv, SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { PublicReads } from '../../platform/storage/database.ts';
import { runInOneTransaction } from '../../platform/storage/database.ts';
import { createRevalidatingCaches } from '../../platform/storage/memory-caches.ts';
import { activeSince } from './listings.domain.ts';
import { analyticsRules, listingRules, MAX_ANALYSED_LISTINGS, MAX_ANALYTICS_ROWS, MAX_DEALS } from './market.data.ts';
import { marketListings, marketState } from './market.tables.ts';

/** Active listings of an item. Unit prices are in thousandths; the median of an even count is the mean of the middle two. */
export interface ActiveItem {
  name: string;
  count: number;
  totalPrice: number;
  totalStack: number;
  minMilli: number;
  maxMilli: number;
  sumMilli: number;
  medianMilli: number;
}

/** Medians of the listings created in a window and in the window of the same length before it. */
export interface PriceMove {
  name: string;
  recentMilli: number;
  priorMilli: number;
  recentCount: number;
  priorCount: number;
}

/** An active listing below the median of its item. */
interface Deal {
  id: string;
  name: string;
  stack: number;
  price: number;
  milliEach: number;
  medianMilli: number;
  sampleSize: number;
  createdAt: UnixSeconds;
  lastSeen: UnixSeconds;
}

/** Listings of an item created in the window. */
export interface TradeVolume {
  name: string;
  listings: number;
  units: number;
  totalValue: number;
  medianMilli: number;
}

/** Listings of an item that ended in the window. A listing that ended before its time counts as sold. */
export interface Liquidity {
  name: string;
  concluded: number;
  sold: number;
  soldUnits: number;
  /** Median time from creation to the last sighting of sold listings; null for none. */
  medianSecondsToSell: number | null;
}

/** Statistics of one window. Lists have at most `MAX_ANALYTICS_ROWS` rows, in the order of their endpoint. */
export interface MarketAnalytics {
  active: ActiveItem[];
  moves: PriceMove[];
  /** Listings with at least `analyticsRules.minDiscount`, highest discount first. */
  deals: Deal[];
  volume: TradeVolume[];
  liquidity: Liquidity[];
  asOf: UnixSeconds;
}

/** Cached results are at most this old, in seconds: by the clock of requests and by that of the isolate. */
export const SUMMARIES_TTL_SECONDS = 60;
export const ANALYTICS_TTL_SECONDS = 120;
const MAX_CACHED_WINDOWS = 16;

/** Mean of the middle values of a partition, from its columns `position` and `n`. */
const median = (column: string, condition = '1') =>
  sql.raw(`avg(CASE WHEN ${condition} AND position IN ((n + 1) / 2, (n + 2) / 2) THEN ${column} END)`);

/** Active listings. Marks belong to the newest insert: an earlier time reads unmarked rows too. */
function activeListings(now: UnixSeconds, createdSince = activeSince(now).createdAt): SQL {
  return sql`(SELECT id, name, price, stack, milli_each, created_at, last_seen FROM ${marketListings} INDEXED BY market_live_last_seen
    WHERE live IN (1, (SELECT CASE WHEN newest_seen > ${now} THEN 0 ELSE 1 END FROM ${marketState}))
      AND last_seen >= ${activeSince(now).lastSeen} AND created_at >= ${createdSince} LIMIT ${MAX_ANALYSED_LISTINGS})`;
}

/** Listings created in `[since, now)`, newest first. */
const createdSince = (since: UnixSeconds, now: UnixSeconds) =>
  sql`(SELECT name, price, stack, milli_each, created_at FROM ${marketListings} INDEXED BY market_live_created_at
    WHERE live IN (0, 1) AND created_at >= ${since} AND created_at < ${now} ORDER BY created_at DESC LIMIT ${MAX_ANALYSED_LISTINGS})`;

const RANK_BY_NAME = sql.raw(
  'row_number() OVER (PARTITION BY name ORDER BY milli_each) AS position, count(*) OVER (PARTITION BY name) AS n',
);

const activeItemsStatement = (now: UnixSeconds) => sql`
  SELECT name, n AS count, sum(price) AS totalPrice, sum(stack) AS totalStack, min(milli_each) AS minMilli, max(milli_each) AS maxMilli,
    sum(milli_each) AS sumMilli, ${median('milli_each')} AS medianMilli
  FROM (SELECT name, price, stack, milli_each, ${RANK_BY_NAME} FROM ${activeListings(now)}) GROUP BY name ORDER BY name`;

function movesStatement(days: number, now: UnixSeconds): SQL {
  const middle = now - days * SECONDS_PER_DAY;
  return sql`
    SELECT name, max(CASE WHEN recent THEN middle END) AS recentMilli, max(CASE WHEN NOT recent THEN middle END) AS priorMilli,
      max(CASE WHEN recent THEN n END) AS recentCount, max(CASE WHEN NOT recent THEN n END) AS priorCount
    FROM (SELECT name, recent, n, ${median('milli_each')} AS middle
      FROM (SELECT name, milli_each, created_at >= ${middle} AS recent,
          row_number() OVER (PARTITION BY name, created_at >= ${middle} ORDER BY milli_each) AS position,
          count(*) OVER (PARTITION BY name, created_at >= ${middle}) AS n
        FROM ${createdSince(middle - days * SECONDS_PER_DAY, now)})
      GROUP BY name, recent HAVING n >= ${analyticsRules.minSample})
    GROUP BY name HAVING count(*) = 2 AND min(middle) > 0
    ORDER BY abs(recentMilli - priorMilli) / priorMilli DESC, name LIMIT ${MAX_ANALYTICS_ROWS}`;
}

function dealsStatement(days: number, now: UnixSeconds): SQL {
  const since = Math.max(now - days * SECONDS_PER_DAY, activeSince(now).createdAt);
  return sql`
    WITH ranked AS (SELECT *, ${RANK_BY_NAME} FROM ${activeListings(now, since)}),
      medians AS (SELECT name AS item, n AS sample, ${median('milli_each')} AS middle FROM ranked GROUP BY name
        HAVING n >= ${analyticsRules.minSample} AND middle > 0)
    SELECT id, name, stack, price, milli_each AS milliEach, middle AS medianMilli, sample AS sampleSize, created_at AS createdAt,
      last_seen AS lastSeen
    FROM ranked JOIN medians ON item = name WHERE milli_each <= middle * ${1 - analyticsRules.minDiscount}
    ORDER BY milli_each / middle, id LIMIT ${MAX_DEALS}`;
}

const volumeStatement = (days: number, now: UnixSeconds) => sql`
  SELECT name, n AS listings, sum(stack) AS units, sum(price) AS totalValue, ${median('milli_each')} AS medianMilli
  FROM (SELECT name, price, stack, milli_each, ${RANK_BY_NAME} FROM ${createdSince(now - days * SECONDS_PER_DAY, now)})
  GROUP BY name ORDER BY listings DESC, units DESC, name LIMIT ${MAX_ANALYTICS_ROWS}`;

function liquidityStatement(days: number, now: UnixSeconds): SQL {
  const { lastSeen: staleBefore } = activeSince(now);
  const life = listingRules.lifeSeconds - analyticsRules.sellMarginSeconds;
  return sql`
    SELECT name, count(*) AS concluded, sum(sold) AS sold, sum(CASE WHEN sold THEN stack ELSE 0 END) AS soldUnits,
      ${median('life', 'sold')} AS medianSecondsToSell
    FROM (SELECT name, stack, life, life < ${life} AS sold, row_number() OVER (PARTITION BY name, life < ${life} ORDER BY life) AS position,
        count(*) OVER (PARTITION BY name, life < ${life}) AS n
      FROM (SELECT name, stack, last_seen - created_at AS life FROM ${marketListings} INDEXED BY market_live_last_seen
        WHERE live IN (0, 1) AND last_seen >= ${now - days * SECONDS_PER_DAY} AND last_seen < ${staleBefore}
        ORDER BY last_seen DESC LIMIT ${MAX_ANALYSED_LISTINGS}))
    GROUP BY name HAVING count(*) >= ${analyticsRules.minSample}
    ORDER BY 1.0 * sum(sold) / count(*) DESC, concluded DESC, name LIMIT ${MAX_ANALYTICS_ROWS}`;
}

const startOf = (now: UnixSeconds, ttlSeconds: number): UnixSeconds => floorDiv(now, ttlSeconds) * ttlSeconds;

/**
 * Statistics over all items, read from a replica and cached in the isolate. Cached by the start of the period of their TTL, which is
 * also the time that they describe. A read is one batch.
 */
export function createAnalyticsStore(db: PublicReads) {
  const summaries = createRevalidatingCaches(
    async (asOf: UnixSeconds) => ({ items: await db.all<ActiveItem>(activeItemsStatement(asOf)), asOf }),
    SUMMARIES_TTL_SECONDS * 1000,
    MAX_CACHED_WINDOWS,
  );
  const windows = createRevalidatingCaches(
    async (key: string): Promise<MarketAnalytics> => {
      const [days = 1, asOf = 0] = key.split(':').map(Number);
      const statements = [activeItemsStatement(asOf), movesStatement(days, asOf), dealsStatement(days, asOf)];
      const results = await runInOneTransaction(db, [...statements, volumeStatement(days, asOf), liquidityStatement(days, asOf)]);
      const [active, moves, deals, volume, liquidity] = results as unknown as [
        ActiveItem[],
        PriceMove[],
        Deal[],
        TradeVolume[],
        Liquidity[],
      ];
      return { active, moves, deals, volume, liquidity, asOf };
    },
    ANALYTICS_TTL_SECONDS * 1000,
    MAX_CACHED_WINDOWS,
  );
  return {
    /** Active listings by item, by code point of the name. */
    summarize: (now: UnixSeconds) => summaries.get(startOf(now, SUMMARIES_TTL_SECONDS)),

    /** Statistics of the window of `days` before now. */
    analyze: (days: number, now: UnixSeconds) => windows.get(`${days}:${startOf(now, ANALYTICS_TTL_SECONDS)}`),

    /** Call after a change of the listings. */
    invalidate(): void {
      summaries.invalidate();
      windows.invalidate();
    },
  };
}

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>;
