import { ApiError } from '../../platform/errors/api-error.ts';
import type { EventPublisher } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/logging.ts';
import { SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/time/clock.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { EventCoordinatorBase, StreamHeartbeat } from './coordinator.object.ts';
import { COORDINATOR } from './deployment.ts';
import {
  CAPACITY_RETRY_SECONDS,
  LOST_SLOTS_INTERVAL_MS,
  LOST_SLOTS_WAIT_MS,
  PUBLISH_TIMEOUT_MS,
  SHARD_SKIP_MS,
  SHARD_TIMEOUT_MS,
} from './events.data.ts';
import type { EventShardBase, OpenRequest } from './shard.object.ts';

/** Client of the coordinator and shard objects. */
export interface EventHub extends EventPublisher {
  /** Opens a stream in the first shard with capacity. Throws 503 when all are full. */
  open(request: OpenRequest): Promise<ReadableStream>;
  /** Releases the slots of streams that ended with their shard. Never rejects. */
  releaseLostSlots(): Promise<void>;
  /** State of the coordinator alarm. Also checks one shard, a different one each minute. Throws when either does not respond. */
  heartbeat(now: UnixSeconds): Promise<StreamHeartbeat>;
  /** Sets the alarm of the coordinator if it is missing. */
  wake(): Promise<void>;
}

export interface EventHubDeps {
  coordinators: DurableObjectNamespace<EventCoordinatorBase>;
  shards: DurableObjectNamespace<EventShardBase>;
  shardNames: readonly string[];
}

export function createEventHub({ coordinators, shards, shardNames: names }: EventHubDeps): EventHub {
  const coordinator = () => coordinators.getByName(COORDINATOR);
  /** Time until which a full or unreachable shard is skipped, in milliseconds of `performance.now()`. */
  const skipUntil = new Map<string, number>();
  let lostSlotsRequestedAt = Number.NEGATIVE_INFINITY;

  /** Does not throw: publishing must not fail or delay the change itself. Returns false when the event may not have been published. */
  async function tryPublish(what: string, call: () => Promise<void>): Promise<boolean> {
    try {
      await withTimeout(call(), PUBLISH_TIMEOUT_MS, 'publishing');
      return true;
    } catch (error) {
      logError('event could not be published', error, { what });
      return false;
    }
  }

  /** Opens a stream in one shard; null when the shard is full or unreachable. */
  async function openInShard(name: string, request: OpenRequest): Promise<ReadableStream | null> {
    try {
      const response = await shards.getByName(name).fetch('http://shard/', { method: 'POST', body: JSON.stringify(request) });
      if (response.ok) return response.body;
      await response.body?.cancel();
    } catch (error) {
      logError('event stream shard unreachable', error, { shard: name });
    }
    return null;
  }

  return {
    async changed(type, now) {
      await tryPublish(type, () => coordinator().changed(type, now));
    },
    announce: (type, key, data, now) => tryPublish(type, () => coordinator().announce(type, key, data, now)),
    wake: () => coordinator().wake(),
    async heartbeat(now) {
      const name = names[Math.floor(now / SECONDS_PER_MINUTE) % names.length] ?? '';
      const [heartbeat] = await Promise.all([coordinator().heartbeat(), shards.getByName(name).connections()]);
      return heartbeat;
    },

    async releaseLostSlots() {
      if (performance.now() - lostSlotsRequestedAt < LOST_SLOTS_INTERVAL_MS) {
        await new Promise((resolve) => setTimeout(resolve, LOST_SLOTS_WAIT_MS));
        return;
      }
      lostSlotsRequestedAt = performance.now();
      await Promise.allSettled(names.map((name) => withTimeout(shards.getByName(name).releaseLostSlots(), SHARD_TIMEOUT_MS, name)));
    },

    // Fills shards in order, because each shard with streams stays in memory and costs object time.
    async open(request) {
      for (const name of names) {
        if ((skipUntil.get(name) ?? 0) > performance.now()) continue;
        const stream = await openInShard(name, request);
        if (stream) return stream;
        skipUntil.set(name, performance.now() + SHARD_SKIP_MS);
      }
      throw new ApiError('service_unavailable', 'the event stream is at capacity', {
        headers: { 'Retry-After': String(CAPACITY_RETRY_SECONDS) },
      });
    },
  };
}
