import type { AppDeps } from './app.ts';
import { accountsArea } from './areas/accounts/index.ts';
import { activityArea } from './areas/activity/index.ts';
import { adminArea } from './areas/admin/index.ts';
import { backupArea } from './areas/backup/index.ts';
import { clientappArea } from './areas/clientapp/index.ts';
import { codexesArea } from './areas/codexes/index.ts';
import { reportsArea } from './areas/content-reports/index.ts';
import { docsArea } from './areas/docs/index.ts';
import { eventsArea } from './areas/events/index.ts';
import { feedsArea } from './areas/feeds/index.ts';
import { gameStatusArea } from './areas/game-status/index.ts';
import { gemsArea } from './areas/gems/index.ts';
import { giveawaysArea } from './areas/giveaways/index.ts';
import { ingestArea } from './areas/ingest/index.ts';
import { leaderboardsArea } from './areas/leaderboards/index.ts';
import { marketArea } from './areas/market/index.ts';
import { mcpArea } from './areas/mcp/index.ts';
import { miscArea } from './areas/misc/index.ts';
import { modsArea } from './areas/mods/index.ts';
import { modsCatalogArea } from './areas/mods-catalog/index.ts';
import { ocrArea } from './areas/ocr/index.ts';
import { portalArea } from './areas/portal/index.ts';
import { rotationsArea } from './areas/rotations/index.ts';
import { searchArea } from './areas/search/index.ts';
import { secretScanningArea } from './areas/secret-scanning/index.ts';
import { serviceArea } from './areas/service/index.ts';
import { serviceStatusArea } from './areas/service-status/index.ts';
import { statsArea } from './areas/stats/index.ts';
import { tokensArea } from './areas/tokens/index.ts';
import { updatesArea } from './areas/updates/index.ts';
import { usageArea } from './areas/usage/index.ts';
import { webhooksArea } from './areas/webhooks/index.ts';
import { OBJECT_REPEATS } from './object-repeats.ts';
import { createRateLimiter, DEFAULT_ADDRESS_OBJECTS } from './platform/access/limits/rate-limiter.ts';
import { createAccessServices } from './platform/access/policy/admit.ts';
import { createTokenReader } from './platform/access/policy/credentials.ts';
import { createScopeRegistry } from './platform/access/policy/scopes.ts';
import { createProjectKeys } from './platform/access/project-keys/project-keys.ts';
import { createChangeJournal } from './platform/access/tokens/change-journal.ts';
import { createTokenChanges, type TokenChanges, tokenChangeJobs } from './platform/access/tokens/token-changes.ts';
import { tokenFormatFrom } from './platform/access/tokens/token-format.ts';
import { createTokenGate } from './platform/access/tokens/token-gate.ts';
import { createTokenRegistry } from './platform/access/tokens/token-registry.ts';
import { createTokensStore } from './platform/access/tokens/tokens.store.ts';
import { createTraffic } from './platform/access/usage/traffic.ts';
import {
  type Area,
  type AreaContext,
  type AreaParts,
  createAreas,
  type Platform,
  type Ports,
  type ProvidedByEach,
  type Service,
} from './platform/area/area.ts';
import { PLATFORM_TABLES } from './platform/area/platform-tables.ts';
import { setObjectRepeats, withReachableObjects } from './platform/durable/object-calls.ts';
import { createOutbox } from './platform/durable/outbox.ts';
import type { Job } from './platform/durable/schedule/job.ts';
import { createJobsStore } from './platform/durable/schedule/jobs.store.ts';
import { createScheduler, type Scheduler } from './platform/durable/schedule/scheduler.ts';
import { createEventRegistry } from './platform/events/event-declaration.ts';
import { createMemoryPool } from './platform/http/bodies/memory-pool.ts';
import { createIdempotency } from './platform/http/idempotency/idempotency.ts';
import { loadRoutes, type Routes } from './platform/http/pipeline/route-groups.ts';
import { isolateMemory } from './platform/kit/isolate-memory.ts';
import { systemRandom } from './platform/kit/random.ts';
import { systemClock } from './platform/kit/time/clock.ts';
import { readEnvironment } from './platform/settings/environment.ts';
import { createSettingRegistry } from './platform/settings/setting-values.ts';
import { platformSettings } from './platform/settings/settings.data.ts';
import { createSettingsStore, readOverrides } from './platform/settings/settings.store.ts';
import { createSettingsCache } from './platform/settings/settings-cache.ts';
import { type ServiceEnv, withDefaults } from './platform/settings/variables.data.ts';
import { createDatabases } from './platform/storage/database.ts';
import { withRepeatedStores } from './platform/storage/repeated-stores.ts';
import { composeMailer, mailJobs } from './platform/upstream/mail/compose-mailer.ts';
import { createUpstreamClient } from './platform/upstream/upstream-client.ts';
import { createUpstreamStates } from './platform/upstream/upstream-states.store.ts';
import type { UpstreamStates } from './platform/upstream/upstream-states.ts';

