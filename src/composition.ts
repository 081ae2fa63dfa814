import type { AppDeps } from './app.ts';
import { createActivityArea } from './areas/activity/index.ts';
import { createAdminArea } from './areas/admin/index.ts';
import type { CoordinatorParts } from './areas/events/coordinator.object.ts';
import { createEventHub, createEventsArea, shardNames } from './areas/events/index.ts';
import { createFeedsArea, readFeedsConfig } from './areas/feeds/index.ts';
import { createGameStatusArea } from './areas/game-status/index.ts';
import { createGemsArea } from './areas/gems/index.ts';
import { createGiveawaysArea } from './areas/giveaways/index.ts';
import { createMarketArea } from './areas/market/index.ts';
import { createMiscArea } from './areas/misc/index.ts';
import { createModsArea } from './areas/mods/index.ts';
import { createMirrorParts, createModsCatalogArea, type ModsCatalogDeps } from './areas/mods-catalog/index.ts';
import type { MirrorParts } from './areas/mods-catalog/mirror.object.ts';
import { createRotationsArea } from './areas/rotations/index.ts';
import { createServiceArea, type SnapshotPart } from './areas/service/index.ts';
import { createStatsArea } from './areas/stats/index.ts';
import { type ArchiveSyncParts, createArchiveSyncParts, createUpdatesArea } from './areas/updates/index.ts';
import { createAccessControl } from './platform/access/access-control.ts';
import type { Scope } from './platform/access/scopes.ts';
import { createTokenGate } from './platform/access/token-gate.ts';
import { createTokensRepository } from './platform/access/tokens.repository.ts';
import { readEnvironment } from './platform/environment.ts';
import type { EventPublisher } from './platform/events/event-source.ts';
import { createIdempotency } from './platform/idempotency/idempotency.ts';
import { createIngestLog } from './platform/ingest/ingest-log.ts';
import { createRandomWords, drawBytes, systemRandom } from './platform/random.ts';
import { createArchiveBudget } from './platform/rate-limits/archive-budget.ts';
import { createRateLimiter } from './platform/rate-limits/rate-limiter.ts';
import { createJobsRepository } from './platform/schedule/jobs.repository.ts';
import { periodFrom } from './platform/schedule/period.ts';
import { createScheduler, type Scheduler } from './platform/schedule/scheduler.ts';
import { createSettingsRepository } from './platform/settings/settings.repository.ts';
import { createSettingsCache } from './platform/settings/settings-cache.ts';
import { createContentStore } from './platform/storage/content-store.ts';
import { createDatabase, type Database } from './platform/storage/database.ts';
import { systemClock } from './platform/time/clock.ts';
import { createUpstreamClient } from './platform/upstream/upstream-client.ts';
import { createUpstreamStates } from './platform/upstream/upstream-states.repository.ts';

const DEFAULT_CHAOS_RELAY_SECONDS = 1800;
const DEFAULT_UPDATES_PROBE_SECONDS = 1200;

/** The areas that own data, over the bindings, with what they offer to the rest: endpoints, jobs, event sources. */
function composeDataAreas(env: Env) {
  const environment = readEnvironment(env);
  const db = createDatabase(env.DB);
  const settings = createSettingsCache(createSettingsRepository(db));
  const hub = createEventHub({ coordinators: env.EVENT_COORDINATOR, shards: env.EVENT_SHARDS, shardNames: shardNames(env) });
  const upstream = createUpstreamClient({ userAgent: env.UPSTREAM_USER_AGENT, states: createUpstreamStates(db), random: systemRandom });
  const rotations = createRotationsArea({
    db,
    // Blueprints and icons are known once the codexes are; until then no item has any.
    itemArt: async () => ({ blueprint: null, imageUrl: null }),
    ingestLog: createIngestLog(db),
    onCapture: hub.changed,
    upstream,
    chaosRelaySeconds: periodFrom(env.CHAOS_RELAY_REFRESH_SECONDS, DEFAULT_CHAOS_RELAY_SECONDS),
  });
  const feeds = createFeedsArea({ db, cache: env.CACHE, upstream, config: readFeedsConfig(env), events: hub });
  const gameStatus = createGameStatusArea({ db, cache: env.CACHE, upstream, events: hub, drawBytes });
  const misc = createMiscArea({
    db,
    outboxBucket: env.OUTBOX,
    upstream,
    companionProduct: env.COMPANION_PRODUCT,
    publicUrl: env.BASE_URL,
    drawId: () => crypto.randomUUID(),
  });
  const market = createMarketArea({
    db,
    bucket: env.BOARDS,
    interestList: () => misc.interestItems.names(),
    ingestLog: createIngestLog(db),
    archive: createArchiveBudget({
      limiter: createRateLimiter(env.RATE_LIMITS, environment.callsAtOnce),
      area: 'market',
      limitsOf: ({ marketArchiveRateLimitMax: limit, marketArchiveRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
      rateLimitScale: environment.rateLimitScale,
    }),
    drawId: () => crypto.randomUUID(),
  });
  const activity = createActivityArea({ db, events: hub, clock: systemClock });
  const giveaways = createGiveawaysArea({ db, events: hub, drawId: () => crypto.randomUUID(), drawBytes });
  const updates = createUpdatesArea({
    db,
    bucket: env.ARCHIVE,
    syncObjects: env.ARCHIVE_SYNC,
    events: hub,
    hooks: [],
    sourceBase: env.UPDATES_SOURCE_BASE,
    probeSeconds: periodFrom(env.UPDATES_PROBE_SECONDS, DEFAULT_UPDATES_PROBE_SECONDS),
  });
  const eventSources = [rotations, gameStatus, feeds, activity, giveaways, updates].flatMap((area) => area.eventSources);
  return { db, settings, hub, upstream, rotations, feeds, gameStatus, misc, market, activity, giveaways, updates, eventSources };
}

function composeModsCatalog(env: Env, db: Database, events: EventPublisher, inspect: ModsCatalogDeps['inspect']) {
  return createModsCatalogArea({
    ...{ db, events, inspect },
    store: createContentStore(env.ARCHIVE),
    ingest: createIngestLog(db),
    downloadObjects: env.MOD_DOWNLOADS,
    mirrorObjects: env.MODS_MIRROR,
    portalUrl: env.PORTAL_URL,
    mirrorUrl: env.MODS_MIRROR_URL,
    drawId: () => crypto.randomUUID(),
  });
}

/** Bodies of an area as parts of the snapshot. */
function partsOf(bodies: Readonly<Record<string, Pick<SnapshotPart, 'source' | 'feature'>>>, scope: Scope, isDefault: boolean) {
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, { ...body, scope, isDefault }]));
}

