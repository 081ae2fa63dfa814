import type { AppDeps } from './app.ts';
import { createAccountsArea } from './areas/accounts/index.ts';
import { createActivityArea } from './areas/activity/index.ts';
import { createAdminArea } from './areas/admin/index.ts';
import { createClientappArea, readClientappConfig } from './areas/clientapp/index.ts';
import { type CodexIndexParts, createArtLookup, createCodexesArea, createCodexIndexParts } from './areas/codexes/index.ts';
import type { CoordinatorParts } from './areas/events/coordinator.object.ts';
import { createEventHub, createEventsArea, shardNames } from './areas/events/index.ts';
import { createFeedsArea, readFeedsConfig } from './areas/feeds/index.ts';
import { createGameStatusArea } from './areas/game-status/index.ts';
import { createGemsArea } from './areas/gems/index.ts';
import { createGiveawaysArea, winnerMail } from './areas/giveaways/index.ts';
import { createIngestClient, createIngestWork, createLeaderboardsArea, type IngestWork } from './areas/leaderboards/index.ts';
import { createMarketArea } from './areas/market/index.ts';
import { createMiscArea } from './areas/misc/index.ts';
import { createModsArea } from './areas/mods/index.ts';
import { createMirrorParts, createModsCatalogArea } from './areas/mods-catalog/index.ts';
import type { MirrorParts } from './areas/mods-catalog/mirror/mirror.object.ts';
import { createOcrArea } from './areas/ocr/index.ts';
import { createPortalArea } from './areas/portal/index.ts';
import { createRotationsArea } from './areas/rotations/index.ts';
import { createSecretScanningArea } from './areas/secret-scanning/index.ts';
import { createServiceArea, type SnapshotPart } from './areas/service/index.ts';
import { createStatsArea } from './areas/stats/index.ts';
import { createTokensArea } from './areas/tokens/index.ts';
import {
  type ArchiveSyncParts,
  BRANCH_NAMES,
  createArchiveListing,
  createArchiveSyncParts,
  createUpdatesArea,
} from './areas/updates/index.ts';
import { createDesigns } from './areas/webhooks/designs/index.ts';
import { createSenderParts, createWebhookFollower, createWebhooksArea, type WebhookSender } from './areas/webhooks/index.ts';
import { createDrawingBudget } from './platform/access/drawing-budget.ts';
import { createAccessControl } from './platform/access/policy/access-control.ts';
import type { Scope } from './platform/access/policy/scopes.ts';
import { createTokenGate } from './platform/access/tokens/token-gate.ts';
import { createTokenRegistry } from './platform/access/tokens/token-registry.ts';
import { createTokensRepository } from './platform/access/tokens/tokens.repository.ts';
import { readEnvironment } from './platform/environment.ts';
import { createIdempotency } from './platform/idempotency/idempotency.ts';
import { ingestJobs } from './platform/ingest/ingest.jobs.ts';
import { createIngestLog } from './platform/ingest/ingest-log.ts';
import { composeMailer } from './platform/mail/compose-mailer.ts';
import { mailJobs } from './platform/mail/mail.jobs.ts';
import { createRandomWords, drawBytes, systemRandom } from './platform/random.ts';
import { createArchiveBudget } from './platform/rate-limits/archive-budget.ts';
import { createRateLimiter } from './platform/rate-limits/rate-limiter.ts';
import { createJobsRepository } from './platform/schedule/jobs.repository.ts';
import { periodFrom } from './platform/schedule/period.ts';
import { createScheduler, type Scheduler } from './platform/schedule/scheduler.ts';
import { createSettingsRepository } from './platform/settings/settings.repository.ts';
import { createSettingsCache } from './platform/settings/settings-cache.ts';
import { createContentStore } from './platform/storage/content-store.ts';
import { createDatabase } from './platform/storage/database.ts';
import { systemClock, systemMilliseconds } from './platform/time/clock.ts';
import { createUpstreamClient } from './platform/upstream/upstream-client.ts';
import { createUpstreamStates } from './platform/upstream/upstream-states.repository.ts';
import { createUsageRepository } from './platform/usage/usage.repository.ts';

const DEFAULT_CHAOS_RELAY_SECONDS = 1800;
const DEFAULT_UPDATES_PROBE_SECONDS = 1200;

