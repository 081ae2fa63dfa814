import type { UnixSeconds } from '../time/clock.ts';
import { windowReset } from './window.ts';
import { type MemberTake, type WindowCount, WindowCounters } from './window-counters.ts';

const STORAGE_KEY = 'counters';
/** An idle object loses its memory after 10 to 12 s; counts are written this long after the last request. */
const IDLE_WRITE_MS = 3000;
/** Windows from this length on are written with each request: their loss would matter and their traffic is small. */
const WRITE_THROUGH_SECONDS = 3600;
const PURGE_SLACK_MS = 1000;

/** The stored counts, and when the last of their windows closes (real time in milliseconds). */
interface StoredState {
  windows: WindowCount[];
  purgeAt: number;
}

/**
 * Window counters of a Durable Object that survive its eviction. Counts live in memory; a timer writes them when requests
 * pause. Long windows and used-up limits are written at once, and storage is emptied after the last reset.
 */
export class StoredCounters {
  readonly #storage: DurableObjectStorage;
  readonly #arm: (at: number) => void;
  readonly #counters = new WindowCounters();
  #lastUse = 0;
  #purgeAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /**
   * Reads back what an earlier life of the object wrote. Call within `blockConcurrencyWhile` or before any use. `arm` wakes
   * the object at a real time in milliseconds.
   */
  constructor(storage: DurableObjectStorage, arm: (at: number) => void) {
    this.#storage = storage;
    this.#arm = arm;
    const stored = storage.kv.get<StoredState>(STORAGE_KEY);
    this.#counters.restore(stored?.windows ?? []);
    this.#purgeAt = stored?.purgeAt ?? 0;
  }

  /** See `WindowCounters.take`. */
  take(counter: string, limit: number, windowSeconds: number, now: UnixSeconds): number {
    const used = this.#counters.take(counter, limit, windowSeconds, now);
    // A refusal changes nothing: a flood must not cost one write per request.
    if (used <= limit) this.#keep(windowSeconds, now, used === limit);
    return used;
  }

  /** See `WindowCounters.takeMember`. */
  takeMember(
    counter: string,
    member: string,
    limits: { member: number; network: number },
    windowSeconds: number,
    now: UnixSeconds,
  ): MemberTake {
    const taken = this.#counters.takeMember(counter, member, limits, windowSeconds, now);
    if (taken.refusedBy) return taken;
    const isNetworkExhausted = this.#counters.used(counter, windowSeconds, now) >= limits.network;
    this.#keep(windowSeconds, now, isNetworkExhausted || taken.used === limits.member);
    return taken;
  }

  /** When the storage may be emptied, real time in milliseconds; null when it is empty. */
  get purgeAt(): number | null {
    return this.#purgeAt === 0 ? null : this.#purgeAt;
  }

  /** The counts, for an object that continues them. */
  snapshot(): WindowCount[] {
    return this.#counters.snapshot();
  }

  /** Continues the counts of another object. */
  adopt(windows: readonly WindowCount[], now: UnixSeconds): void {
    this.#counters.restore(windows);
    for (const { windowSeconds } of windows) this.#touch(windowSeconds, now);
    this.#write();
  }

  /** Counts an admitted request, whatever the limits, and writes at once. */
  add(counter: string, windowSeconds: number, now: UnixSeconds, member?: string): void {
    const limit = Number.POSITIVE_INFINITY;
    if (member === undefined) this.#counters.take(counter, limit, windowSeconds, now);
    else this.#counters.takeMember(counter, member, { member: limit, network: limit }, windowSeconds, now);
    this.#touch(windowSeconds, now);
    this.#write();
  }

  /** See `WindowCounters.used`. */
  used(counter: string, windowSeconds: number, now: UnixSeconds, member?: string): number {
    return this.#counters.used(counter, windowSeconds, now, member);
  }

  /** For the object's alarm: whether every window has closed. Re-arms the alarm when one is still open. */
  async purge(): Promise<boolean> {
    if (Date.now() < this.#purgeAt) {
      this.#arm(this.#purgeAt);
      return false;
    }
    this.#counters.restore([]);
    this.#purgeAt = 0;
    await this.#storage.delete(STORAGE_KEY);
    return true;
  }

  /** Writes new counts: at once when a limit is used up or the window is long, else when requests pause. */
  #keep(windowSeconds: number, now: UnixSeconds, isSpent: boolean): void {
    this.#touch(windowSeconds, now);
    if (windowSeconds >= WRITE_THROUGH_SECONDS || isSpent) this.#write();
    else this.#writeWhenIdle();
  }

  #touch(windowSeconds: number, now: UnixSeconds): void {
    this.#lastUse = Date.now();
    const remaining = (windowReset(now, windowSeconds) - now) * 1000;
    this.#purgeAt = Math.max(this.#purgeAt, this.#lastUse + remaining + PURGE_SLACK_MS);
  }

  #writeWhenIdle(milliseconds: number = IDLE_WRITE_MS): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const idleFor = Date.now() - this.#lastUse;
      if (idleFor < IDLE_WRITE_MS) this.#writeWhenIdle(IDLE_WRITE_MS - idleFor);
      else this.#write();
    }, milliseconds);
  }

  #write(): void {
    // The storage was emptied meanwhile.
    if (this.#purgeAt === 0) return;
    // The response need not wait for the disk: a crash within milliseconds could lose one count.
    const state: StoredState = { windows: this.#counters.snapshot(), purgeAt: this.#purgeAt };
    void this.#storage.put(STORAGE_KEY, state, { allowUnconfirmed: true });
    this.#arm(this.#purgeAt);
  }
}
