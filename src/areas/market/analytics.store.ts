import { type SQL, sql } from 'drizzle-orm';
import { bind } from '../../platform/kit/bind.ts';
import { logError } from '../../platform/kit/logging.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { type Database, type PublicReads, runInOneTransaction } from '../../platform/storage/database.ts';
import { createRevalidatingCaches } from '../../platform/storage/memory-caches.ts';
import {
  type ActiveItem,
  type ActiveListing,
  type CreatedDay,
  createActiveFigures,
  type Deal,
  type EndedDay,
  type ItemPageFigures,
  type MarketFigures,
  toPageFigures,
  toWindows,
  type WindowFigures,
} from './analytics.domain.ts';
import { activeSince } from './listings.domain.ts';
import { analyticsRules, listingRules, MAX_ANALYSED_LISTINGS, MAX_ANALYTICS_DAYS, MAX_DEAL_DAYS } from './market.data.ts';
import { marketAnalytics, marketItems, marketListings, marketState } from './market.tables.ts';

/** Statistics of one window, with those of the active listings. */
export interface MarketAnalytics extends WindowFigures {
  active: ActiveItem[];
  deals: Deal[];
  asOf: UnixSeconds;
}

/** Prices of the active listings of every item, by code point of the name. */
interface ActivePrices {
  items: ActiveItem[];
  asOf: UnixSeconds;
}

/** An isolate caches stored statistics for this long, in seconds. */
export const SUMMARIES_TTL_SECONDS = 60;
export const ANALYTICS_TTL_SECONDS = 120;
const MAX_CACHED_WINDOWS = 16;
/** Age from which statistics are computed again without a change: windows move and listings expire. */
const MAX_AGE_SECONDS = 15 * SECONDS_PER_MINUTE;

/** Listings per read of the active ones. */
const PAGE_SIZE = 20_000;
/** Days per batch. */
const DAYS_PER_BATCH = 10;

const ACTIVE_PART = 'active';
const PAGES_PART = 'pages';
const dealsPart = (days: number) => `deals:${Math.min(days, MAX_DEAL_DAYS)}`;
const windowPart = (days: number) => `window:${days}`;

interface Stamp {
  revision: number;
  asOf: UnixSeconds;
}

/** Listings created on a day, by item. */
const createdStatement = (from: UnixSeconds, to: UnixSeconds) => sql`
  SELECT name, count(*) AS listings, sum(stack) AS units, sum(price) AS value, json_group_array(milli_each) AS millis
  FROM ${marketListings} INDEXED BY market_live_created_at
  WHERE live IN (0, 1) AND created_at >= ${from} AND created_at < ${to} GROUP BY name`;

/** Listings that ended on a day, by item. A listing that disappeared before its time was sold. */
function endedStatement(from: UnixSeconds, to: UnixSeconds): SQL {
  const isSold = sql`last_seen - created_at < ${listingRules.lifeSeconds - analyticsRules.sellMarginSeconds}`;
  return sql`
    SELECT name, count(*) AS concluded, coalesce(sum(stack) FILTER (WHERE ${isSold}), 0) AS soldUnits,
      json_group_array(last_seen - created_at) FILTER (WHERE ${isSold}) AS soldAfter
    FROM ${marketListings} INDEXED BY market_live_last_seen
    WHERE live IN (0, 1) AND last_seen >= ${from} AND last_seen < ${to} GROUP BY name`;
}

/** Computes the statistics and stores them for all isolates. */
export function createAnalyticsWriter(db: Database) {
  return bind(db, { refresh, refreshAfterChange });
}

/** Reads days from the newest to the oldest, until enough listings were read. */
async function readDays<Row extends { name: string }>(
  db: Database,
  statementOf: (from: UnixSeconds, to: UnixSeconds) => SQL,
  { at, days, newest }: { at: UnixSeconds; days: number; newest: UnixSeconds },
  countOf: (row: Row) => number,
): Promise<(Row & { day: number })[]> {
  const rows: (Row & { day: number })[] = [];
  let listings = 0;
  for (let first = 0; first < days && listings < MAX_ANALYSED_LISTINGS; first += DAYS_PER_BATCH) {
    const batch = Array.from({ length: Math.min(DAYS_PER_BATCH, days - first) }, (_, index) => first + index);
    const results = await runInOneTransaction(
      db,
      batch.map((day) => statementOf(at - (day + 1) * SECONDS_PER_DAY, Math.min(at - day * SECONDS_PER_DAY, newest))),
    );
    for (const [index, found] of results.entries()) {
      if (listings >= MAX_ANALYSED_LISTINGS) break;
      for (const row of found as unknown as Row[]) {
        listings += countOf(row);
        rows.push({ ...row, day: first + index });
      }
    }
  }
  return rows;
}