/** Every area. The documentation lists them in this order, which is that of the specification. */
const AREAS = {
  service: serviceArea,
  docs: docsArea,
  serviceStatus: serviceStatusArea,
  rotations: rotationsArea,
  stats: statsArea,
  gems: gemsArea,
  feeds: feedsArea,
  misc: miscArea,
  gameStatus: gameStatusArea,
  mods: modsArea,
  modsCatalog: modsCatalogArea,
  updates: updatesArea,
  codexes: codexesArea,
  clientapp: clientappArea,
  leaderboards: leaderboardsArea,
  market: marketArea,
  activity: activityArea,
  giveaways: giveawaysArea,
  search: searchArea,
  events: eventsArea,
  ocr: ocrArea,
  mcp: mcpArea,
  accounts: accountsArea,
  tokens: tokensArea,
  usage: usageArea,
  webhooks: webhooksArea,
  secretScanning: secretScanningArea,
  ingest: ingestArea,
  contentReports: reportsArea,
  admin: adminArea,
  backup: backupArea,
  portal: portalArea,
};

const DECLARED: readonly Area[] = Object.values(AREAS);

setObjectRepeats(OBJECT_REPEATS);

/** The settings of every area. */
export const SETTINGS = createSettingRegistry([platformSettings, ...DECLARED.map(({ settings }) => settings ?? {})]);

/** The scopes of every area. */
export const SCOPES = createScopeRegistry(DECLARED.map(({ scopes }) => scopes ?? {}));

/** The event types of every area. */
export const EVENTS = createEventRegistry(DECLARED.flatMap(({ events }) => events ?? []));

const RATE_LIMIT_GROUPS = DECLARED.flatMap(({ rateLimitGroups }) => rateLimitGroups ?? []);

function composePlatform(env: ServiceEnv, ports: Ports): Platform & { upstreamStates: UpstreamStates; tokenChanges: TokenChanges } {
  const { db, publicReads, freshness } = createDatabases(env.DB);
  const upstreamStates = createUpstreamStates(db);
  const upstream = createUpstreamClient({ userAgent: env.UPSTREAM_USER_AGENT, states: upstreamStates, random: systemRandom });
  const environment = readEnvironment(env);
  const outbox = createOutbox(db, systemClock);
  const tokenFormat = tokenFormatFrom(env);
  const lookup = tokenFormat.verifiesCheck ? null : createTokensStore(db);
  const gate = createTokenGate(env.TOKEN_GATES, lookup, usageDelayFrom(env.USAGE_DELAY_SECONDS));
  const { BACKUPS: bucket, BACKUP_PUBLIC_KEY: publicKey } = env;
  const changeJournal = createChangeJournal({ db, outbox, bucket, publicKey, secret: tokenFormat.key });
  const tokenChanges = createTokenChanges(db, gate, undefined, changeJournal);
  const storedSettings = createSettingsStore(db, SETTINGS);
  return {
    env,
    environment,
    db,
    publicReads,
    freshness,
    upstream,
    upstreamStates,
    gate,
    tokenFormat,
    tokenChanges,
    changeJournal,
    projectKeys: createProjectKeys(db, tokenFormat),
    storedSettings,
    settingRegistry: SETTINGS,
    scopes: SCOPES,
    rateLimitGroups: RATE_LIMIT_GROUPS,
    settings: createSettingsCache(() => readOverrides(publicReads), SETTINGS),
    limiter: createRateLimiter(env.RATE_LIMITS, addressObjectsFrom(env.ADDRESS_OBJECTS)),
    memory: createMemoryPool(isolateMemory),
    tokens: createTokenRegistry(db, gate, tokenChanges),
    outbox,
    mailer: composeMailer(env, db, outbox, upstream),
    ingestLog: {
      record: (entry) => ports.ingestLog.record(entry),
      receive: (entry) => ports.ingestLog.receive(entry),
    },
    events: {
      changed: (type, now) => ports.events.changed(type, now),
      announce: (type, key, data, now) => ports.events.announce(type, key, data, now),
    },
    newId: crypto.randomUUID.bind(crypto),
  };
}

