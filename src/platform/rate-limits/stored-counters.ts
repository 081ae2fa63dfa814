import type { UnixSeconds } from '../time/clock.ts';
import { windowReset } from './window.ts';
import { type MemberResult, type WindowCount, WindowCounters } from './window-counters.ts';

const STORAGE_KEY = 'counters';
/** Delay between the last request and the write. An idle object is evicted after 10 to 12 s. */
const IDLE_WRITE_MS = 3000;
/** Counts of windows of at least this length are written with each request: their traffic is low, and a lost count would last long. */
const WRITE_THROUGH_SECONDS = 3600;
const EXPIRY_SLACK_MS = 1000;

/** The stored counts, and the end of the last window (real time in milliseconds). */
interface StoredState {
  windows: WindowCount[];
  purgeAt: number;
}

/**
 * Window counters of a Durable Object that survive its eviction. Counters live in memory; a timer writes them when requests pause.
 * Counters with a long window or a used-up limit are written at once. Storage is emptied after the last window.
 */
export class StoredCounters {
  readonly #storage: DurableObjectStorage;
  readonly #setAlarm: (at: number) => void;
  readonly #counters = new WindowCounters();
  #lastUse = 0;
  #expiresAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** Restores the stored counts. `setAlarm` sets the alarm of the object, real time in milliseconds. */
  constructor(storage: DurableObjectStorage, setAlarm: (at: number) => void) {
    this.#storage = storage;
    this.#setAlarm = setAlarm;
    const stored = storage.kv.get<StoredState>(STORAGE_KEY);
    this.#counters.restore(stored?.windows ?? []);
    this.#expiresAt = stored?.purgeAt ?? 0;
  }

  /** See `WindowCounters.consume`. */
  consume(counter: string, limit: number, windowSeconds: number, now: UnixSeconds): number {
    const used = this.#counters.consume(counter, limit, windowSeconds, now);
    // A refusal is not written: a flood must not cost one write per request.
    if (used <= limit) this.#scheduleWrite(windowSeconds, now, used === limit);
    return used;
  }

  /** See `WindowCounters.consumeMember`. */
  consumeMember(
    counter: string,
    member: string,
    limits: { member: number; network: number },
    windowSeconds: number,
    now: UnixSeconds,
  ): MemberResult {
    const result = this.#counters.consumeMember(counter, member, limits, windowSeconds, now);
    if (result.refusedBy) return result;
    const isNetworkExhausted = this.#counters.used(counter, windowSeconds, now) >= limits.network;
    this.#scheduleWrite(windowSeconds, now, isNetworkExhausted || result.used === limits.member);
    return result;
  }

  /** End of the last window, real time in milliseconds; null when the storage is empty. */
  get expiresAt(): number | null {
    return this.#expiresAt === 0 ? null : this.#expiresAt;
  }

  /** The counts, for the object that continues them. */
  snapshot(): WindowCount[] {
    return this.#counters.snapshot();
  }

  /** Continues the counts of another object. */
  importWindows(windows: readonly WindowCount[], now: UnixSeconds): void {
    this.#counters.restore(windows);
    for (const { windowSeconds } of windows) this.#touch(windowSeconds, now);
    this.#write();
  }

  /** Counts an admitted request regardless of limits, and writes at once. */
  add(counter: string, windowSeconds: number, now: UnixSeconds, member?: string): void {
    const limit = Number.POSITIVE_INFINITY;
    if (member === undefined) this.#counters.consume(counter, limit, windowSeconds, now);
    else this.#counters.consumeMember(counter, member, { member: limit, network: limit }, windowSeconds, now);
    this.#touch(windowSeconds, now);
    this.#write();
  }

  /** See `WindowCounters.used`. */
  used(counter: string, windowSeconds: number, now: UnixSeconds, member?: string): number {
    return this.#counters.used(counter, windowSeconds, now, member);
  }

  /** For the alarm of the object: empties the storage after the last window and returns true; otherwise sets the alarm again. */
  async deleteExpired(): Promise<boolean> {
    if (Date.now() < this.#expiresAt) {
      this.#setAlarm(this.#expiresAt);
      return false;
    }
    this.#counters.restore([]);
    this.#expiresAt = 0;
    await this.#storage.delete(STORAGE_KEY);
    return true;
  }

  /** Writes at once when a limit is used up or the window is long, otherwise when requests pause. */
  #scheduleWrite(windowSeconds: number, now: UnixSeconds, isExhausted: boolean): void {
    this.#touch(windowSeconds, now);
    if (windowSeconds >= WRITE_THROUGH_SECONDS || isExhausted) this.#write();
    else this.#writeWhenIdle();
  }

  #touch(windowSeconds: number, now: UnixSeconds): void {
    this.#lastUse = Date.now();
    const remaining = (windowReset(now, windowSeconds) - now) * 1000;
    this.#expiresAt = Math.max(this.#expiresAt, this.#lastUse + remaining + EXPIRY_SLACK_MS);
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
    // The storage was emptied after this write was scheduled.
    if (this.#expiresAt === 0) return;
    // Unconfirmed, so that responses do not wait for the disk: a crash within milliseconds may lose one count.
    const state: StoredState = { windows: this.#counters.snapshot(), purgeAt: this.#expiresAt };
    void this.#storage.put(STORAGE_KEY, state, { allowUnconfirmed: true });
    this.#setAlarm(this.#expiresAt);
  }
}
