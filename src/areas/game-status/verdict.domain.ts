import type { UnixSeconds } from '../../platform/time/clock.ts';
import { DROPPED_MAX_BYTES, ENOUGH_BYTES, ENVIRONMENTS, type Environment, PUBLIC_REGIONS, type Status } from './game-status.data.ts';

/** Result of the authentication gateway check. */
export interface AuthCheck {
  online: boolean;
  httpStatus: number | null;
  latencyMs: number;
  /** Null when online. */
  error: string | null;
}

/** Result of a game socket check. */
export interface GameCheck {
  online: boolean;
  host: string;
  port: number;
  /** Time to connect, or to fail; null when nothing was tried. */
  latencyMs: number | null;
  error: 'refused' | 'timeout' | 'dns' | 'dropped' | 'not_configured' | null;
  /** `connect`: the connection alone decided; `deep`: what the server did after the opener. */
  probe: 'connect' | 'deep';
}

export interface EnvironmentStatus {
  status: Status;
  /** The socket alone. */
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
 * Whether a reply is the authentication service's own. Not "any status below 500": when logins are broken the host answers
 * every path with a bare 404.
 */
export function isOwnReply(headerNames: Iterable<string>, body: string): boolean {
  for (const name of headerNames) if (name.toLowerCase().startsWith('x-trionworlds-')) return true;
  return body.includes('Signature:');
}

/** True: online; false: dropped, as under maintenance; null: inconclusive, the connection alone decides. */
export function judgeDeepProbe({ received, closed, reset, held }: DeepProbe): boolean | null {
  if (held || received >= ENOUGH_BYTES) return true;
  if (reset || !closed) return null;
  return received > DROPPED_MAX_BYTES ? null : false;
}

/** Status of one environment (specification "Game server status"). */
export function statusVerdict(authOnline: boolean, gameOnline: boolean): Exclude<Status, 'unknown'> {
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

/** Puts the findings of a round together. An environment that is not probed is known to be down with the gateway, else unknown. */
export function statusOf(auth: AuthCheck, games: Record<Environment, GameCheck>, checkedAt: UnixSeconds): GameStatus {
  const environments = byEnvironment((environment): EnvironmentStatus => {
    const game = games[environment];
    const isUnknown = auth.online && game.error === 'not_configured';
    return { status: isUnknown ? 'unknown' : statusVerdict(auth.online, game.online), online: game.online, game };
  });
  return { overall: overallStatus(environments), auth, environments, checkedAt };
}

/** Before the first round. */
export const UNPROBED: GameStatus = {
  overall: 'unknown',
  auth: null,
  environments: byEnvironment(() => ({ status: 'unknown', online: false, game: null })),
  checkedAt: null,
};

/** Whether any target is not online, in which case the prober itself may be offline. */
export function hasFailure(auth: AuthCheck, games: Record<Environment, GameCheck>): boolean {
  return !auth.online || ENVIRONMENTS.some((environment) => !games[environment].online && games[environment].error !== 'not_configured');
}

/** `server_status` of the event stream: the overall status or that of an environment changes. */
export function statusStreamSignature({ overall, environments }: GameStatus): string {
  return [overall, ...ENVIRONMENTS.map((environment) => environments[environment].status)].join(':');
}

export function byEnvironment<Value>(make: (environment: Environment) => Value): Record<Environment, Value> {
  return { eu: make('eu'), us: make('us'), pts: make('pts') };
}
