import { DurableObject } from 'cloudflare:workers';
import pMap from 'p-map';
import { SLOT_RENEWAL_SECONDS } from '../../platform/access/limits/stored-slots.ts';
import {
  createSlotClient,
  createStreamSlot,
  type SlotClient,
  type SlotDecision,
  type SlotHandle,
  type StreamSlot,
} from '../../platform/access/policy/stream-slot.ts';
import { serviceContext } from '../../platform/area/service-context.ts';
import { objectsOf } from '../../platform/durable/object-calls.ts';
import { logError } from '../../platform/kit/logging.ts';
import { systemRandom } from '../../platform/kit/random.ts';
import { withTimeout } from '../../platform/kit/tasks.ts';
import { systemClock, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import { nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { ClientStream } from './client-stream.service.ts';
import { type ReplayLog, replay } from './event-log.store.ts';
import { COORDINATOR, maxConnectionsPerShard } from './event-variables.domain.ts';
import { HEARTBEAT_SECONDS, RENEWAL_CONCURRENCY, RENEWAL_TIMEOUT_MS, SLOT_REFUSED_STATUS } from './events.data.ts';
import { eventFrame, type Newest, type ResumePoint, type StreamEvent } from './framing.domain.ts';
import { type CreateSnapshot, createSnapshotFactory } from './snapshot.service.ts';

export const NEWEST_KEY = 'newest';
export const SLOT_PREFIX = 'slot:';
/** Heartbeats between two renewals of a slot. */
const RENEWAL_HEARTBEATS = SLOT_RENEWAL_SECONDS / HEARTBEAT_SECONDS;

const encoder = new TextEncoder();

/** Dependencies of the object. */
interface ShardParts {
  snapshot: CreateSnapshot;
  settings: SettingsSource;
  /** RPC to the objects that count the streams of a client. */
  slots: SlotClient;
}

/** An admitted request for a stream, as JSON. */
export interface OpenRequest {
  now: UnixSeconds;
  /** Null: all types. */
  types: string[] | null;
  /** Last event of the client; null: a new client. */
  point: ResumePoint | null;
  slot: SlotHandle;
}

interface OpenStream {
  stream: ClientStream;
  slot: StreamSlot;
  heartbeatsSinceRenewal: number;
  /** The token expires, real time in milliseconds; null: never. */
  endsAt: number | null;
}

/** A stream whose slot is being acquired. */
interface Opening {
  slot: StreamSlot;
  /** The token became invalid meanwhile. */
  isEnded: boolean;
}

/**
 * Writes a share of all streams; the Worker passes the responses through. An object with open streams stays in memory. Its storage contains
 * the last sent event and the slots of its streams, which the next instance releases after a crash.
 */
export class EventShardObject extends DurableObject<Env> {
  #parts!: ShardParts;
  readonly #streams = new Set<OpenStream>();
  readonly #openings = new Set<Opening>();
  /** Requests without a response so far. */
  #requests = 0;
  /** Whether the coordinator sends events to this shard. */
  #hasJoined = false;
  #lostSlotsReleased = Promise.resolve();
  #hasHeartbeat = false;
  /** Time of the next heartbeat or end of a token, real time in milliseconds. */
  #alarmAt = 0;
  /** Number of opened streams; spreads renewals over the heartbeats. */
  #openedCount = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const { settings, service, freshness, gate, limiter } = await serviceContext(env);
      const snapshot = createSnapshotFactory(service.eventSources(), freshness);
      this.#parts = { settings, snapshot, slots: createSlotClient(gate, limiter) };
      this.#lostSlotsReleased = this.#releaseSlots([...ctx.storage.kv.list<SlotHandle>({ prefix: SLOT_PREFIX })]);
    });
  }

  /** Opens a stream. Returns 503 at capacity, and `SLOT_REFUSED_STATUS` with the refusal when the client gets no slot. */
  override async fetch(request: Request): Promise<Response> {
    this.#requests += 1;
    try {
      return await this.#open(await request.json<OpenRequest>());
    } finally {
      this.#requests -= 1;
    }
  }

  async #open({ now, types, point, slot: handle }: OpenRequest): Promise<Response> {
    const settings = await this.#parts.settings.current();
    if (!this.#hasJoined) await this.#join(handle.shard);
    if (!this.#hasHeartbeat) await this.#startHeartbeat();
    if (this.#streams.size + this.#openings.size >= maxConnectionsPerShard(this.env)) return new Response(null, { status: 503 });
    const slot = createStreamSlot(handle, this.#parts.slots);
    const decision = await this.#acquire(slot);
    if (decision.outcome !== 'acquired') return Response.json(decision, { status: SLOT_REFUSED_STATUS });
    const { endsAt } = decision;
    if (endsAt !== null && endsAt < this.#alarmAt) void this.#setAlarm(endsAt);
    // No await from here on, so every event is either covered by `newest` or sent to the stream.
    const newest = this.#newest() ?? { id: 0, at: 0 };
    const typeSet = types && new Set(types);
    const log: ReplayLog = this.#coordinator();
    // The snapshot is created when it is sent, because a slow client may take long to read the replay.
    const clockOffset = now - systemClock();
    const snapshot = this.#parts.snapshot;

    async function* prologue(): AsyncGenerator<Uint8Array, number> {
      const covered = point ? yield* replay(log, point, newest, typeSet) : newest;
      const state = await snapshot({ now: systemClock() + clockOffset, newest: covered, types: typeSet, settings });
      if (state.length > 0) yield state;
      return covered.id;
    }

    const stream = new ClientStream({
      types: typeSet,
      prologue: prologue(),
      random: systemRandom,
      onEnd: () => this.#removeStream(openStream),
    });
    const openStream: OpenStream = { stream, slot, endsAt, heartbeatsSinceRenewal: this.#openedCount++ % RENEWAL_HEARTBEATS };
    this.#streams.add(openStream);
    return new Response(stream.readable);
  }

  /** Sends missed events and then this event to every stream. Returns false without streams. */
  async publish(event: StreamEvent): Promise<boolean> {
    if (!(await this.catchUp(event.id - 1))) return false;
    this.#send(event);
    return true;
  }

  /** Sends missed events up to an id. Returns false without streams; the shard then joins again before it opens one. */
  async catchUp(latestId: number): Promise<boolean> {
    if (this.#streams.size + this.#requests === 0) {
      this.#hasJoined = false;
      return false;
    }
    for (let newest = this.#newest(); newest && newest.id < latestId; newest = this.#newest()) {
      const page = await this.#coordinator().eventsAfter(newest.id);
      for (const event of page) if (event.id <= latestId) this.#send(event);
      // The missed events were deleted from the log.
      if (this.#newest()?.id === newest.id) break;
    }
    return true;
  }

  /** Ends the streams of a token that is no longer valid, and those that are being opened. */
  endStreamsOf(tokenId: string): void {
    const isOfToken = ({ handle: { holder } }: StreamSlot) => holder.kind === 'token' && holder.tokenId === tokenId;
    for (const { slot, stream } of [...this.#streams]) if (isOfToken(slot)) stream.end();
    for (const opening of this.#openings) if (isOfToken(opening.slot)) opening.isEnded = true;
  }

  /** Number of open streams. */
  connections(): number {
    return this.#streams.size;
  }

  /** Resolves when the slots of the previous instance are released. */
  async releaseLostSlots(): Promise<void> {
    await this.#lostSlotsReleased;
  }

  /**
   * The heartbeat. An alarm, not a timer: it also wakes an evicted or replaced object, which releases lost slots, and gives each heartbeat
   * its own CPU time and subrequests.
   */
  override async alarm(): Promise<void> {
    this.#hasHeartbeat = this.#streams.size + this.#openings.size > 0;
    if (!this.#hasHeartbeat) {
      await this.#lostSlotsReleased;
      return;
    }
    const due: OpenStream[] = [];
    for (const openStream of this.#streams) {
      if (openStream.endsAt !== null && openStream.endsAt <= Date.now()) {
        openStream.stream.end();
        continue;
      }
      openStream.stream.heartbeat();
      openStream.heartbeatsSinceRenewal += 1;
      if (openStream.heartbeatsSinceRenewal >= RENEWAL_HEARTBEATS) due.push(openStream);
    }
    await this.#setNextAlarm();
    await pMap(due, (openStream) => this.#renew(openStream), { concurrency: RENEWAL_CONCURRENCY });
  }

  async #startHeartbeat(): Promise<void> {
    this.#hasHeartbeat = true;
    await this.#setNextAlarm();
  }

  /** Sets the alarm to the next heartbeat, or to the end of a token before it. */
  #setNextAlarm(): Promise<void> {
    let at = Date.now() + HEARTBEAT_SECONDS * 1000;
    for (const { endsAt } of this.#streams) if (endsAt !== null && endsAt < at) at = endsAt;
    return this.#setAlarm(at);
  }

  async #setAlarm(at: number): Promise<void> {
    this.#alarmAt = at;
    await this.ctx.storage.setAlarm(at);
  }

  /** Acquires the slot of a new stream. Its handle is stored first: the next instance releases it after a crash. */
  async #acquire(slot: StreamSlot): Promise<SlotDecision> {
    const opening: Opening = { slot, isEnded: false };
    const key = SLOT_PREFIX + slot.handle.id;
    this.#openings.add(opening);
    this.ctx.storage.kv.put(key, slot.handle);
    let decision: SlotDecision | null = null;
    try {
      decision = await slot.acquire();
    } finally {
      this.#openings.delete(opening);
      if (decision?.outcome !== 'acquired' || opening.isEnded) {
        // In the background: the refusal does not wait. A release that is lost ends with the lease of the slot.
        this.ctx.storage.kv.delete(key);
        this.ctx.waitUntil(slot.release());
      }
    }
    return decision === null || opening.isEnded ? { outcome: 'unauthenticated' } : decision;
  }

  /** Ends a stream whose slot is lost. A failed renewal is retried with the next heartbeat. */
  async #renew(openStream: OpenStream): Promise<void> {
    if (!this.#streams.has(openStream)) return;
    try {
      const decision = await withTimeout(openStream.slot.acquire(), RENEWAL_TIMEOUT_MS, 'renewing a slot');
      if (decision?.outcome !== 'acquired') return openStream.stream.end();
      openStream.heartbeatsSinceRenewal = 0;
      openStream.endsAt = decision.endsAt;
    } catch (error) {
      logError('stream slot could not be renewed', error);
    }
  }

  #removeStream(openStream: OpenStream): void {
    this.#streams.delete(openStream);
    this.ctx.storage.kv.delete(SLOT_PREFIX + openStream.slot.handle.id);
    this.ctx.waitUntil(openStream.slot.release());
  }

  /** A slot that cannot be released expires with its lease. */
  async #releaseSlots(stored: readonly [string, SlotHandle][]): Promise<void> {
    await pMap(
      stored,
      async ([key, handle]) => {
        await withTimeout(createStreamSlot(handle, this.#parts.slots, true).release(), RENEWAL_TIMEOUT_MS, 'freeing a slot').catch(
          () => {},
        );
        this.ctx.storage.kv.delete(key);
      },
      { concurrency: RENEWAL_CONCURRENCY },
    );
  }

  #coordinator() {
    return nextToDatabase(objectsOf(this.env, 'EVENT_COORDINATOR'), this.env.REGION).getByName(COORDINATOR);
  }

  #newest(): Newest | undefined {
    return this.ctx.storage.kv.get<Newest>(NEWEST_KEY);
  }

  async #join(name: string): Promise<void> {
    const newest = await this.#coordinator().join(name);
    this.#hasJoined = true;
    // An event or another stream, which waits for its next event, may have arrived during the await.
    if (this.#streams.size === 0 && newest.id >= (this.#newest()?.id ?? 0)) this.ctx.storage.kv.put(NEWEST_KEY, newest);
  }

  /** Synchronous. Encodes the event once for all streams. */
  #send(event: StreamEvent): void {
    const { id, at, type, bookmark } = event;
    if (id <= (this.#newest()?.id ?? 0)) return;
    this.ctx.storage.kv.put<Newest>(NEWEST_KEY, { id, at, ...(bookmark ? { bookmark } : {}) });
    const encoded = { id, type, frame: encoder.encode(eventFrame(event)) };
    for (const { stream } of this.#streams) stream.send(encoded);
  }
}
