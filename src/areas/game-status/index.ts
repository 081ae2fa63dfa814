import { asSnapshotBodies, defineArea, type Ports } from '../../platform/area/area.ts';
import type { Outbox } from '../../platform/durable/outbox.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventPublisher, EventSource, EventTrigger, TriggeredEvent } from '../../platform/events/event-source.ts';
import { createTriggerQueue } from '../../platform/events/trigger-queue.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { systemRandomBytes } from '../../platform/kit/random.ts';
import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { createRevalidatingCache, createRevalidatingCaches } from '../../platform/storage/memory-caches.ts';
import { waitFor } from '../../platform/upstream/retry.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import type { Environment } from './game-status.data.ts';
import { type ServerDownBody, serverDownEvent, serverStatusEvent } from './game-status.events.ts';
import type { toHistoryBody } from './game-status.schemas.ts';
import { gameStatusSettings } from './game-status.settings.ts';
import { createGameStatusStore, createStatusCopy } from './game-status.store.ts';
import { gameStatusTables } from './game-status.tables.ts';
import { statusHistory } from './history.domain.ts';
import { createGameStatusService, createProber, type RandomBytes } from './prober.service.ts';
import { createAuthProbe, createGameSockets, createNameLookup } from './probes.upstream.ts';
import { statusStreamSignature, UNPROBED } from './status.domain.ts';

/** Cache TTL of the status in the isolate, in milliseconds. */
const STATUS_TTL_MS = 5000;
/** Cache TTL of the history in the isolate, in milliseconds, for pages. Rounds are minutes apart. */
const SEGMENTS_TTL_MS = 15_000;
/** Three environments with a few windows. */
const MAX_CACHED_SEGMENTS = 24;
/** Maximum duration of a round: 30 s with default settings, 10 minutes with the largest ones. */
const ROUND_TIMEOUT_SECONDS = 600;

const importSchemas = () => import('./game-status.schemas.ts');
const importSchema = async () => (await importSchemas()).GameStatusBody;

export interface GameStatusAreaDeps {
  db: Database;
  /** Read replica for public data; default `db`. */
  reads?: PublicReads;
  cache: KVNamespace;
  upstream: UpstreamClient;
  events: Pick<EventPublisher, 'changed'>;
  outbox: Outbox;
  /** Receives outages that last. */
  trigger: EventTrigger;
  randomBytes: RandomBytes;
}

const pauseUnlessAborted = (milliseconds: number, signal: AbortSignal) => waitFor(milliseconds, signal).catch(() => {});

const outageKey = ({ server, down_since: since, minutes }: ServerDownBody) => `${server}:${since}:${minutes}`;

function toOutageEvents(payload: string): TriggeredEvent[] {
  const { body, at } = JSON.parse(payload) as { body: ServerDownBody; at: UnixSeconds };
  return [{ type: serverDownEvent.type, key: `${serverDownEvent.type}:${outageKey(body)}`, body, at }];
}

/** `/v1/misc/game-status`: endpoints, prober job, snapshot body and event stream source. */
export function createGameStatusArea({ db, reads = db, cache, upstream, events, outbox, trigger, randomBytes }: GameStatusAreaDeps) {
  const outages = createTriggerQueue(outbox, trigger, {
    type: serverDownEvent.type,
    jobName: 'game-status-outages',
    eventsOf: toOutageEvents,
  });
  const store = createGameStatusStore(db, reads, (body, now) => outages.insertion(outageKey(body), JSON.stringify({ body, at: now }), now));
  const copy = createStatusCopy(cache);
  const prober = createProber({
    auth: createAuthProbe(upstream),
    sockets: createGameSockets(),
    hasAddresses: createNameLookup(upstream),
    randomBytes,
    pause: pauseUnlessAborted,
  });
  const cachedBody = createRevalidatingCache(async () => {
    const [text, { statusBody, toStatusResponse }] = await Promise.all([copy.read(), importSchemas()]);
    return text === null ? statusBody((await store.findPublic()) ?? UNPROBED) : toStatusResponse(text);
  }, STATUS_TTL_MS);
  const service = createGameStatusService({
    store,
    prober,
    async onRound(status, now) {
      cachedBody.invalidate();
      const { statusBody } = await importSchemas();
      segments.invalidate();
      await Promise.all([copy.write(statusBody(status).text), events.changed(serverStatusEvent.type, now)]);
      await outages.drain(now);
    },
  });

  const endpoints = [
    lazyRoutes(['/v1/misc'], async () => {
      const { createGameStatusEndpoints, createStatusImageEndpoints } = await import('./game-status.routes.ts');
      return [...createGameStatusEndpoints(cachedBody.get, store), ...createStatusImageEndpoints(cachedBody.get)];
    }),
  ];
  const job: Job = {
    name: 'game-status',
    schedule: { everySeconds: SECONDS_PER_MINUTE, text: 'every 60 s (game_status_probe_interval_seconds)' },
    timeoutSeconds: ROUND_TIMEOUT_SECONDS,
    startsFirst: true,
    run: service.round,
  };
  const source: EventSource = {
    type: serverStatusEvent.type,
    feature: 'featureServerStatusEnabled',
    refresh: service.stored.invalidate,
    async stateAt() {
      const [status, { statusBody }] = await Promise.all([service.stored.get(), importSchemas()]);
      return { body: statusBody(status ?? UNPROBED), signature: status && statusStreamSignature(status) };
    },
  };
  const bodies = { 'game-status': { source: cachedBody.get, schema: importSchema, feature: 'featureServerStatusEnabled' as const } };
  const segments = createRevalidatingCaches(
    (key: string) => {
      const [environment = '', since = ''] = key.split(' ');
      return store.segmentsSince(environment as Environment, Number(since));
    },
    SEGMENTS_TTL_MS,
    MAX_CACHED_SEGMENTS,
  );
  const history: Ports['gameStatusHistory'] = async (environment, days, now, { gameStatusProbeIntervalSeconds }) => {
    // From the start of the first day, so that the key changes once a day.
    const since = floorDiv(now - days * SECONDS_PER_DAY, SECONDS_PER_DAY) * SECONDS_PER_DAY;
    const [stored, { toHistoryBody }] = await Promise.all([segments.get(`${environment} ${since}`), importSchemas()]);
    return toHistoryBody(environment, days, statusHistory(stored, now, days, gameStatusProbeIntervalSeconds));
  };
  return { endpoints, jobs: [job, outages.job], eventSources: [source], bodies, history };
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** History of an environment, in the format of its endpoint. */
    gameStatusHistory(
      environment: Environment,
      days: number,
      now: UnixSeconds,
      settings: Settings,
    ): Promise<ReturnType<typeof toHistoryBody>>;
  }
}

export const gameStatusArea = defineArea({
  settings: gameStatusSettings,
  events: [serverStatusEvent, serverDownEvent],
  tables: gameStatusTables,
  create({ db, publicReads, env, upstream, events, outbox, ports }) {
    const { bodies, history, ...parts } = createGameStatusArea({
      db,
      reads: publicReads,
      cache: env.CACHE,
      upstream,
      events,
      outbox,
      trigger: (triggered) => ports.webhookTrigger(triggered),
      randomBytes: systemRandomBytes,
    });
    return {
      ...parts,
      eventSchemas: async () => ({ server_status: await importSchema() }),
      snapshotBodies: asSnapshotBodies(bodies, 'misc:read', false),
      provides: { gameStatusHistory: history },
    };
  },
});
