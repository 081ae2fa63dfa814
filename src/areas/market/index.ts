import { createArchiveRateLimit } from '../../platform/access/limits/archive-rate-limit.ts';
import type { Caller } from '../../platform/access/policy/admission.ts';
import { grantsScopes } from '../../platform/access/policy/scopes.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { TriggeredEvent } from '../../platform/events/event-source.ts';
import { createTriggerQueue } from '../../platform/events/trigger-queue.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { foldCase } from '../../platform/kit/values/fold.ts';
import { rateLimitOf, type Settings } from '../../platform/settings/settings.data.ts';
import { type AnalyticsStore, createAnalyticsStore, createAnalyticsWriter, type MarketAnalytics } from './analytics.store.ts';
import { createMarketArchiver } from './archive.service.ts';
import { createMarketArchiveStore } from './archive.store.ts';
import { createMarketInserts, createMarketResets, createRawDumps, type NewPrices } from './insert.store.ts';
import { createItemNames, createMarketSearchSource, type ItemNames } from './item-names.service.ts';
import { createListingsStore, type ListingsStore, type Timeline } from './listings.store.ts';
import { marketPriceEvent } from './market.events.ts';
import { marketScopes, marketSettings } from './market.settings.ts';
import { marketTables } from './market.tables.ts';

/** Retention of raw dumps. */
const RAW_TTL_SECONDS = 30 * SECONDS_PER_DAY;
const EXPIRY_TIMEOUT_SECONDS = 60;
const ANALYTICS_TIMEOUT_SECONDS = 50;
const ARCHIVE_TIMEOUT_SECONDS = 300;

/**
 * Median unit prices of the active listings, by lower-case name of the item; null if the client may not read the market or it is
 * switched off. Without a client: a page of the service.
 */
type FindUnitPrices = (caller: Caller | null, settings: Settings, now: UnixSeconds) => Promise<ReadonlyMap<string, number> | null>;

declare module '../../platform/area/area.ts' {
  interface Ports {
    unitPrices: FindUnitPrices;
    /** The figures of the market page: a window in days, with the first rows of each list. */
    marketFigures(days: number, now: UnixSeconds): Promise<MarketFigures>;
    /** The price of an item, from the stored figures; null for an unknown item, or if the market is switched off. */
    marketPrice(name: string, settings: Settings, now: UnixSeconds): Promise<ItemPrice | null>;
    /** Prices of an item by day, oldest first, over the last days. Throws 404 with the nearest names. */
    marketItemPrices(name: string, days: number, now: UnixSeconds, listingLimit: number): Promise<ItemPrices>;
  }
}

/** Rows of a list on the page of the market. */
const PAGE_ROWS = 10;
const PAGE_DISCOUNT = 0.25;
const HOURS_PER_DAY = 24;

async function toFigures(analytics: MarketAnalytics, days: number) {
  const { toDealsBody, toMoversBody, toOverviewBody, toVolumeBody } = await import('./analytics.routes.ts');
  const query = { days, limit: PAGE_ROWS };
  return {
    overview: toOverviewBody(analytics, days),
    movers: toMoversBody(analytics, { days, limit: 2 * PAGE_ROWS }),
    deals: toDealsBody(analytics, { ...query, min_discount: PAGE_DISCOUNT }),
    volume: toVolumeBody(analytics, query),
  };
}

type MarketFigures = Awaited<ReturnType<typeof toFigures>>;

interface ItemPrices extends Timeline {
  /** The stored spelling. */
  name: string;
  days: number;
  from: UnixSeconds;
  to: UnixSeconds;
  /** The cheapest active listings, cheapest first, and the number of all. */
  listings: ItemListing[];
  listingCount: number;
}

/** The price of an item for its page in the codex. */
interface ItemPrice {
  /** The stored spelling. */
  name: string;
  asOf: UnixSeconds;
  /** Of the active listings; null without one. */
  active: { count: number; medianEach: number; minEach: number } | null;
  /** Medians of the listings created in each of the last days, oldest first, at the end of each. */
  points: { at: UnixSeconds; value: number | null }[];
  listings: ItemListing[];
}

