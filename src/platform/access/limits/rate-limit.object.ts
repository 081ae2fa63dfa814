import { DurableObject } from 'cloudflare:workers';
import { systemMs, type UnixSeconds } from '../../kit/time/clock.ts';
import { ObjectAlarm } from '../../storage/object-alarm.ts';
import {
  type AddressCall,
  type AddressCount,
  GlobalAddressCounters,
  type GlobalResult,
  LocalAddressCounters,
  type LocalResult,
} from './address-counters.ts';
import { Reservations } from './reservations.ts';
import type { MemberResult } from './stored-counters.ts';
import { StoredCounters } from './stored-counters.ts';
import { type BucketLimits, type FullSlots, type SlotOfShard, StoredSlots } from './stored-slots.ts';

const COUNTER = 'requests';

/** Result of a reservation. */
export interface ReserveResult {
  /** Requests in the window including reservations; over the limit when the reservation was refused. */
  used: number;
  /** Null when the reservation was refused. */
  id: string | null;
  /** True when the limit of the network is used up, not that of the client. */
  isNetworkExhausted: boolean;
  /** For a refusal caused by reservations: milliseconds until the first reservation ends. Otherwise null. */
  endsInMs: number | null;
}

/**
 * One bucket of one client, or of one network with its members, named by the bucket key. Stores exact fixed-window counts,
 * reservations of requests that count depending on their result, and slots of open streams. Short windows of addresses are counted in
 * memory: by one object per location and share of the addresses, and, from half of the limit, by the object of the bucket key.
 */
export class RateLimitObject extends DurableObject<Env> {
  readonly #alarm: ObjectAlarm;
  readonly #counters: StoredCounters;
  readonly #reservations: Reservations;
  readonly #slots: StoredSlots;
  readonly #local = new LocalAddressCounters();
  readonly #global = new GlobalAddressCounters();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#counters = new StoredCounters(ctx.storage, (at) => this.#alarm.set('counters', at));
    this.#reservations = new Reservations(ctx.storage);
    this.#slots = new StoredSlots(ctx.storage, (at) => this.#alarm.set('slots', at));
    this.#alarm.note('counters', this.#counters.expiresAt);
    this.#alarm.note('reservations', this.#reservations.endsAt);
  }

  /** Counts a request, or an amount of work: see `StoredCounters.consume`. */
  consume(limit: number, windowSeconds: number, now: UnixSeconds, seen = 0, amount = 1): number {
    return this.#counters.consume(COUNTER, limit, windowSeconds, now, seen, amount);
  }

  /** Counts a request of a member of the network against both limits: see `WindowCounters.consumeMember`. */
  consumeMember(member: string, limits: { member: number; network: number }, windowSeconds: number, now: UnixSeconds): MemberResult {
    return this.#counters.consumeMember(COUNTER, member, limits, windowSeconds, now);
  }

  /** Counts a request of an address at this location: see `LocalAddressCounters.count`. */
  countLocally(call: AddressCall): LocalResult {
    return this.#local.count(call);
  }

  /** Counts a request of an address whose location has counted half of the limit: see `GlobalAddressCounters.count`. */
  countGlobally(call: AddressCall, location: string, local: AddressCount): GlobalResult {
    return this.#global.count(call, location, local);
  }

  /**
   * Admits a request that counts only if `settle` confirms it. The Worker renews the reservation until then. `id`: chosen by the Worker, so
   * a repeat finds its own reservation.
   */
  reserve(limits: BucketLimits, windowSeconds: number, now: UnixSeconds, member?: string, id: string = crypto.randomUUID()): ReserveResult {
    this.#reservations.delete(id);
    const counted = this.#counters.used(COUNTER, windowSeconds, now, member);
    const reserved = this.#reservations.count(windowSeconds, now, member);
    const networkLimit = limits.network ?? Number.POSITIVE_INFINITY;
    const isOwnExhausted = counted + reserved.own >= limits.own;
    const networkCounted = this.#counters.used(COUNTER, windowSeconds, now);
    if (isOwnExhausted || networkCounted + reserved.all >= networkLimit) {
      const isAdmittedWithoutReservations = counted < limits.own && networkCounted < networkLimit;
      const used = (isOwnExhausted ? limits.own : networkLimit) + 1;
      return {
        used,
        id: null,
        isNetworkExhausted: !isOwnExhausted,
        endsInMs: isAdmittedWithoutReservations ? reserved.firstEndsAt - systemMs() : null,
      };
    }
    this.renew(id, windowSeconds, now, member);
    return { used: counted + reserved.own + 1, id, isNetworkExhausted: false, endsInMs: null };
  }

  /** Renews a reservation, even one that has ended. */
  renew(id: string, windowSeconds: number, now: UnixSeconds, member?: string): void {
    this.#reservations.put(id, windowSeconds, now, member);
    this.#setReservationAlarm();
  }

  /** Ends a reservation made at `now`. A request that counts is on disk when the promise resolves, and counts once. */
  async settle(id: string, windowSeconds: number, now: UnixSeconds, counts: boolean, member?: string): Promise<void> {
    if (!counts) return this.#reservations.delete(id);
    if (!this.#reservations.settle(id, windowSeconds, now, member)) return;
    this.#counters.add(COUNTER, windowSeconds, now, member);
    this.#setReservationAlarm();
    await this.ctx.storage.sync();
  }

  /** Acquires or renews a slot of a stream: see `StoredSlots.acquire`. */
  acquireSlot(slot: SlotOfShard, holder: string, limits: BucketLimits): FullSlots | null {
    return this.#slots.acquire(slot, holder, limits);
  }

  releaseSlot(id: string): void {
    this.#slots.release(id);
  }

  override async alarm(): Promise<void> {
    this.#counters.deleteExpired();
    this.#reservations.deleteExpired();
    const alarms = { counters: this.#counters.expiresAt, reservations: this.#reservations.endsAt, slots: this.#slots.deleteExpired() };
    for (const [name, at] of Object.entries(alarms)) this.#alarm.note(name, at);
    if (Object.values(alarms).some((at) => at !== null)) this.#alarm.rearm();
    else if (this.#counters.isExpired) await this.ctx.storage.deleteAll();
  }

  /** An alarm that is set finds the renewed reservation and is set again: a renewal costs one write. */
  #setReservationAlarm(): void {
    const { endsAt } = this.#reservations;
    if (endsAt !== null && !this.#alarm.has('reservations')) this.#alarm.set('reservations', endsAt);
  }
}