async function readActive(db: Database, at: UnixSeconds) {
  const figures = createActiveFigures(at);
  const since = activeSince(at);
  let open: ActiveListing[] = [];
  let end: { name: string; id: string } | null = null;
  const close = () => figures.addItem(open[0]?.name ?? '', open);
  for (;;) {
    const after: SQL = end === null ? sql`` : sql`AND (name, id) > (${end.name}, ${end.id})`;
    const page: ActiveListing[] = await db.all<ActiveListing>(sql`
      SELECT id, name, stack, price, milli_each AS milliEach, created_at AS createdAt, last_seen AS lastSeen
      FROM ${marketListings} INDEXED BY market_live_name
      WHERE live = 1 ${after} ORDER BY name, id LIMIT ${PAGE_SIZE}`);
    for (const listing of page) {
      if (listing.lastSeen < since.lastSeen || listing.createdAt < since.createdAt) continue;
      if (open[0] && open[0].name !== listing.name) {
        close();
        open = [];
      }
      open.push(listing);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) break;
    end = { name: last.name, id: last.id };
  }
  close();
  return figures.result();
}

async function compute(db: Database, at: UnixSeconds): Promise<MarketFigures> {
  const names = await db.select({ name: marketItems.name }).from(marketItems).orderBy(marketItems.name);
  const created = await readDays<Omit<CreatedDay, 'day' | 'millis'> & { millis: string }>(
    db,
    createdStatement,
    { at, days: 2 * MAX_ANALYTICS_DAYS, newest: at },
    ({ listings }) => listings,
  );
  const ended = await readDays<Omit<EndedDay, 'day' | 'soldAfter'> & { soldAfter: string }>(
    db,
    endedStatement,
    { at, days: MAX_ANALYTICS_DAYS, newest: activeSince(at).lastSeen },
    ({ concluded }) => concluded,
  );
  const itemNames = names.map(({ name }) => name);
  const createdDays = created.map((day) => ({ ...day, millis: JSON.parse(day.millis) as number[] }));
  const windows = toWindows(
    itemNames,
    createdDays,
    ended.map((day) => ({ ...day, soldAfter: JSON.parse(day.soldAfter) as number[] })),
  );
  const { cheapest, ...active } = await readActive(db, at);
  return { ...active, windows, pages: toPageFigures(itemNames, createdDays, cheapest) };
}

/** Stores the parts unless the market has changed since they were read, or newer statistics are stored. */
async function save(db: Database, { active, deals, windows, pages }: MarketFigures, { revision, asOf }: Stamp): Promise<void> {
  const parts: [string, unknown][] = [
    [ACTIVE_PART, active],
    [PAGES_PART, pages],
    ...deals.map((list, index): [string, unknown] => [dealsPart(index + 1), list]),
    ...windows.map((figures, index): [string, unknown] => [windowPart(index + 1), figures]),
  ];
  await runInOneTransaction(
    db,
    parts.map(
      ([part, body]) => sql`
        INSERT INTO ${marketAnalytics} (part, revision, as_of, body)
        SELECT ${part}, ${revision}, ${asOf}, ${JSON.stringify(body)} WHERE coalesce((SELECT revision FROM ${marketState}), 0) = ${revision}
        ON CONFLICT (part) DO UPDATE SET revision = excluded.revision, as_of = excluded.as_of, body = excluded.body
        WHERE excluded.revision > revision OR excluded.as_of >= as_of`,
    ),
  );
}

