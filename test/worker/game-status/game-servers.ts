import { gameStatusArea as gameStatus } from '../../../src/areas/game-status/index.ts';
import type { TriggeredEvent } from '../../../src/platform/events/event-source.ts';
import type { Settings } from '../../../src/platform/settings/settings.data.ts';
import { type AreaChanges, composedArea, recordingPublisher } from '../../support/composed-area.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import type { GameAuthMode } from '../../support/upstreams/game-auth.ts';
import type { OpenedSocket, SocketBehaviour, SocketPorts } from '../../support/upstreams/game-sockets.ts';
import type { ResolverState } from '../../support/upstreams/name-resolver.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testUpstream } from '../../support/upstreams/test-upstream.ts';

export const HOST = '127.0.0.1';

/** A hold long enough for busy machines, for tests with a server that drops its client. Other tests use a short hold. */
export const SAFE_HOLD_SECONDS = 1.5;
const SHORT_HOLD_SECONDS = 0.2;

/** Game stubs of one test: a gateway and three sockets, online by default. */
export async function gameServers(holdSeconds = SHORT_HOLD_SECONDS) {
  const auth = upstreamSession('game-auth');
  const sockets = upstreamSession('game-sockets');
  const resolver = upstreamSession('name-resolver');
  const ports = (await (await fetch(`${sockets.url}/sockets`)).json()) as SocketPorts;
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    gameStatusAuthUrl: String(auth.settings.game_status_auth_url),
    gameStatusEuHost: HOST,
    gameStatusEuPort: ports.eu,
    gameStatusUsHost: HOST,
    gameStatusUsPort: ports.us,
    gameStatusPtsHost: HOST,
    gameStatusPtsPort: ports.pts,
    gameStatusAnchors: new URL(sockets.url).host,
    gameStatusResolverUrl: String(resolver.settings.game_status_resolver_url),
    gameStatusGameHoldSeconds: holdSeconds,
    gameStatusTimeoutSeconds: 3,
    gameStatusProbeAttempts: 1,
    gameStatusProbeRetryDelaySeconds: 0,
  };
  // Online as soon as the bytes arrive. A server that holds its client is online only at the end of the hold.
  await sockets.order({ state: { eu: 'floods', us: 'floods', pts: 'floods' } });
  return {
    settings,
    ports,
    authUrl: settings.gameStatusAuthUrl,
    resolverKnows: (names: ResolverState['names']) => resolver.order({ state: { names } }),
    lookups: () => resolver.calls(),
    authBehaves: (mode: GameAuthMode) => auth.order({ state: { mode } }),
    socketsBehave: (state: Partial<Record<keyof SocketPorts, SocketBehaviour>>) => sockets.order({ state }),
    authCalls: () => auth.calls(),
    authFails: auth.order,
    async opened(): Promise<OpenedSocket[]> {
      return (await (await fetch(`${sockets.url}/calls`)).json()) as OpenedSocket[];
    },
  };
}

export type Game = Awaited<ReturnType<typeof gameServers>>;

/** The area; records published events and outages that it triggers. `changes`: other parts of its context. */
export function gameStatusArea(changes: AreaChanges = {}) {
  const { events, published } = recordingPublisher();
  const outages: TriggeredEvent[] = [];
  const area = composedArea(gameStatus, {
    upstream: testUpstream(),
    events,
    ports: {
      async webhookTrigger(triggered) {
        outages.push(...triggered);
      },
    },
    ...changes,
  });
  const [job] = area.jobs;
  const [source] = area.eventSources;
  if (!job || !source) throw new Error('the area has a job and an event source');
  const probe = (settings: Settings, now: number, isManual = false) =>
    job.run({ settings, now, signal: new AbortController().signal, isManual });
  return { told: published, outages, source, probe };
}