type Provided = ProvidedByEach<typeof AREAS>;

/** The ports that are functions. */
type FunctionPort = { [Port in keyof Ports]: Ports[Port] extends (...input: never[]) => unknown ? Port : never }[keyof Ports];

/** The area that provides a port; another one, none, or two of them do not compile. */
type Providers<Port extends keyof Ports> = {
  [Name in Port]: { [Area in keyof Provided]: Provided[Area] extends Record<Name, Ports[Name]> ? Area : never }[keyof Provided];
};

/** The provider of each port that is a function. */
const FUNCTION_PORTS: Providers<FunctionPort> = {
  tagDocument: 'service',
  listTools: 'mcp',
  classFigures: 'codexes',
  checkService: 'serviceStatus',
  databaseGrowth: 'serviceStatus',
  alertOperator: 'serviceStatus',
  interestItems: 'misc',
  cachedInterestItems: 'misc',
  gameStatusHistory: 'gameStatus',
  inspectArtifact: 'mods',
  packArtifacts: 'mods',
  readArtifactPaths: 'mods',
  stampArtifact: 'mods',
  publicMod: 'modsCatalog',
  craftingTree: 'codexes',
  startCodexIndex: 'codexes',
  itemBlueprints: 'codexes',
  loadItemBlueprints: 'codexes',
  recomputeCaptures: 'leaderboards',
  unitPrices: 'market',
  marketFigures: 'market',
  marketItemPrices: 'market',
  marketPrice: 'market',
  streamHeartbeat: 'events',
  countStreams: 'events',
  accountEmail: 'accounts',
  superusers: 'accounts',
  captchaSiteKey: 'accounts',
  requireCaptcha: 'accounts',
  confirmSuperuser: 'accounts',
  recordRequest: 'usage',
  trafficShape: 'usage',
  webhookTrigger: 'webhooks',
  postSigned: 'webhooks',
  selectInserts: 'ingest',
  lastBackup: 'backup',
};

/** The provider of each other port. */
const OBJECT_PORTS: Providers<Exclude<keyof Ports, FunctionPort>> = {
  guides: 'docs',
  publicMods: 'modsCatalog',
  publicPacks: 'modsCatalog',
  updatePages: 'updates',
  archive: 'updates',
  codexReader: 'codexes',
  codexPatches: 'codexes',
  boardPages: 'leaderboards',
  rotationPages: 'rotations',
  boardCaptureConsumers: 'activity',
  activitySeries: 'activity',
  searchIndex: 'search',
  search: 'search',
  events: 'events',
  sessions: 'accounts',
  usage: 'usage',
  eventFollower: 'webhooks',
  ingestLog: 'ingest',
  announcementForm: 'serviceStatus',
  reportForm: 'contentReports',
};

/** Connects each port with its provider. The areas exist only when a port is used, so the ports read them then. */
function connectPorts(provided: () => Provided): Ports {
  // The tables above have the types; an entry of an object has no type of its own.
  const read = (area: string, port: string) => (provided() as unknown as Record<string, Record<string, unknown>>)[area]?.[port];
  const ports = {};
  for (const [port, area] of Object.entries(FUNCTION_PORTS)) {
    const value = (...input: unknown[]) => (read(area, port) as (...input: unknown[]) => unknown)(...input);
    Object.defineProperty(ports, port, { value, enumerable: true });
  }
  for (const [port, area] of Object.entries(OBJECT_PORTS))
    Object.defineProperty(ports, port, { get: () => read(area, port), enumerable: true });
  return ports as Ports;
}

