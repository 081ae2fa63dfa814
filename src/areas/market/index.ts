import { type ArchiveBudget, createArchiveBudget } from '../../platform/access/limits/archive-budget.ts';
import type { Caller } from '../../platform/access/policy/admission.ts';
import { grantsScopes } from '../../platform/access/policy/scopes.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { SearchSource } from '../../platform/area/search-source.ts';
import type { Outbox } from '../../platform/durable/outbox.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventTrigger, TriggeredEvent } from '../../platform/events/event-source.ts';
import { createTriggerQueue } from '../../platform/events/trigger-queue.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { createAnalyticsStore, type MarketAnalytics } from './analytics.store.ts';
import { marketPriceEvent } from './events.ts';
import type { FindItemPrices } from './images.routes.ts';
import { createMarketInsertService, type InterestList } from './insert.service.ts';
import { createMarketInserts, createMarketResets, createRawDumps, type NewPrices } from './insert.store.ts';
import { type CachedInterestList, createItemNames, createMarketSearchSource } from './item-names.service.ts';
import type { ItemBlueprints, LoadItemBlueprints } from './listings.routes.ts';
import { createListingsRepository } from './listings.store.ts';
import { marketScopes, marketSettings } from './market.settings.ts';
import { marketBackup } from './market.tables.ts';
import { createPriceHistoryService, type Timeline } from './prices.service.ts';

/** Retention of raw dumps. */
const RAW_TTL_SECONDS = 30 * SECONDS_PER_DAY;
const EXPIRY_TIMEOUT_SECONDS = 60;

interface MarketAreaDeps {
  db: Database;
  /** Read replica for public data; default `db`. */
  reads?: PublicReads;
  /** Bucket of raw dumps. */
  bucket: R2Bucket;
  interestList: InterestList;
  /** The tracked items for clients, cached. */
  cachedInterestList?: CachedInterestList;
  itemBlueprints: ItemBlueprints;
  loadItemBlueprints: LoadItemBlueprints;
  archive: ArchiveBudget;
  outbox: Outbox;
  /** Receives new prices. */
  trigger: EventTrigger;
  newId(): string;
  /** Called after each change of the listings. */
  onStored?(): Promise<void>;
}

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
    /** Prices of an item by day, oldest first, over the last days. Throws 404 with the nearest names. */
    marketItemPrices(name: string, days: number, now: UnixSeconds, listingLimit: number): Promise<ItemPrices>;
  }
}

/** Rows of a list on the page of the market. */
const PAGE_ROWS = 10;
const PAGE_DISCOUNT = 0.25;
const HOURS_PER_DAY = 24;

