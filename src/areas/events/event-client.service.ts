import pMap from 'p-map';
import { notAuthenticated } from '../../platform/access/policy/credentials.ts';
import { type SlotDecision, type SlotHolder, tooManyStreams } from '../../platform/access/policy/stream-slot.ts';
import type { EventType } from '../../platform/events/event-declaration.ts';
import type { EventPublisher, EventSource } from '../../platform/events/event-source.ts';
import { bind } from '../../platform/kit/bind.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import { withTimeout } from '../../platform/kit/tasks.ts';
import { SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { ReadFreshness } from '../../platform/storage/database.ts';
import type { NamedObjects } from '../../platform/storage/regional-objects.ts';
import type { EventCoordinatorObject, StreamHeartbeat } from './coordinator.object.ts';
import type { PublishedState } from './coordinator.service.ts';
import { COORDINATOR } from './event-variables.domain.ts';
import {
  CAPACITY_RETRY_SECONDS,
  PUBLISH_TIMEOUT_MS,
  SHARD_FULL_SKIP_MS,
  SHARD_TIMEOUT_MS,
  SHARD_UNREACHABLE_SKIP_MS,
  SLOT_REFUSED_STATUS,
} from './events.data.ts';
import type { EventShardObject, OpenRequest } from './shard.object.ts';
import { ShardOrder } from './shard-order.domain.ts';

/** Client of the coordinator and shard objects. */
export type EventClient = ReturnType<typeof createEventClient>;

interface StreamCounts {
  open: number;
  /** Maximum number of open streams. */
  capacity: number;
  shards: number;
  /** Shards that did not respond; their streams are not counted. */
  unreachable: number;
}

/** An admitted request for a stream. */
type StreamRequest = Omit<OpenRequest, 'slot'> & { holder: SlotHolder };

/** The platform opens six connections per request. */
const COUNT_CONCURRENCY = 6;

type Refusal = Exclude<SlotDecision, { outcome: 'acquired' }>;

interface EventClientDeps {
  coordinators: NamedObjects<EventCoordinatorObject>;
  shards: DurableObjectNamespace<EventShardObject>;
  shardNames: readonly string[];
  /** Maximum number of streams per shard. */
  maxPerShard: number;
  sources(): readonly EventSource[];
  settings: SettingsSource;
  freshness: Pick<ReadFreshness, 'catchUp'>;
}

interface EventClientContext extends EventClientDeps {
  order: ShardOrder;
}

export function createEventClient(deps: EventClientDeps) {
  const order = new ShardOrder(deps.shardNames.length, () => performance.now());
  const context: EventClientContext = { ...deps, order };
  return bind(context, { changed, announce, wake, countStreams, heartbeat, open }) satisfies EventPublisher;
}

const coordinator = ({ coordinators }: EventClientDeps) => coordinators.getByName(COORDINATOR);

/** Does not throw: publishing must not fail or delay the change itself. Returns false when the event may not have been published. */
async function tryPublish(what: EventType, call: () => Promise<void>): Promise<boolean> {
  try {
    await withTimeout(call(), PUBLISH_TIMEOUT_MS, 'publishing');
    return true;
  } catch (error) {
    logError('event could not be published', error, { what });
    return false;
  }
}

/** State of a source after its producer's write. Null when the age of the state is unknown; the coordinator reads it then. */
async function readState(
  { freshness }: EventClientDeps,
  source: EventSource,
  now: UnixSeconds,
  settings: Settings,
): Promise<PublishedState | null> {
  // Before the read: the state is at least as new as its bookmark.
  const bookmark = await freshness.catchUp();
  if (bookmark === null) return null;
  source.refresh?.();
  const state = await source.stateAt(now, settings);
  return { text: state?.body.text ?? null, signature: state?.signature ?? null, bookmark };
}

/** Opens a stream in one shard. Each attempt has a slot of its own, which the shard releases. */
async function openInShard(
  { shards }: EventClientDeps,
  name: string,
  { holder, ...request }: StreamRequest,
): Promise<ReadableStream | Refusal | 'full' | 'unreachable'> {
  const body: OpenRequest = { ...request, slot: { id: crypto.randomUUID(), shard: name, holder } };
  try {
    const response = await shards.getByName(name).fetch('http://shard/', { method: 'POST', body: JSON.stringify(body) });
    if (response.ok && response.body) return response.body;
    if (response.status === SLOT_REFUSED_STATUS) return await response.json<Refusal>();
    await response.body?.cancel();
    return 'full';
  } catch (error) {
    // Not the same shard again: the next one can open the stream at once. This one releases a slot that it acquired.
    logError('event stream shard unreachable', error, { shard: name });
    return 'unreachable';
  }
}

// Fills shards in order, because each shard with streams stays in memory and costs object time.
async function openInAnyShard(deps: EventClientContext, request: StreamRequest): Promise<ReadableStream | Refusal> {
  for (const index of deps.order.candidates()) {
    const opened = await openInShard(deps, deps.shardNames[index] ?? '', request);
    if (typeof opened !== 'string') {
      deps.order.opened(index);
      return opened;
    }
    deps.order.skip(index, opened === 'full' ? SHARD_FULL_SKIP_MS : SHARD_UNREACHABLE_SKIP_MS);
  }
  throw new ApiError('service_unavailable', 'the event stream is at capacity', {
    headers: { 'Retry-After': String(CAPACITY_RETRY_SECONDS) },
  });
}

/** Releases the slots of streams that ended with an instance of their shard. Never rejects. */
async function releaseLostSlots({ shards }: EventClientDeps, names: readonly string[]): Promise<void> {
  await Promise.allSettled(names.map((name) => withTimeout(shards.getByName(name).releaseLostSlots(), SHARD_TIMEOUT_MS, name)));
}

async function changed(deps: EventClientContext, type: EventType, now: UnixSeconds): Promise<void> {
  const source = deps.sources().find((candidate) => candidate.type === type);
  if (!source) return;
  await tryPublish(type, async () => {
    const current = await deps.settings.current();
    if (source.feature && !current[source.feature]) return;
    await coordinator(deps).publish(type, await readState(deps, source, now, current), now);
  });
}

const announce = (deps: EventClientContext, type: EventType, key: string, data: string, now: UnixSeconds): Promise<boolean> =>
  tryPublish(type, () => coordinator(deps).announce(type, key, data, now));

/** Sets the alarm of the coordinator if it is missing. */
const wake = (deps: EventClientContext): Promise<void> => coordinator(deps).wake();

/** Number of open streams, from every shard. */
async function countStreams({ shards, shardNames, maxPerShard }: EventClientDeps): Promise<StreamCounts> {
  const count = (name: string) => withTimeout(shards.getByName(name).connections(), SHARD_TIMEOUT_MS, name).catch(() => null);
  const counts = await pMap(shardNames, count, { concurrency: COUNT_CONCURRENCY });
  const known = counts.filter((open) => open !== null);
  return {
    open: known.reduce((sum, open) => sum + open, 0),
    capacity: shardNames.length * maxPerShard,
    shards: shardNames.length,
    unreachable: shardNames.length - known.length,
  };
}

/** State of the coordinator alarm. Also checks one shard, a different one each minute. Throws when either does not respond. */
async function heartbeat(deps: EventClientContext, now: UnixSeconds): Promise<StreamHeartbeat> {
  const name = deps.shardNames[Math.floor(now / SECONDS_PER_MINUTE) % deps.shardNames.length] ?? '';
  const [heartbeat] = await Promise.all([coordinator(deps).heartbeat(), deps.shards.getByName(name).connections()]);
  return heartbeat;
}

/** Opens a stream in the first shard with capacity. Throws 429 when the client is at its limit and 503 when all shards are full. */
async function open(deps: EventClientContext, request: StreamRequest): Promise<ReadableStream> {
  let opened = await openInAnyShard(deps, request);
  if ('outcome' in opened && opened.outcome === 'full') {
    // One retry: slots of streams that ended with an instance of their shard count until they are released.
    await releaseLostSlots(deps, opened.shards);
    opened = await openInAnyShard(deps, request);
  }
  if (!('outcome' in opened)) return opened;
  throw opened.outcome === 'full' ? tooManyStreams(request.holder, opened.limit) : notAuthenticated('unknown');
}