/** Parses the number of seconds in a variable; null when the variable is empty or not a number. */
function usageDelayFrom(value: string): number | null {
  return /^\d{1,3}(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
}

/** Parses the number of objects that count the addresses of a location: from 1 to 99. */
function addressObjectsFrom(value = ''): number {
  return /^[1-9]\d?$/.test(value.trim()) ? Number(value) : DEFAULT_ADDRESS_OBJECTS;
}

/** The composed service: dependencies of the HTTP application and the Durable Objects, and the scheduler. */
export interface ComposedService extends AppDeps {
  scheduler: Scheduler;
  /** The jobs that the scheduler runs. */
  jobs: readonly Job[];
  service: Service;
  ports: Ports;
  /** For the Durable Objects of areas. */
  context: AreaContext;
}

/** What the areas declare and return together, for those that read it. The areas exist only when it is read. */
function describeService(parts: () => readonly AreaParts[], routes: () => readonly Routes[], scheduler: () => Scheduler): Service {
  return {
    endpoints: () => loadRoutes(routes()),
    eventSources() {
      const sources = new Map(
        parts()
          .flatMap((area) => area.eventSources ?? [])
          .map((source) => [source.type, source]),
      );
      return EVENTS.types.flatMap((type) => sources.get(type) ?? []);
    },
    eventSchemas: async () => Object.assign({}, ...(await Promise.all(parts().map((area) => area.eventSchemas?.())))),
    eventFacts: () => Object.assign({}, ...parts().map((area) => area.eventFacts)),
    snapshotBodies: () => Object.assign({}, ...parts().map((area) => area.snapshotBodies)),
    accountData: () => parts().flatMap((area) => area.accountData ?? []),
    searchSources: () => parts().flatMap((area) => area.searchSources ?? []),
    scheduler,
    tags: Object.assign({}, ...DECLARED.map((area) => area.tags)),
    events: EVENTS,
    webhooks: async () => Object.assign({}, ...(await Promise.all(DECLARED.map((area) => area.webhooks?.(EVENTS))))),
    stored: DECLARED.flatMap((area) => area.stored ?? []),
    tables: Object.assign({}, PLATFORM_TABLES, ...DECLARED.map((area) => area.tables)),
  };
}

/** Composes the service from the bindings of the deployment. */
export function composeApp(bindings: Env): ComposedService {
  const env = withDefaults(withRepeatedStores(withReachableObjects(bindings)));
  const ports = connectPorts(() => provided);
  const platform = composePlatform(env, ports);
  const routes = once((): readonly Routes[] =>
    parts.flatMap(({ endpoints }) => (typeof endpoints === 'function' ? endpoints() : endpoints)),
  );
  const service = describeService(
    () => parts,
    routes,
    () => scheduler,
  );
  const context: AreaContext = { ...platform, ports, service };
  const { parts, provided } = createAreas(AREAS, context);
  const { environment, db, settings, upstreamStates, limiter, gate, mailer, ingestLog, tokenFormat, tokenChanges } = platform;
  const jobs = [...parts.flatMap((area) => area.jobs ?? []), ...mailJobs(mailer), ...tokenChangeJobs(tokenChanges, platform.outbox)];
  jobs.sort((one, other) => Number(other.startsFirst ?? false) - Number(one.startsFirst ?? false));
  const scheduler = createScheduler({ jobs, settings, runs: createJobsStore(db), resumeSources: upstreamStates.resume });
  return {
    scheduler,
    jobs,
    service,
    ports,
    context,
    settings,
    memory: platform.memory,
    ingestLog,
    endpoints: routes(),
    access: createAccessServices({
      gate,
      limiter,
      scopes: SCOPES,
      rateLimitGroups: RATE_LIMIT_GROUPS,
      sessions: ports.sessions,
      readToken: createTokenReader(tokenFormat),
      projectKeys: platform.projectKeys,
      tokenPrefix: tokenFormat.prefix,
      rateLimitScale: environment.rateLimitScale,
    }),
    usage: { recordRequest: ports.recordRequest },
    traffic: createTraffic(db, usageDelayFrom(env.USAGE_DELAY_SECONDS), sampleRandom),
    idempotency: createIdempotency({ objects: env.IDEMPOTENCY, limiter, rateLimitScale: environment.rateLimitScale }),
    time: { clock: systemClock, acceptsTestClock: environment.isNonProduction },
    baseUrl: env.BASE_URL,
    logSample: environment.logSample,
    random: sampleRandom,
  };
}

/** Chooses the requests to log and to count: no secret depends on it. */
// biome-ignore lint/plugin: the source that the composition provides
const sampleRandom = Math.random;

function once<T>(create: () => T): () => T {
  let created: { value: T } | null = null;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}