async function toFigures(analytics: MarketAnalytics, days: number) {
  const { toDealsBody, toMoversBody, toOverviewBody, toVolumeBody } = await import('./analytics.schemas.ts');
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

/** Everything under `/v1/market`. */
function createMarketArea(deps: MarketAreaDeps) {
  const { db, reads = db, bucket, interestList, cachedInterestList = interestList, itemBlueprints, loadItemBlueprints } = deps;
  const { archive, newId, onStored = async () => {} } = deps;
  const listings = createListingsRepository(reads);
  const itemNames = createItemNames(listings, cachedInterestList);
  const rawDumps = createRawDumps(bucket);
  const analytics = createAnalyticsStore(reads);
  const history = createPriceHistoryService(listings);
  const onChange = () => {
    analytics.invalidate();
    return onStored();
  };
  const newPrices = createTriggerQueue(deps.outbox, deps.trigger, {
    type: marketPriceEvent.type,
    jobName: 'market-prices',
    eventsOf: toPriceEvents,
  });
  const inserts = createMarketInsertService({ inserts: createMarketInserts(db), rawDumps, interestList, newPrices, newId, onChange });
  const itemPrices: FindItemPrices = async (requested, now) => {
    const { name, value } = await itemNames.read(requested, async (item) => {
      const { items, asOf } = await analytics.summarize(now);
      return { item: items.find(({ name: listed }) => listed === item) ?? null, asOf };
    });
    return { name, ...value };
  };
  const endpoints = [
    lazyRoutes(['/v1/market'], async () => {
      const [
        { createAnalyticsEndpoints },
        { createItemImageEndpoints },
        { createListingEndpoints },
        { createMarketInsertEndpoint },
        { createMarketResetEndpoint },
        { createPriceHistoryEndpoints },
      ] = await Promise.all([
        import('./analytics.routes.ts'),
        import('./images.routes.ts'),
        import('./listings.routes.ts'),
        import('./insert.routes.ts'),
        import('./insert.routes.ts'),
        import('./prices.routes.ts'),
      ]);
      return [
        ...createListingEndpoints({ listings, interestList: cachedInterestList, archive, itemBlueprints, loadItemBlueprints, itemNames }),
        ...createPriceHistoryEndpoints(history, archive, itemNames),
        ...createAnalyticsEndpoints(analytics),
        ...createItemImageEndpoints(itemPrices),
        createMarketInsertEndpoint(inserts),
        createMarketResetEndpoint(createMarketResets(db), onChange),
      ];
    }),
  ];
  const jobs: Job[] = [
    {
      name: 'market-raw-prune',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: EXPIRY_TIMEOUT_SECONDS,
      run: ({ now }) => rawDumps.deleteBefore(now - RAW_TTL_SECONDS),
    },
    newPrices.job,
  ];
  const unitPrices: FindUnitPrices = async (caller, settings, now) => {
    if (!settings.featureMarketEnabled || !mayReadMarket(caller)) return null;
    const { items } = await analytics.summarize(now);
    return new Map(items.map(({ name, medianMilli }) => [name.toLowerCase(), medianMilli / 1000]));
  };
  const searchSources: SearchSource[] = [
    createMarketSearchSource({ listings: createListingsRepository(db), interestList, itemBlueprints }),
  ];
  const marketFigures = async (days: number, now: UnixSeconds) => toFigures(await analytics.analyze(days, now), days);
  const marketItemPrices = async (requested: string, days: number, now: UnixSeconds, listingLimit: number): Promise<ItemPrices> => {
    const { name, value } = await itemNames.read(requested, async (item) => {
      const [timeline, active] = await Promise.all([history.timeline(item, days, HOURS_PER_DAY, now), listings.listActive(item, now)]);
      active.sort((one, other) => one.milliEach - other.milliEach);
      const cheapest = active.slice(0, listingLimit).map(({ milliEach, stack, price, createdAt, lastSeen }) => ({
        priceEach: milliEach / 1000,
        stack,
        price,
        createdAt,
        lastSeen,
      }));
      return { ...timeline, listings: cheapest, listingCount: active.length };
    });
    return { name, days, from: now - days * SECONDS_PER_DAY, to: now, ...value };
  };
  return { endpoints, jobs, searchSources, provides: { unitPrices, marketFigures, marketItemPrices } };
}

export const marketArea = defineArea({
  settings: marketSettings,
  scopes: marketScopes,
  tags: {
    Market: 'Market listings of tracked items, prices and price history.',
  },
  impersonalTables: ['market_*'],
  events: [marketPriceEvent],
  backup: marketBackup,
  create({ db, publicReads, env, environment, limiter, outbox, newId, ports }) {
    return createMarketArea({
      db,
      reads: publicReads,
      bucket: env.BOARDS,
      outbox,
      trigger: (events) => ports.webhookTrigger(events),
      newId,
      interestList: () => ports.interestItems(),
      cachedInterestList: () => ports.cachedInterestItems(),
      itemBlueprints: (names) => ports.itemBlueprints(names),
      loadItemBlueprints: (statement) => ports.loadItemBlueprints(statement),
      onStored: () => ports.searchIndex.changed('item'),
      archive: createArchiveBudget({
        limiter,
        rateLimitScale: environment.rateLimitScale,
        area: 'market',
        limitsOf: ({ marketArchiveRateLimitMax: limit, marketArchiveRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
      }),
    });
  },
});