interface ItemListing {
  /** Price of one piece. */
  priceEach: number;
  stack: number;
  /** Price of all pieces. */
  price: number;
  createdAt: UnixSeconds;
  lastSeen: UnixSeconds;
}

const mayReadMarket = (caller: Caller | null) =>
  caller === null || (caller.kind === 'token' && grantsScopes(caller.scopes, marketScopes['market:read'].bit));

/** The events of a queued payload. A listing is new once, so its id is the key. */
function toPriceEvents(payload: string): TriggeredEvent[] {
  const { at, prices } = JSON.parse(payload) as NewPrices;
  return prices.map(([item, milliEach, stack, price, id, newListings]) => ({
    type: marketPriceEvent.type,
    key: `${marketPriceEvent.type}:${id}`,
    body: { item, price_each: milliEach / 1000, stack, price, listing_id: id, new_listings: newListings },
    at,
  }));
}

export const marketArea = defineArea({
  settings: marketSettings,
  scopes: marketScopes,
  tags: {
    Market: 'Market listings of tracked items, prices and price history.',
  },
  events: [marketPriceEvent],
  tables: marketTables,
  create({ db, publicReads, env, environment, limiter, outbox, newId, ports }) {
    const monthArchive = createMarketArchiveStore(db, publicReads);
    const listings = createListingsStore(publicReads, monthArchive);
    const analytics = createAnalyticsStore(publicReads);
    const analyticsWriter = createAnalyticsWriter(db);
    const itemNames = createItemNames(listings, ports);
    const rawDumps = createRawDumps(env.BOARDS);
    const resets = createMarketResets(db);
    const archive = createArchiveRateLimit({
      limiter,
      rateLimitScale: environment.rateLimitScale,
      area: 'market',
      limitsOf: rateLimitOf('marketArchiveRateLimit'),
    });
    const newPrices = createTriggerQueue(outbox, (events) => ports.webhookTrigger(events), {
      type: marketPriceEvent.type,
      jobName: 'market-prices',
      eventsOf: toPriceEvents,
    });
    /** Call after a change of the listings. */
    const onChange = async (now: UnixSeconds) => {
      await analyticsWriter.refreshAfterChange(now);
      analytics.invalidate();
      await ports.searchIndex.changed('item');
    };

    const endpoints = [
      lazyRoutes(['/v1/market'], async () => {
        const [
          { createAnalyticsEndpoints },
          { createMarketArchiveEndpoints },
          { createListingEndpoints },
          { createMarketInsertEndpoints },
          { createPriceHistoryEndpoints },
          { createItemImageEndpoints, createItemSummaryEndpoint, createSummariesEndpoint },
        ] = await Promise.all([
          import('./analytics.routes.ts'),
          import('./archive.routes.ts'),
          import('./listings.routes.ts'),
          import('./insert.routes.ts'),
          import('./prices.routes.ts'),
          import('./summaries.routes.ts'),
        ]);
        return [
          ...createListingEndpoints({ listings, archive, itemNames, ports }),
          createItemSummaryEndpoint(listings, itemNames, ports),
          ...createPriceHistoryEndpoints(listings, archive, itemNames),
          createSummariesEndpoint(analytics),
          ...createAnalyticsEndpoints(analytics),
          ...createItemImageEndpoints(analytics, itemNames),
          ...createMarketArchiveEndpoints(monthArchive, env.ARCHIVE, archive),
          ...createMarketInsertEndpoints({
            inserts: createMarketInserts(db),
            resets,
            rawDumps,
            newPrices,
            ports,
            newId,
            onChange,
          }),
        ];
      }),
    ];

    const jobs: Job[] = [
      {
        name: 'market-archive',
        schedule: { everySeconds: SECONDS_PER_HOUR, text: 'hourly, for months that ended market_keep_days ago' },
        timeoutSeconds: ARCHIVE_TIMEOUT_SECONDS,
        async run({ now, settings, signal }) {
          const archiver = createMarketArchiver({ store: monthArchive, bucket: env.ARCHIVE, resets, newId });
          if (await archiver.run(settings.marketKeepDays, now, signal)) await onChange(now);
        },
      },
      {
        name: 'market-raw-prune',
        schedule: { everySeconds: SECONDS_PER_DAY },
        timeoutSeconds: EXPIRY_TIMEOUT_SECONDS,
        run: ({ now }) => rawDumps.deleteBefore(now - RAW_TTL_SECONDS),
      },
      {
        name: 'market-analytics',
        // Windows move and listings expire without a change; a change computes the statistics itself.
        schedule: { everySeconds: SECONDS_PER_MINUTE, text: 'every 60 s, if the market has changed or 15 minutes have passed' },
        timeoutSeconds: ANALYTICS_TIMEOUT_SECONDS,
        run: ({ now }) => analyticsWriter.refresh(now),
      },
      newPrices.job,
    ];

    const unitPrices: FindUnitPrices = async (caller, settings, now) => {
      if (!settings.featureMarketEnabled || !mayReadMarket(caller)) return null;
      const { items } = await analytics.summarize(now);
      return new Map(items.map(({ name, medianMilli }) => [foldCase(name), medianMilli / 1000]));
    };

    return {
      endpoints,
      jobs,
      // The index of the search follows the primary: it reads right after a change.
      searchSources: [createMarketSearchSource(createListingsStore(db, monthArchive), ports)],
      provides: {
        unitPrices,
        marketFigures: async (days: number, now: UnixSeconds) => toFigures(await analytics.analyze(days, now), days),
        marketPrice: (name: string, settings: Settings, now: UnixSeconds) =>
          settings.featureMarketEnabled ? readItemPrice(analytics, itemNames, name, now) : Promise.resolve(null),
        marketItemPrices: (name: string, days: number, now: UnixSeconds, listingLimit: number) =>
          readItemPrices(listings, itemNames, { name, days, now, listingLimit }),
      },
    };
  },
});

