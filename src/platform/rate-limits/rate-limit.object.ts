import { DurableObject } from 'cloudflare:workers';
import { ObjectAlarm } from '../storage/object-alarm.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { StoredCounters } from './stored-counters.ts';
import { type SlotLimits, StoredSlots } from './stored-slots.ts';
import type { MemberTake } from './window-counters.ts';

const COUNTER = 'requests';

/**
 * One bucket of one caller, or of one network with its members; the object's name is the bucket key. Holds an exact
 * fixed-window count, and the slots of the caller's open streams.
 */
export class RateLimitObject extends DurableObject<Env> {
  readonly #alarm: ObjectAlarm;
  readonly #counters: StoredCounters;
  readonly #slots: StoredSlots;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#counters = new StoredCounters(ctx.storage, (at) => this.#alarm.set('purge', at));
    this.#slots = new StoredSlots(ctx.storage, (at) => this.#alarm.set('slots', at));
    this.#alarm.note('purge', this.#counters.purgeAt);
  }

  /** Counts requests that came together. Returns the place of the first: see `WindowCounters.take`. */
  take(limit: number, windowSeconds: number, now: UnixSeconds, requests = 1): number {
    return this.#counters.take(COUNTER, limit, windowSeconds, now, requests);
  }

  /** Counts requests of a member of the network against both limits: see `WindowCounters.takeMember`. */
  takeMember(
    member: string,
    limits: { member: number; network: number },
    windowSeconds: number,
    now: UnixSeconds,
    requests: number,
  ): MemberTake {
    return this.#counters.takeMember(COUNTER, member, limits, windowSeconds, now, requests);
  }

  /** Takes back a request counted at `now` that turned out not to count. */
  giveBack(windowSeconds: number, now: UnixSeconds, member?: string): void {
    this.#counters.giveBack(COUNTER, windowSeconds, now, member);
  }

  /** Takes or renews a slot of a stream: see `StoredSlots.hold`. */
  holdSlot(id: string, holder: string, limits: SlotLimits): number | null {
    return this.#slots.hold(id, holder, limits);
  }

  freeSlot(id: string): void {
    this.#slots.free(id);
  }

  override async alarm(): Promise<void> {
    this.#alarm.note('purge', null);
    this.#alarm.note('slots', null);
    await this.#counters.purge();
    const slotsUntil = this.#slots.sweep();
    this.#alarm.note('purge', this.#counters.purgeAt);
    this.#alarm.note('slots', slotsUntil);
    if (this.#counters.purgeAt === null && slotsUntil === null) await this.ctx.storage.deleteAll();
    else this.#alarm.rearm();
  }
}