/** Computes the statistics if the market has changed, or if they are old. */
async function refresh(db: Database, now: UnixSeconds): Promise<void> {
  const [row] = await db.all<Record<'revision' | 'newestSeen' | 'knownRevision' | 'knownAsOf', number | null>>(sql`
    SELECT revision, newest_seen AS newestSeen, (SELECT revision FROM ${marketAnalytics} WHERE part = ${ACTIVE_PART}) AS knownRevision,
      (SELECT as_of FROM ${marketAnalytics} WHERE part = ${ACTIVE_PART}) AS knownAsOf FROM ${marketState}`);
  const revision = row?.revision ?? 0;
  const isKnown = (row?.knownRevision ?? 0) === revision;
  if (isKnown && (revision === 0 || now - (row?.knownAsOf ?? 0) < MAX_AGE_SECONDS)) return;
  // Marks belong to the newest insert, whose time may be a few minutes ahead.
  const asOf = Math.max(now, row?.newestSeen ?? 0);
  await save(db, await compute(db, asOf), { revision, asOf });
}

/** Computes the statistics after a change. The job does it when this fails. */
async function refreshAfterChange(db: Database, now: UnixSeconds): Promise<void> {
  await refresh(db, now).catch((error: unknown) => logError('market statistics were not computed', error));
}

export type AnalyticsWriter = ReturnType<typeof createAnalyticsWriter>;

/** Stored statistics over all items, read from a replica and cached in the isolate. */
export function createAnalyticsStore(db: PublicReads) {
  /** The stored parts, and the oldest time that they describe; null before the first change of the market. */
  async function readParts(parts: readonly string[]) {
    const names = parts.map((part) => sql`${part}`);
    const rows = await db.all<{ part: string; asOf: UnixSeconds; body: string }>(
      sql`SELECT part, as_of AS asOf, body FROM ${marketAnalytics} WHERE part IN (${sql.join(names, sql`, `)})`,
    );
    const bodies = new Map(rows.map(({ part, body }) => [part, JSON.parse(body) as unknown]));
    return { bodies, asOf: rows.length === 0 ? null : Math.min(...rows.map((row) => row.asOf)) };
  }

  async function readWindow(days: number) {
    const { bodies, asOf } = await readParts([ACTIVE_PART, dealsPart(days), windowPart(days)]);
    const figures = (bodies.get(windowPart(days)) ?? { moves: [], volume: [], liquidity: [] }) as WindowFigures;
    const active = (bodies.get(ACTIVE_PART) ?? []) as ActiveItem[];
    return { ...figures, active, deals: (bodies.get(dealsPart(days)) ?? []) as Deal[], asOf };
  }

  const summaries = createRevalidatingCaches(
    async (part: string) => {
      const { bodies, asOf } = await readParts([part]);
      return { items: (bodies.get(part) ?? []) as ActiveItem[], asOf };
    },
    SUMMARIES_TTL_SECONDS * 1000,
    1,
  );
  const pages = createRevalidatingCaches(
    async (part: string) => {
      const { bodies, asOf } = await readParts([part]);
      return { figures: new Map((bodies.get(part) ?? []) as MarketFigures['pages']), asOf };
    },
    SUMMARIES_TTL_SECONDS * 1000,
    1,
  );
  const windows = createRevalidatingCaches(readWindow, ANALYTICS_TTL_SECONDS * 1000, MAX_CACHED_WINDOWS);
  return {
    /** Active listings by item, by code point of the name. */
    async summarize(now: UnixSeconds): Promise<ActivePrices> {
      const { items, asOf } = await summaries.get(ACTIVE_PART);
      return { items, asOf: asOf ?? now };
    },

    /** What the page of an item shows: stored figures only, whatever the number of its listings. Null for an item without listings. */
    async findItem(name: string, now: UnixSeconds): Promise<(ItemPageFigures & { active: ActiveItem | null; asOf: UnixSeconds }) | null> {
      const [{ items, asOf }, { figures }] = await Promise.all([summaries.get(ACTIVE_PART), pages.get(PAGES_PART)]);
      const found = figures.get(name);
      return found === undefined ? null : { ...found, active: items.find((item) => item.name === name) ?? null, asOf: asOf ?? now };
    },

    /** Statistics of the window of `days`. */
    async analyze(days: number, now: UnixSeconds): Promise<MarketAnalytics> {
      const analytics = await windows.get(days);
      return { ...analytics, asOf: analytics.asOf ?? now };
    },

    /** Call after a change of the listings. */
    invalidate(): void {
      summaries.invalidate();
      pages.invalidate();
      windows.invalidate();
    },
  };
}

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>;
