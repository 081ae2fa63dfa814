import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { VARIABLES } from '../../platform/settings/variables.data.ts';

/** Maximum of each variable of the event stream. Absent and invalid values fall back to the default. */
const MAX = { EVENTS_SHARDS: 64, EVENTS_REPLAY_DAYS: 90, EVENTS_MAX_CONNECTIONS_PER_SHARD: 5000 } as const;

type EventsVars = Partial<Record<keyof typeof MAX, string>>;

/** Name of the coordinator object. */
export const COORDINATOR = 'coordinator';

/** Names of the shard objects. */
export function shardNames(env: EventsVars): string[] {
  return Array.from({ length: integerIn(env, 'EVENTS_SHARDS') }, (_, index) => `shard-${index}`);
}

/** Retention of the replay log, in seconds. */
export function replaySeconds(env: EventsVars): number {
  return integerIn(env, 'EVENTS_REPLAY_DAYS') * SECONDS_PER_DAY;
}

/** Maximum number of streams per shard. */
export function maxConnectionsPerShard(env: EventsVars): number {
  return integerIn(env, 'EVENTS_MAX_CONNECTIONS_PER_SHARD');
}

function integerIn(env: EventsVars, name: keyof EventsVars): number {
  const value = Number(env[name]);
  return Number.isInteger(value) && value >= 1 && value <= MAX[name] ? value : Number(VARIABLES[name].default);
}
