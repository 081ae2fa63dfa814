import { DurableObject } from 'cloudflare:workers';
import { ObjectAlarm } from '../storage/object-alarm.ts';
import { systemMilliseconds, type UnixSeconds } from '../time/clock.ts';
import { Reservations } from './reservations.ts';
import { StoredCounters } from './stored-counters.ts';
import { type SlotLimits, StoredSlots } from './stored-slots.ts';
import type { MemberTake } from './window-counters.ts';

const COUNTER = 'requests';

/** The response to a reservation. */
export interface Reserved {
  /** Count of the request including reservations; over the limit when it was refused. */
  used: number;
  /** Null when it was refused. */
  id: string | null;
  /** True when the limit of the network refused the request, not that of the client. */
  isNetworkExhausted: boolean;
  /** Milliseconds until the first reservation lapses, for a refusal caused by reservations; null otherwise. */
  lapsesInMs: number | null;
}

/**
 * One bucket of one client, or of one network with its members; the object's name is the bucket key. Stores an exact
 * fixed-window count, reservations of requests that may turn out not to count, and the slots of open streams.
 */
export class RateLimitObject extends DurableObject<Env> {
  readonly #alarm: ObjectAlarm;
  readonly #counters: StoredCounters;
  readonly #reservations: Reservations;
  readonly #slots: StoredSlots;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#counters = new StoredCounters(ctx.storage, (at) => this.#alarm.set('purge', at));
    this.#reservations = new Reservations(ctx.storage);
    this.#slots = new StoredSlots(ctx.storage, (at) => this.#alarm.set('slots', at));
    this.#alarm.note('purge', this.#counters.purgeAt);
    this.#alarm.note('reservations', this.#reservations.endsAt);
  }

  /** Counts a request: see `WindowCounters.take`. */
  take(limit: number, windowSeconds: number, now: UnixSeconds): number {
    return this.#counters.take(COUNTER, limit, windowSeconds, now);
  }

  /** Counts a request of a member of the network against both limits: see `WindowCounters.takeMember`. */
  takeMember(member: string, limits: { member: number; network: number }, windowSeconds: number, now: UnixSeconds): MemberTake {
    return this.#counters.takeMember(COUNTER, member, limits, windowSeconds, now);
  }

  /** Admits a request that counts only if `settle` confirms it. Until then its Worker renews the reservation, or it lapses. */
  reserve(limits: SlotLimits, windowSeconds: number, now: UnixSeconds, member?: string): Reserved {
    const counted = this.#counters.used(COUNTER, windowSeconds, now, member);
    const held = this.#reservations.live(windowSeconds, now, member);
    const networkLimit = limits.network ?? Number.POSITIVE_INFINITY;
    const isOwnExhausted = counted + held.own >= limits.own;
    const networkCounted = this.#counters.used(COUNTER, windowSeconds, now);
    if (isOwnExhausted || networkCounted + held.all >= networkLimit) {
      const wouldPass = counted < limits.own && networkCounted < networkLimit;
      const used = (isOwnExhausted ? limits.own : networkLimit) + 1;
      return {
        used,
        id: null,
        isNetworkExhausted: !isOwnExhausted,
        lapsesInMs: wouldPass ? held.firstEndsAt - systemMilliseconds() : null,
      };
    }
    const id = crypto.randomUUID();
    this.renew(id, windowSeconds, now, member);
    return { used: counted + held.own + 1, id, isNetworkExhausted: false, lapsesInMs: null };
  }

  /** Renews a reservation, also a lapsed one. */
  renew(id: string, windowSeconds: number, now: UnixSeconds, member?: string): void {
    this.#reservations.hold(id, windowSeconds, now, member);
    const { endsAt } = this.#reservations;
    if (endsAt !== null) this.#alarm.set('reservations', endsAt);
  }

  /** Ends a reservation made at `now`. That it counts is on disk when this returns. */
  async settle(id: string, windowSeconds: number, now: UnixSeconds, counts: boolean, member?: string): Promise<void> {
    this.#reservations.drop(id);
    if (!counts) return;
    this.#counters.add(COUNTER, windowSeconds, now, member);
    await this.ctx.storage.sync();
  }

  /** Takes or renews a slot of a stream: see `StoredSlots.hold`. */
  acquireSlot(id: string, holder: string, limits: SlotLimits): number | null {
    return this.#slots.hold(id, holder, limits);
  }

  freeSlot(id: string): void {
    this.#slots.free(id);
  }

  override async alarm(): Promise<void> {
    await this.#counters.purge();
    const waitsFor = { purge: this.#counters.purgeAt, reservations: this.#reservations.endsAt, slots: this.#slots.sweep() };
    for (const [name, at] of Object.entries(waitsFor)) this.#alarm.note(name, at);
    if (Object.values(waitsFor).every((at) => at === null)) await this.ctx.storage.deleteAll();
    else this.#alarm.rearm();
  }
}
