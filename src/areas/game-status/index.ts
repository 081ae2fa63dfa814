import { type AreaContext, asSnapshotBodies, defineArea, type Ports } from '../../platform/area/area.ts';
import type { EventSource, TriggeredEvent } from '../../platform/events/event-source.ts';
import { createTriggerQueue } from '../../platform/events/trigger-queue.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { systemRandomBytes } from '../../platform/kit/random.ts';
import { runEach } from '../../platform/kit/tasks.ts';
import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { createRevalidatingCache, createRevalidatingCaches } from '../../platform/storage/memory-caches.ts';
import { waitFor } from '../../platform/upstream/retry.ts';
import type { Environment } from './game-status.data.ts';
import { type ServerDownBody, serverDownEvent, serverStatusEvent } from './game-status.events.ts';
import type { toHistoryBody } from './game-status.schemas.ts';
import { gameStatusSettings } from './game-status.settings.ts';
import { createGameStatusStore, createStatusCopy } from './game-status.store.ts';
import { gameStatusTables } from './game-status.tables.ts';
import { statusHistory } from './history.domain.ts';
import { createGameStatusService, createProber } from './prober.service.ts';
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

const pauseUnlessAborted = (milliseconds: number, signal: AbortSignal) => waitFor(milliseconds, signal).catch(() => {});

const outageKey = ({ server, down_since: since, minutes }: ServerDownBody) => `${server}:${since}:${minutes}`;

function toOutageEvents(payload: string): TriggeredEvent[] {
  const { body, at } = JSON.parse(payload) as { body: ServerDownBody; at: UnixSeconds };
  return [{ type: serverDownEvent.type, key: `${serverDownEvent.type}:${outageKey(body)}`, body, at }];
}

type GameStatusContext = Pick<AreaContext, 'db' | 'publicReads' | 'env' | 'upstream' | 'events' | 'outbox' | 'ports'>;

/** Stored rounds, what isolates cache of them, and the prober that adds one. */
function createGameStatus({ db, publicReads, env, upstream, events, outbox, ports }: GameStatusContext) {
  const outages = createTriggerQueue(outbox, (triggered) => ports.webhookTrigger(triggered), {
    type: serverDownEvent.type,
    jobName: 'game-status-outages',
    eventsOf: toOutageEvents,
  });
  // An outage is queued in the transaction of its round, so that an isolate that ends cannot lose it.
  const store = createGameStatusStore(db, publicReads, (body, now) =>
    outages.insertion(outageKey(body), JSON.stringify({ body, at: now }), now),
  );
  const copy = createStatusCopy(env.CACHE);
  const prober = createProber({
    auth: createAuthProbe(upstream),
    sockets: createGameSockets(),
    hasAddresses: createNameLookup(upstream),
    randomBytes: systemRandomBytes,
    pause: pauseUnlessAborted,
  });
  const body = createRevalidatingCache(async () => {
    const [text, { statusBody, toStatusResponse }] = await Promise.all([copy.read(), importSchemas()]);
    return text === null ? statusBody((await store.findPublic()) ?? UNPROBED) : toStatusResponse(text);
  }, STATUS_TTL_MS);
  const segments = createRevalidatingCaches(
    (key: string) => {
      const [environment = '', since = ''] = key.split(' ');
      return store.segmentsSince(environment as Environment, Number(since));
    },
    SEGMENTS_TTL_MS,
    MAX_CACHED_SEGMENTS,
  );
  const service = createGameStatusService({
    store,
    prober,
    async onRound(status, now) {
      body.invalidate();
      const { statusBody } = await importSchemas();
      segments.invalidate();
      const publish = async () => {
        await Promise.all([copy.write(statusBody(status).text), events.changed(serverStatusEvent.type, now)]);
      };
      // A copy that cannot be written must not keep an outage from the webhooks until the next run of its job.
      await runEach([publish, () => outages.drain(now)], (step) => step());
    },
  });
  return { outages, store, body, segments, service };
}

type GameStatus = ReturnType<typeof createGameStatus>;

const statusSource = (stored: GameStatus['service']['stored']): EventSource => ({
  type: serverStatusEvent.type,
  feature: 'featureServerStatusEnabled',
  refresh: stored.invalidate,
  async stateAt() {
    const [status, { statusBody }] = await Promise.all([stored.get(), importSchemas()]);
    return { body: statusBody(status ?? UNPROBED), signature: status && statusStreamSignature(status) };
  },
});

const historyOf =
  (segments: GameStatus['segments']): Ports['gameStatusHistory'] =>
  async (environment, days, now, { gameStatusProbeIntervalSeconds }) => {
    // From the start of the first day, so that the key changes once a day.
    const since = floorDiv(now - days * SECONDS_PER_DAY, SECONDS_PER_DAY) * SECONDS_PER_DAY;
    const [stored, { toHistoryBody }] = await Promise.all([segments.get(`${environment} ${since}`), importSchemas()]);
    return toHistoryBody(environment, days, statusHistory(stored, now, days, gameStatusProbeIntervalSeconds));
  };

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

/** `/v1/misc/game-status`: endpoints, prober job, snapshot body and event stream source. */
export const gameStatusArea = defineArea({
  settings: gameStatusSettings,
  events: [serverStatusEvent, serverDownEvent],
  tables: gameStatusTables,
  create(context) {
    const { outages, store, body, segments, service } = createGameStatus(context);
    const snapshotBody = { source: body.get, schema: importSchema, feature: 'featureServerStatusEnabled' as const };
    return {
      endpoints: [
        lazyRoutes(['/v1/misc'], async () => {
          const { createGameStatusEndpoints, createStatusImageEndpoints } = await import('./game-status.routes.ts');
          return [...createGameStatusEndpoints(body.get, store), ...createStatusImageEndpoints(body.get)];
        }),
      ],
      jobs: [
        {
          name: 'game-status',
          schedule: { everySeconds: SECONDS_PER_MINUTE, text: 'every 60 s (game_status_probe_interval_seconds)' },
          timeoutSeconds: ROUND_TIMEOUT_SECONDS,
          startsFirst: true,
          run: service.round,
        },
        outages.job,
      ],
      eventSources: [statusSource(service.stored)],
      eventSchemas: async () => ({ server_status: await importSchema() }),
      snapshotBodies: asSnapshotBodies({ 'game-status': snapshotBody }, 'misc:read', false),
      provides: { gameStatusHistory: historyOf(segments) },
    };
  },
});
