import { DurableObject } from 'cloudflare:workers';
import pMap from 'p-map';
import type { SlotHandle, StreamSlot } from '../../platform/access/policy/stream-slot.ts';
import { logError } from '../../platform/logging.ts';
import { SLOT_RENEWAL_SECONDS } from '../../platform/rate-limits/stored-slots.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import { systemClock, type UnixSeconds } from '../../platform/time/clock.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { COORDINATOR, maxConnectionsPerShard } from './deployment.ts';
import { HEARTBEAT_SECONDS, RENEWAL_CONCURRENCY, RENEWAL_TIMEOUT_MS } from './events.data.ts';
import { eventFrame, type Newest, type ResumePoint, type StreamEvent } from './framing.domain.ts';
import { type ReplayLog, replay } from './replay.ts';
import type { CreateSnapshot } from './snapshot.ts';
import { ClientStream } from './stream.ts';

const NEWEST_KEY = 'newest';
const SLOT_PREFIX = 'slot:';
/** Heartbeats between two renewals of a slot. */
const RENEWAL_BEATS = SLOT_RENEWAL_SECONDS / HEARTBEAT_SECONDS;

const encoder = new TextEncoder();

/** Dependencies of the object, provided by the composition root. */
export interface ShardParts {
  snapshot: CreateSnapshot;
  settings: SettingsSource;
  /** Slot that the Worker acquired for the stream. */
  slotOf(handle: SlotHandle): StreamSlot;
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
  beatsSinceRenewal: number;
}

/**
 * Writes a share of all streams; the Worker passes the responses through. An object with open streams stays in memory. Its storage contains
 * the last sent event and the slots of its streams, which the next instance releases after a crash.
 */
export abstract class EventShardBase extends DurableObject<Env> {
  readonly #parts: ShardParts;
  readonly #streams = new Set<OpenStream>();
  readonly #lostSlotsReleased: Promise<void>;
  #isBeating = false;
  /** Number of opened streams; spreads renewals over the heartbeats. */
  #openedCount = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#parts = this.parts(env);
    this.#lostSlotsReleased = this.#releaseSlots([...ctx.storage.kv.list<SlotHandle>({ prefix: SLOT_PREFIX })]);
  }

  protected abstract parts(env: Env): ShardParts;

  /** Opens a stream, or returns 503 at capacity. */
  override async fetch(request: Request): Promise<Response> {
    const { now, types, point, slot: handle } = await request.json<OpenRequest>();
    const settings = await this.#parts.settings.current();
    if (!this.#newest()) await this.#join();
    if (!this.#isBeating) await this.#startBeating();
    if (this.#streams.size >= maxConnectionsPerShard(this.env)) return new Response(null, { status: 503 });
    // No await from here on, so every event is either covered by `newest` or sent to the stream.
    const newest = this.#newest() ?? { id: 0, at: 0 };
    const typeSet = types && new Set(types);
    const log: ReplayLog = this.env.EVENT_COORDINATOR.getByName(COORDINATOR);
    // The snapshot is created when it is sent, because a slow client may take long to read the replay.
    const clockOffset = now - systemClock();
    const snapshot = this.#parts.snapshot;

    async function* prologue(): AsyncGenerator<Uint8Array, number> {
      const covered = point ? yield* replay(log, point, newest, typeSet) : newest;
      const state = await snapshot({ now: systemClock() + clockOffset, newest: covered, types: typeSet, settings });
      if (state.length > 0) yield state;
      return covered.id;
    }

    const slot = this.#parts.slotOf(handle);
    const stream = new ClientStream({ types: typeSet, prologue: prologue(), onEnd: () => this.#removeStream(openStream) });
    const openStream: OpenStream = { stream, slot, beatsSinceRenewal: this.#openedCount++ % RENEWAL_BEATS };
    this.#streams.add(openStream);
    this.ctx.storage.kv.put(SLOT_PREFIX + handle.id, handle);
    return new Response(stream.readable);
  }

  /** Sends missed events and then this event to every stream. */
  async publish(event: StreamEvent): Promise<void> {
    await this.catchUp(event.id - 1);
    this.#send(event);
  }

  /** Sends missed events up to an id. A shard without a newest event has no streams that need them. */
  async catchUp(latestId: number): Promise<void> {
    for (let newest = this.#newest(); newest && newest.id < latestId; newest = this.#newest()) {
      const page = await this.env.EVENT_COORDINATOR.getByName(COORDINATOR).eventsAfter(newest.id);
      for (const event of page) if (event.id <= latestId) this.#send(event);
      // The missed events were deleted from the log.
      if (this.#newest()?.id === newest.id) return;
    }
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
    this.#isBeating = this.#streams.size > 0;
    if (!this.#isBeating) {
      await this.#lostSlotsReleased;
      return;
    }
    await this.#setAlarm();
    const due: OpenStream[] = [];
    for (const openStream of this.#streams) {
      openStream.stream.beat();
      openStream.beatsSinceRenewal += 1;
      if (openStream.beatsSinceRenewal >= RENEWAL_BEATS) due.push(openStream);
    }
    await pMap(due, (openStream) => this.#renew(openStream), { concurrency: RENEWAL_CONCURRENCY });
  }

  async #startBeating(): Promise<void> {
    this.#isBeating = true;
    await this.#setAlarm();
  }

  async #setAlarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + HEARTBEAT_SECONDS * 1000);
  }

  /** Aborts a stream whose slot is lost. A failed renewal is retried with the next heartbeat. */
  async #renew(openStream: OpenStream): Promise<void> {
    if (!this.#streams.has(openStream)) return;
    try {
      if (await withTimeout(openStream.slot.renew(), RENEWAL_TIMEOUT_MS, 'renewing a slot')) openStream.beatsSinceRenewal = 0;
      else openStream.stream.abort();
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
        await withTimeout(this.#parts.slotOf(handle).release(), RENEWAL_TIMEOUT_MS, 'freeing a slot').catch(() => {});
        this.ctx.storage.kv.delete(key);
      },
      { concurrency: RENEWAL_CONCURRENCY },
    );
  }

  #newest(): Newest | undefined {
    return this.ctx.storage.kv.get<Newest>(NEWEST_KEY);
  }

  async #join(): Promise<void> {
    const newest = await this.env.EVENT_COORDINATOR.getByName(COORDINATOR).join();
    // An event or another stream may have arrived during the await.
    if (!this.#newest()) this.ctx.storage.kv.put(NEWEST_KEY, newest);
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