/** What areas are built from. */
function composeBase(env: Env) {
  const environment = readEnvironment(env);
  const db = createDatabase(env.DB);
  return {
    environment,
    db,
    settings: createSettingsCache(createSettingsRepository(db)),
    hub: createEventHub({ coordinators: env.EVENT_COORDINATOR, shards: env.EVENT_SHARDS, shardNames: shardNames(env) }),
    upstream: createUpstreamClient({ userAgent: env.UPSTREAM_USER_AGENT, states: createUpstreamStates(db), random: systemRandom }),
    limiter: createRateLimiter(env.RATE_LIMITS, environment.callsAtOnce),
    ingestLog: createIngestLog(db),
    gate: createTokenGate(env.TOKEN_GATES, createTokensRepository(db), usageDelayOf(env.USAGE_DELAY_SECONDS)),
  };
}

/** Seconds from a variable; null when it is empty or no number. */
function usageDelayOf(value: string): number | null {
  return /^\d{1,3}(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
}

type Base = ReturnType<typeof composeBase>;

const drawId = () => crypto.randomUUID();

/** What changes by itself: rotations, feeds, the game's servers, and the small tools. */
function composeLiveAreas(env: Env, { db, hub, upstream, ingestLog }: Base) {
  const blueprintOf = createArtLookup(db);
  const rotations = createRotationsArea({
    db,
    itemArt: async (name) => ({ blueprint: await blueprintOf(name), imageUrl: null }),
    ingestLog,
    onCapture: hub.changed,
    upstream,
    chaosRelaySeconds: periodFrom(env.CHAOS_RELAY_REFRESH_SECONDS, DEFAULT_CHAOS_RELAY_SECONDS),
  });
  const feeds = createFeedsArea({ db, cache: env.CACHE, upstream, config: readFeedsConfig(env), events: hub });
  const gameStatus = createGameStatusArea({ db, cache: env.CACHE, upstream, events: hub, drawBytes });
  const misc = createMiscArea({
    ...{ db, upstream, drawId },
    outboxBucket: env.OUTBOX,
    companionProduct: env.COMPANION_PRODUCT,
    publicUrl: env.BASE_URL,
  });
  const clientapp = createClientappArea({ db, upstream, config: readClientappConfig(env) });
  return { rotations, feeds, gameStatus, misc, clientapp };
}

/** What bots upload dumps for, and what follows from it. */
function composeBoardAreas(env: Env, { db, hub, limiter, ingestLog, environment }: Base, interestList: () => Promise<readonly string[]>) {
  const { rateLimitScale } = environment;
  const market = createMarketArea({
    ...{ db, ingestLog, interestList, drawId },
    bucket: env.BOARDS,
    archive: createArchiveBudget({
      ...{ limiter, rateLimitScale },
      area: 'market',
      limitsOf: ({ marketArchiveRateLimitMax: limit, marketArchiveRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
    }),
  });
  const leaderboards = createLeaderboardsArea({
    ...{ db, drawId, log: ingestLog },
    bucket: env.BOARDS,
    ingest: createIngestClient(env.BOARDS_INGEST),
    archive: createArchiveBudget({
      ...{ limiter, rateLimitScale },
      area: 'leaderboards',
      limitsOf: ({ leaderboardsArchiveRateLimitMax: limit, leaderboardsArchiveRateLimitWindowSeconds: windowSeconds }) => ({
        limit,
        windowSeconds,
      }),
    }),
  });
  const activity = createActivityArea({ db, events: hub, clock: systemClock });
  return { market, leaderboards, activity };
}

/** What is kept by its content: the files of the game, and mods. */
function composeArchiveAreas(env: Env, { db, hub, ingestLog }: Base) {
  const codexes = createCodexesArea({
    db,
    contents: createContentStore(env.ARCHIVE),
    source: createArchiveListing(db),
    indexObjects: env.CODEX_INDEX,
    branches: BRANCH_NAMES,
  });
  const updates = createUpdatesArea({
    db,
    bucket: env.ARCHIVE,
    syncObjects: env.ARCHIVE_SYNC,
    events: hub,
    hooks: [async ({ branch, now }) => void (await codexes.startIndex(branch, now))],
    sourceBase: env.UPDATES_SOURCE_BASE,
    probeSeconds: periodFrom(env.UPDATES_PROBE_SECONDS, DEFAULT_UPDATES_PROBE_SECONDS),
  });
  const mods = createModsArea();
  const modsCatalog = createModsCatalogArea({
    ...{ db, drawId },
    events: hub,
    inspect: mods.inspectArtifact,
    store: createContentStore(env.ARCHIVE),
    ingest: ingestLog,
    downloadObjects: env.MOD_DOWNLOADS,
    mirrorObjects: env.MODS_MIRROR,
    portalUrl: env.PORTAL_URL,
    mirrorUrl: env.MODS_MIRROR_URL,
  });
  return { updates, codexes, mods, modsCatalog };
}

/** Giveaways, whose winners are told by mail. */
function composeGiveaways(env: Env, { db, hub, upstream }: Base) {
  const mailer = composeMailer(env, db, upstream);
  return createGiveawaysArea({
    ...{ db, drawId, drawBytes },
    events: hub,
    async notifyWinner(giveaway, to, now) {
      await mailer.send(await mailer.queue({ to, ...winnerMail(giveaway) }, now), now);
    },
  });
}

/** Pictures of webhook messages that are drawn for each post. */
function composeDesigns(env: Env, { db }: Pick<Base, 'db'>) {
  return createDesigns({ db, assets: env.ASSETS, drawId });
}

/** Chat webhooks that accounts have events posted to. */
function composeWebhooks(env: Env, { db, limiter, environment }: Base) {
  const designs = composeDesigns(env, { db });
  const webhooks = createWebhooksArea({
    ...{ db, drawId, realTime: systemMilliseconds },
    senderObjects: env.WEBHOOK_SENDERS,
    images: designs.images,
    drawings: createDrawingBudget(limiter, environment.rateLimitScale),
    secret: env.WEBHOOK_SECRET ?? env.SESSION_SECRET,
  });
  return { webhooks, designs };
}

/** The people behind tokens: accounts, tokens, what they use, and their webhooks. */
function composePortalAreas(env: Env, base: Base, forgetEntries: (userId: string) => Promise<void>) {
  const { db, upstream, gate } = base;
  const { webhooks, designs } = composeWebhooks(env, base);
  const mailer = composeMailer(env, db, upstream);
  const tokens = createTokenRegistry(db, gate);
  const usage = createUsageRepository(db);
  const removers = [tokens.removeOwner, usage.removeOwner, forgetEntries, webhooks.removeOwner, designs.forgetAccount];
  const accounts = createAccountsArea({
    env,
    db,
    upstream,
    mailer,
    tokens,
    usage,
    removers,
    webhooksOf: webhooks.exportOf,
    designsOf: designs.exportOf,
  });
  const tokensArea = createTokensArea({
    ...{ env, tokens, usage, mailer, emailOf: accounts.emailOf, superusers: accounts.superusers },
    captchaSiteKey: accounts.captcha.siteKey,
  });
  const portal = createPortalArea({ env, mailer, captchaSiteKey: accounts.captcha.siteKey, profileOf: accounts.profileOf, drawBytes });
  const secretScanning = createSecretScanningArea({ env, db, upstream, tokens, mailer });
  return { accounts, tokens: tokensArea, webhooks, designs, secretScanning, portal, mail: { jobs: mailJobs(mailer) } };
}

/** Every area that owns data, with what it offers to the rest: endpoints, jobs, event sources. */
function composeDataAreas(env: Env, base: Base) {
  const live = composeLiveAreas(env, base);
  const areas = {
    ...live,
    ...composeBoardAreas(env, base, () => live.misc.interestItems.names()),
    ...composeArchiveAreas(env, base),
    giveaways: composeGiveaways(env, base),
  };
  const { rotations, gameStatus, feeds, activity, giveaways, updates } = areas;
  const eventSources = [rotations, gameStatus, feeds, activity, giveaways, updates].flatMap((area) => area.eventSources);
  return { ...areas, eventSources };
}

/** Bodies of an area as parts of the snapshot. */
function partsOf(bodies: Readonly<Record<string, Pick<SnapshotPart, 'source' | 'feature'>>>, scope: Scope, isDefault: boolean) {
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, { ...body, scope, isDefault }]));
}

