import { SECONDS_PER_DAY } from '../../platform/time/clock.ts';

/** Deployment variables of the event stream. Absent and invalid values fall back to the default. */
export interface EventsVars {
  EVENTS_SHARDS?: string;
  EVENTS_REPLAY_DAYS?: string;
  EVENTS_MAX_CONNECTIONS_PER_SHARD?: string;
}

/** Name of the coordinator object. */
export const COORDINATOR = 'coordinator';

/** Names of the shard objects. */
export function shardNames({ EVENTS_SHARDS }: EventsVars): string[] {
  const count = integerFrom(EVENTS_SHARDS, { max: 64, default: 8 });
  return Array.from({ length: count }, (_, index) => `shard-${index}`);
}

/** Retention of the replay log, in seconds. */
export function replaySeconds({ EVENTS_REPLAY_DAYS }: EventsVars): number {
  return integerFrom(EVENTS_REPLAY_DAYS, { max: 90, default: 7 }) * SECONDS_PER_DAY;
}

/** Maximum number of streams per shard. */
export function maxConnectionsPerShard({ EVENTS_MAX_CONNECTIONS_PER_SHARD }: EventsVars): number {
  return integerFrom(EVENTS_MAX_CONNECTIONS_PER_SHARD, { max: 5000, default: 1000 });
}

function integerFrom(text: string | undefined, bounds: { max: number; default: number }): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= bounds.max ? value : bounds.default;
}