/** Builds everything the application needs from the bindings: the one place that sees every area. */
export function composeApp(env: Env): AppDeps & { scheduler: Scheduler } {
  const environment = readEnvironment(env);
  const { db, settings, hub, rotations, feeds, gameStatus, misc, market, activity, giveaways, updates, eventSources } = composeDataAreas(env);
  const events = createEventsArea({ hub, sources: eventSources, assets: env.ASSETS });
  const mods = createModsArea();
  const modsCatalog = composeModsCatalog(env, db, hub, mods.inspectArtifact);
  // The prober first: an invocation has few connections at once, and the prober's must not wait for a slow feed.
  const jobs = [gameStatus, events, rotations, feeds, misc, modsCatalog, market, activity, giveaways, updates].flatMap((area) => area.jobs);
  const scheduler = createScheduler({ jobs, runs: createJobsRepository(db), settings });
  const admin = createAdminArea({ scheduler });
  const stats = createStatsArea();
  const gems = createGemsArea({ random: createRandomWords() });
  const endpoints = [
    ...rotations.endpoints,
    ...stats.endpoints,
    ...gems.endpoints,
    ...feeds.endpoints,
    ...misc.endpoints,
    ...modsCatalog.endpoints,
    ...updates.endpoints,
    ...market.endpoints,
    ...activity.endpoints,
    ...giveaways.endpoints,
    ...gameStatus.endpoints,
    ...mods.endpoints,
    ...events.endpoints,
    ...admin.endpoints,
  ];
  const service = createServiceArea({
    assets: env.ASSETS,
    areaEndpoints: endpoints,
    parts: {
      ...partsOf(rotations.bodies, 'rotations:read', true),
      ...partsOf(feeds.bodies, 'feeds:read', false),
      ...partsOf(gameStatus.bodies, 'misc:read', false),
    },
    securityContact: env.SECURITY_CONTACT,
  });

  return {
    endpoints: [...service.endpoints, ...endpoints],
    settings,
    scheduler,
    access: createAccessControl({
      gate: createTokenGate(env.TOKEN_GATES, createTokensRepository(db)),
      limiter: createRateLimiter(env.RATE_LIMITS, environment.callsAtOnce),
      tokenPrefix: env.TOKEN_PREFIX,
      rateLimitScale: environment.rateLimitScale,
      callsAtOnce: environment.callsAtOnce,
    }),
    idempotency: createIdempotency(env.IDEMPOTENCY),
    time: { clock: systemClock, acceptsTestClock: environment.isForTesting },
    baseUrl: env.BASE_URL,
    logsRequests: env.LOG_REQUESTS !== 'off',
  };
}

/** What the event coordinator watches. */
export function composeCoordinator(env: Env): CoordinatorParts {
  const { eventSources, settings } = composeDataAreas(env);
  return { sources: eventSources, settings };
}

/** What the mirror of the community mods catalog works with. */
export function composeModsMirror(env: Env): MirrorParts {
  const db = createDatabase(env.DB);
  return createMirrorParts({
    db,
    store: createContentStore(env.ARCHIVE),
    inspect: createModsArea().inspectArtifact,
    upstream: createUpstreamClient({ userAgent: env.UPSTREAM_USER_AGENT, states: createUpstreamStates(db), random: systemRandom }),
    settings: createSettingsCache(createSettingsRepository(db)),
    mirrorUrl: env.MODS_MIRROR_URL,
    drawId: () => crypto.randomUUID(),
  });
}

/** What an object that syncs a branch of the archive works with. */
export function composeArchiveSync(env: Env): ArchiveSyncParts {
  const { db, settings, upstream, updates } = composeDataAreas(env);
  return createArchiveSyncParts({
    db,
    bucket: env.ARCHIVE,
    upstream,
    settings,
    announcer: updates.announcer,
    sourceBase: env.UPDATES_SOURCE_BASE,
    sourcePrefix: env.UPDATES_SOURCE_PREFIX,
    userAgent: env.UPSTREAM_USER_AGENT,
    random: systemRandom,
  });
}