/** Builds everything the application needs from the bindings: the one place that sees every area. */
export function composeApp(env: Env): AppDeps & { scheduler: Scheduler } {
  const base = composeBase(env);
  const { environment, db, settings, hub, limiter, gate, ingestLog } = base;
  const { eventSources, ...areas } = composeDataAreas(env, base);
  const { rotations, feeds, gameStatus, misc, market, leaderboards, activity, giveaways, updates, codexes, mods, modsCatalog, clientapp } =
    areas;
  const { accounts, tokens, webhooks, designs, secretScanning, portal, mail } = composePortalAreas(env, base, giveaways.forgetAccount);
  const events = createEventsArea({ hub, sources: eventSources, assets: env.ASSETS });
  // The prober first: an invocation has few connections at once, and the prober's must not wait for a slow feed.
  const withJobs = [
    ...[gameStatus, events, rotations, feeds, misc, modsCatalog, market, leaderboards, activity, giveaways, updates, codexes, clientapp],
    ...[mail, accounts, tokens, webhooks, { jobs: ingestJobs(ingestLog) }],
  ];
  const scheduler = createScheduler({ jobs: withJobs.flatMap((area) => area.jobs), runs: createJobsRepository(db), settings });
  const admin = createAdminArea({ scheduler, settings, stored: createSettingsRepository(db), ingestLog });
  const stats = createStatsArea();
  const gems = createGemsArea({ random: createRandomWords() });
  const ocr = createOcrArea({ assets: env.ASSETS });
  // In the order of the specification, which the documentation follows.
  const inOrder = [
    ...[rotations, stats, gems, feeds, misc, gameStatus, mods, modsCatalog, updates, codexes],
    ...[
      clientapp,
      leaderboards,
      market,
      activity,
      giveaways,
      events,
      ocr,
      accounts,
      tokens,
      webhooks,
      designs,
      secretScanning,
      admin,
      portal,
    ],
  ];
  const endpoints = inOrder.flatMap((area) => area.endpoints);
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
      gate,
      limiter,
      sessions: accounts.sessions,
      tokenPrefix: env.TOKEN_PREFIX,
      rateLimitScale: environment.rateLimitScale,
      callsAtOnce: environment.callsAtOnce,
    }),
    usage: gate,
    idempotency: createIdempotency(env.IDEMPOTENCY),
    time: { clock: systemClock, acceptsTestClock: environment.isForTesting },
    baseUrl: env.BASE_URL,
    logsRequests: env.LOG_REQUESTS !== 'off',
  };
}