async function readItemPrice(
  analytics: AnalyticsStore,
  itemNames: ItemNames,
  requested: string,
  now: UnixSeconds,
): Promise<ItemPrice | null> {
  const name = await itemNames.findKept(requested);
  const found = name === undefined ? null : await analytics.findItem(name, now);
  if (name === undefined || found === null) return null;
  const { active, asOf, cheapest, dayMillis } = found;
  return {
    name,
    asOf,
    active: active && { count: active.count, medianEach: active.medianMilli / 1000, minEach: active.minMilli / 1000 },
    points: dayMillis.map((milli, day) => ({ at: asOf - day * SECONDS_PER_DAY, value: milli === null ? null : milli / 1000 })).toReversed(),
    listings: cheapest.map(toItemListing),
  };
}

const toItemListing = ({ milliEach, ...listing }: Omit<ItemListing, 'priceEach'> & { milliEach: number }): ItemListing => ({
  priceEach: milliEach / 1000,
  ...listing,
});

/** Prices of an item for its page. Throws 404 with the nearest names. */
async function readItemPrices(
  listings: ListingsStore,
  itemNames: ItemNames,
  { name: requested, days, now, listingLimit }: { name: string; days: number; now: UnixSeconds; listingLimit: number },
): Promise<ItemPrices> {
  const { name, value } = await itemNames.read(requested, async (item) => {
    const [timeline, active] = await Promise.all([listings.readTimeline(item, days, HOURS_PER_DAY, now), listings.listActive(item, now)]);
    active.sort((one, other) => one.milliEach - other.milliEach);
    const cheapest = active
      .slice(0, listingLimit)
      .map(({ milliEach, stack, price, createdAt, lastSeen }) => toItemListing({ milliEach, stack, price, createdAt, lastSeen }));
    return { ...timeline, listings: cheapest, listingCount: active.length };
  });
  return { name, days, from: now - days * SECONDS_PER_DAY, to: now, ...value };
}
