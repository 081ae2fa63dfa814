import { ApiError } from '../../platform/errors/api-error.ts';
import type { EventPublisher } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/logging.ts';
import { SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/time/clock.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { EventCoordinatorBase, StreamHeartbeat } from './coordinator.object.ts';
import type { Resume } from './event-log.ts';
import { CAPACITY_RETRY_SECONDS, PUBLISH_MILLISECONDS, SHARD_REST_MILLISECONDS } from './events.data.ts';
import type { ResumePoint, StreamEvent } from './framing.domain.ts';
import type { EventShardObject } from './shard.object.ts';
import { COORDINATOR } from './shards.ts';

/** The event stream's objects as the Worker sees them. */
export interface EventHub extends EventPublisher {
  /** Opens a socket to one of the shards. Throws 503 when none has a place. */
  connect(): Promise<WebSocket>;
  resume(point: ResumePoint): Promise<Resume>;
  eventsAfter(id: number): Promise<StreamEvent[]>;
  /** Whether the coordinator's alarm is set and a shard answers; another shard each minute. Throws when either does not answer. */
  heartbeat(now: UnixSeconds): Promise<StreamHeartbeat>;
  /** Makes sure that the coordinator watches. */
  wake(): Promise<void>;
}

export interface EventHubDeps {
  coordinators: DurableObjectNamespace<EventCoordinatorBase>;
  shards: DurableObjectNamespace<EventShardObject>;
  shardNames: readonly string[];
}

export function createEventHub({ coordinators, shards, shardNames: names }: EventHubDeps): EventHub {
  const coordinator = () => coordinators.getByName(COORDINATOR);
  /** Until when a shard that had no place is passed by, so that a crowd at the door costs no calls. */
  const restsUntil = new Map<string, number>();
  /** Streams are dealt out in turn, from a place that differs between isolates. */
  let turn = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0;

  /** What happened has happened: telling of it must neither make it fail nor hold it up for long. False: it was not told for certain. */
  async function tell(what: string, call: () => Promise<void>): Promise<boolean> {
    try {
      await withTimeout(call(), PUBLISH_MILLISECONDS, 'publishing');
      return true;
    } catch (error) {
      logError('event could not be published', error, { what });
      return false;
    }
  }

  /** A socket of a shard; null when the shard is full or out of reach. */
  async function socketOf(name: string): Promise<WebSocket | null> {
    try {
      const response = await shards.getByName(name).fetch('http://shard/', { headers: { Upgrade: 'websocket' } });
      if (!response.webSocket) await response.body?.cancel();
      return response.webSocket;
    } catch (error) {
      logError('a shard of the event stream could not be reached', error, { shard: name });
      return null;
    }
  }

  return {
    async changed(type, now) {
      await tell(type, () => coordinator().changed(type, now));
    },
    announce: (type, key, data, now) => tell(type, () => coordinator().announce(type, key, data, now)),
    wake: () => coordinator().wake(),
    async heartbeat(now) {
      const name = names[Math.floor(now / SECONDS_PER_MINUTE) % names.length] ?? '';
      const [beat] = await Promise.all([coordinator().heartbeat(), shards.getByName(name).connections()]);
      return beat;
    },
    resume: (point) => coordinator().resume(point),
    eventsAfter: (id) => coordinator().eventsAfter(id),

    async connect() {
      turn = (turn + 1) % names.length;
      for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
        if ((restsUntil.get(name) ?? 0) > performance.now()) continue;
        const socket = await socketOf(name);
        if (socket) return socket;
        restsUntil.set(name, performance.now() + SHARD_REST_MILLISECONDS);
      }
      throw new ApiError('service_unavailable', 'every place on the event stream is taken', {
        headers: { 'Retry-After': String(CAPACITY_RETRY_SECONDS) },
      });
    },
  };
}