/** What the event coordinator watches. */
export function composeCoordinator(env: Env): CoordinatorParts {
  const base = composeBase(env);
  const { db, settings } = base;
  const follower = createWebhookFollower({ db, settings, drawId, realTime: systemMilliseconds, senderObjects: env.WEBHOOK_SENDERS });
  return { sources: composeDataAreas(env, base).eventSources, settings, follower };
}

/** What an object that posts to webhooks works with. */
export function composeWebhookSender(env: Env): WebhookSender {
  const { db, upstream, settings, limiter, environment } = composeBase(env);
  const standIn = environment.isForTesting && env.WEBHOOK_POST_BASE !== '' ? env.WEBHOOK_POST_BASE : null;
  return createSenderParts({
    ...{ db, upstream, settings, standIn, drawId, realTime: systemMilliseconds },
    images: composeDesigns(env, { db }).images,
    drawings: createDrawingBudget(limiter, environment.rateLimitScale),
    secret: env.WEBHOOK_SECRET ?? env.SESSION_SECRET,
  });
}

/** What the ingest of leaderboards does, and who is told of a capture. */
export function composeBoardsIngest(env: Env): IngestWork {
  const { db, hub, settings, ingestLog: log } = composeBase(env);
  const activity = createActivityArea({ db, events: hub, clock: systemClock });
  return createIngestWork({ db, bucket: env.BOARDS, settings, log, listeners: [activity.onCapture], clock: systemClock });
}

/** What the mirror of the community mods catalog works with. */
export function composeModsMirror(env: Env): MirrorParts {
  const { db, upstream, settings } = composeBase(env);
  return createMirrorParts({
    ...{ db, upstream, settings, drawId },
    store: createContentStore(env.ARCHIVE),
    inspect: createModsArea().inspectArtifact,
    mirrorUrl: env.MODS_MIRROR_URL,
  });
}

/** What an object that syncs a branch of the archive works with. */
export function composeArchiveSync(env: Env): ArchiveSyncParts {
  const base = composeBase(env);
  const { db, settings, upstream } = base;
  return createArchiveSyncParts({
    ...{ db, settings, upstream },
    bucket: env.ARCHIVE,
    announcer: composeArchiveAreas(env, base).updates.announcer,
    sourceBase: env.UPDATES_SOURCE_BASE,
    sourcePrefix: env.UPDATES_SOURCE_PREFIX,
    userAgent: env.UPSTREAM_USER_AGENT,
    random: systemRandom,
  });
}

/** What an object that builds the codexes of a branch works with: the archive is where its files come from. */
export function composeCodexIndex(env: Env): CodexIndexParts {
  const db = createDatabase(env.DB);
  const contents = createContentStore(env.ARCHIVE);
  const source = { ...createArchiveListing(db), bytes: contents.bytes, open: contents.open };
  return createCodexIndexParts(db, source, contents);
}
