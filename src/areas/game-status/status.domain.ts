import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { DROPPED_MAX_BYTES, ENVIRONMENTS, type Environment, ONLINE_MIN_BYTES, PUBLIC_REGIONS, type Status } from './game-status.data.ts';

/** Result of the authentication gateway check. */
export interface AuthCheck {
  online: boolean;
  httpStatus: number | null;
  latencyMs: number;
  /** Null when online. */
  error: string | null;
}

export const GAME_ERRORS = ['refused', 'timeout', 'dns', 'dropped', 'not_configured'] as const;

/** Result of a game socket check. */
export interface GameCheck {
  online: boolean;
  host: string;
  port: number;
  /** Milliseconds until the connection or failure; null when not attempted. */
  latencyMs: number | null;
  error: (typeof GAME_ERRORS)[number] | null;
  /** `connect`: the connection alone decided. `deep`: the behaviour after the opener decided. */
  probe: 'connect' | 'deep';
}

export interface EnvironmentStatus {
  status: Status;
  /** Result of the socket check alone. */
  online: boolean;
  game: GameCheck | null;
}

/** Results of one probe round. */
export interface GameStatus {
  overall: Status;
  auth: AuthCheck | null;
  environments: Record<Environment, EnvironmentStatus>;
  checkedAt: UnixSeconds | null;
}

/** Behaviour of a socket after the opener was sent. */
export interface DeepProbe {
  received: number;
  closed: boolean;
  reset: boolean;
  held: boolean;
}

/**
 * Whether a response is from the authentication service. The status is not enough: when logins are broken, the host responds to every path
 * with a bare 404.
 */
export function isOwnReply(headerNames: Iterable<string>, body: string): boolean {
  for (const name of headerNames) if (name.toLowerCase().startsWith('x-trionworlds-')) return true;
  return body.includes('Signature:');
}

/** True: online. False: dropped, as under maintenance. Null: inconclusive, the connection alone decides. */
export function deepProbeResult({ received, closed, reset, held }: DeepProbe): boolean | null {
  if (held || received >= ONLINE_MIN_BYTES) return true;
  if (reset || !closed) return null;
  return received > DROPPED_MAX_BYTES ? null : false;
}

/** Status of one environment (specification "Game server status"). */
export function statusOfBoth(authOnline: boolean, gameOnline: boolean): Exclude<Status, 'unknown'> {
  if (!authOnline) return 'down';
  return gameOnline ? 'online' : 'maintenance';
}

/** Combined status of the public regions: their common status, otherwise maintenance. Unknown regions are ignored. */
export function overallStatus(environments: Partial<Record<Environment, { status: Status }>>): Status {
  const statuses = PUBLIC_REGIONS.map((region) => environments[region]?.status ?? 'unknown').filter((status) => status !== 'unknown');
  const [first] = statuses;
  if (first === undefined) return 'unknown';
  return statuses.every((status) => status === first) ? first : 'maintenance';
}

/** Combines the results of a round. An environment without a probe is down with the gateway, otherwise unknown. */
export function combineResults(auth: AuthCheck, games: Record<Environment, GameCheck>, checkedAt: UnixSeconds): GameStatus {
  const environments = byEnvironment((environment): EnvironmentStatus => {
    const game = games[environment];
    const isUnknown = auth.online && game.error === 'not_configured';
    return { status: isUnknown ? 'unknown' : statusOfBoth(auth.online, game.online), online: game.online, game };
  });
  return { overall: overallStatus(environments), auth, environments, checkedAt };
}

/** Status before the first round. */
export const UNPROBED: GameStatus = {
  overall: 'unknown',
  auth: null,
  environments: byEnvironment(() => ({ status: 'unknown', online: false, game: null })),
  checkedAt: null,
};

/** Whether the gateway and every probed environment are offline; the prober itself may then be offline. */
export function isAllOffline(auth: AuthCheck, games: Record<Environment, GameCheck>): boolean {
  return !auth.online && ENVIRONMENTS.every((environment) => !games[environment].online);
}

/** `server_status` of the event stream: changes with the overall status and the status of an environment. */
export function statusStreamSignature({ overall, environments }: GameStatus): string {
  return [overall, ...ENVIRONMENTS.map((environment) => environments[environment].status)].join(':');
}

export function byEnvironment<Value>(create: (environment: Environment) => Value): Record<Environment, Value> {
  return { eu: create('eu'), us: create('us'), pts: create('pts') };
}
