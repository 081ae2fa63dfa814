import { SECONDS_PER_HOUR, systemMs, type UnixSeconds } from '../../kit/time/clock.ts';
import { windowReset, windowStart } from './window.ts';

export const COUNTERS_KEY = 'counters';
/** Counts of windows of at least this length are written with each request: their traffic is low, and a lost count would last long. */
export const WRITE_THROUGH_SECONDS = SECONDS_PER_HOUR;
/** Parts of a limit: a count of a shorter window is written when it enters the next part. */
const PARTS = 8;
/** Time from the end of the last window to the alarm. Half of it absorbs clocks in whole seconds: a later end within it sets no alarm. */
const EXPIRY_SLACK_MS = 2000;

/** The stored counts, and the end of the last window (real time in milliseconds). */
export interface StoredState {
  windows: WindowCount[];
  purgeAt: number;
}

/**
 * Window counters of a Durable Object that survive its eviction. Counts of windows of an hour and more are written with each request
 * and deleted by an alarm. Counts of shorter windows live in memory and are written with each eighth of the limit: an eviction forgets
 * less than an eighth. They are overwritten, never deleted, and set no alarm.
 */
export class StoredCounters {
  readonly #storage: DurableObjectStorage;
  readonly #setAlarm: (at: number) => void;
  readonly #counters = new WindowCounters();
  #purgeAt = 0;
  /** Time of the alarm that is set for the counts. */
  #alarmAt: number | null;

  /** Restores the stored counts. `setAlarm` sets the alarm of the object, real time in milliseconds. */
  constructor(storage: DurableObjectStorage, setAlarm: (at: number) => void) {
    this.#storage = storage;
    this.#setAlarm = setAlarm;
    const stored = storage.kv.get<StoredState>(COUNTERS_KEY);
    this.#counters.restore(stored?.windows ?? []);
    this.#purgeAt = stored?.purgeAt ?? 0;
    this.#alarmAt = this.expiresAt;
  }

  /**
   * See `WindowCounters.consume`. `seen`: the count that the isolate saw last, which may be larger after an eviction. `amount`: work to
   * count at once.
   */
  consume(counter: string, limit: number, windowSeconds: number, now: UnixSeconds, seen = 0, amount = 1): number {
    this.#counters.raise(counter, windowSeconds, now, seen);
    const used = this.#counters.consume(counter, limit, windowSeconds, now, amount);
    // A refusal is not written: a flood must not cost one write per request.
    if (used > limit) return used;
    this.#touch(windowSeconds, now);
    const partOf = (count: number) => Math.floor((PARTS * count) / limit);
    const stored = this.#counters.stored(counter, windowSeconds, now);
    if (windowSeconds >= WRITE_THROUGH_SECONDS || partOf(used) > partOf(stored)) this.#write();
    return used;
  }

  /** Counts and writes a request of a member of a network: see `WindowCounters.consumeMember`. */
  consumeMember(
    counter: string,
    member: string,
    limits: { member: number; network: number },
    windowSeconds: number,
    now: UnixSeconds,
  ): MemberResult {
    const result = this.#counters.consumeMember(counter, member, limits, windowSeconds, now);
    if (result.refusedBy) return result;
    this.#touch(windowSeconds, now);
    this.#write();
    return result;
  }

  /** Time of the alarm that deletes the counts, real time in milliseconds; null when only short windows are stored. */
  get expiresAt(): number | null {
    const hasLongWindow = this.#counters.windows.some(({ windowSeconds }) => windowSeconds >= WRITE_THROUGH_SECONDS);
    return hasLongWindow ? this.#purgeAt : null;
  }

  /** True when every window has ended. */
  get isExpired(): boolean {
    return this.#purgeAt <= systemMs();
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

  /** For the alarm of the object: deletes the counts when every window has ended. */
  deleteExpired(): void {
    if (!this.isExpired || this.#purgeAt === 0) return;
    this.#counters.restore([]);
    this.#purgeAt = 0;
    this.#alarmAt = null;
    this.#storage.kv.delete(COUNTERS_KEY);
  }

  #touch(windowSeconds: number, now: UnixSeconds): void {
    const remainingMs = (windowReset(now, windowSeconds) - now) * 1000;
    const purgeAt = systemMs() + remainingMs + EXPIRY_SLACK_MS;
    if (purgeAt > this.#purgeAt + EXPIRY_SLACK_MS / 2) this.#purgeAt = purgeAt;
  }

  #write(): void {
    // Unconfirmed, so that responses do not wait for the disk: a crash within milliseconds may lose one count.
    const state: StoredState = { windows: this.#counters.snapshot(), purgeAt: this.#purgeAt };
    void this.#storage.put(COUNTERS_KEY, state, { allowUnconfirmed: true });
    const at = this.expiresAt;
    if (at === null || at === this.#alarmAt) return;
    this.#alarmAt = at;
    this.#setAlarm(at);
  }
}

/** The stored count of one open window of one named counter. */
export interface WindowCount {
  counter: string;
  start: UnixSeconds;
  windowSeconds: number;
  count: number;
  /** For a network: the count of each member. */
  members?: Map<string, number>;
  /** Part of `count` that is in storage. */
  storedCount?: number;
}

/** Result of a request of a member of a network. */
export interface MemberResult {
  /** Requests of the member in the window, including this one; limit + 1 when it was refused. */
  used: number;
  /** The limit that is used up; null when the request was counted. */
  refusedBy: 'member' | 'network' | null;
}

/** Maximum number of windows in memory: the open ones, and those of clocks that tests set. */
const MAX_WINDOWS = 16;
/**
 * Maximum number of members over all windows, about 40 bytes each in storage. A dropped member starts at zero again; the limit of
 * its network still applies.
 */
const MAX_MEMBERS = 4096;

/**
 * Exact fixed-window counters of one client, keyed by window start: clocks set by tests do not share windows. Refused requests are
 * not counted, so a raised limit applies within the same window.
 */
export class WindowCounters {
  #windows: WindowCount[] = [];

  /** Counts `amount` if the limit allows it. Returns the count of the window including it; `limit + 1` when refused. */
  consume(counter: string, limit: number, windowSeconds: number, now: UnixSeconds, amount = 1): number {
    const window = this.#open(counter, windowSeconds, now);
    if (window.count + amount > limit) return limit + 1;
    window.count += amount;
    return window.count;
  }

  /** Counts a request of a member if the limits of the member and of its network allow it. */
  consumeMember(
    counter: string,
    member: string,
    limits: { member: number; network: number },
    windowSeconds: number,
    now: UnixSeconds,
  ): MemberResult {
    const window = this.#open(counter, windowSeconds, now);
    window.members ??= new Map();
    const used = window.members.get(member) ?? 0;
    if (used >= limits.member) return { used: limits.member + 1, refusedBy: 'member' };
    if (window.count >= limits.network) return { used: limits.network + 1, refusedBy: 'network' };
    window.members.set(member, used + 1);
    window.count += 1;
    if (used === 0) this.#boundMembers();
    return { used: used + 1, refusedBy: null };
  }

  /** Raises the count of the window to at least `seen`. */
  raise(counter: string, windowSeconds: number, now: UnixSeconds, seen: number): void {
    if (seen <= this.used(counter, windowSeconds, now)) return;
    this.#open(counter, windowSeconds, now).count = seen;
  }

  /** Requests of the window of `now` that are in storage. */
  stored(counter: string, windowSeconds: number, now: UnixSeconds): number {
    return this.#find(counter, windowSeconds, windowStart(now, windowSeconds))?.storedCount ?? 0;
  }

  /** Requests in the window of `now`, of one member or of all. Counts nothing. */
  used(counter: string, windowSeconds: number, now: UnixSeconds, member?: string): number {
    const window = this.#find(counter, windowSeconds, windowStart(now, windowSeconds));
    return (member === undefined ? window?.count : window?.members?.get(member)) ?? 0;
  }

  get windows(): readonly WindowCount[] {
    return this.#windows;
  }

  /** The windows, to be stored. */
  snapshot(): WindowCount[] {
    for (const window of this.#windows) window.storedCount = window.count;
    return this.#windows;
  }

  restore(windows: readonly WindowCount[]): void {
    this.#windows = windows.map((window) => ({
      ...window,
      ...(window.members ? { members: new Map(window.members) } : {}),
      storedCount: window.count,
    }));
  }

  /** Drops the oldest members of the oldest windows beyond `MAX_MEMBERS`. */
  #boundMembers(): void {
    let excess = this.#windows.reduce((sum, { members }) => sum + (members?.size ?? 0), 0) - MAX_MEMBERS;
    for (const { members } of this.#windows.toReversed()) {
      for (const member of members?.keys() ?? []) {
        if (excess <= 0) return;
        members?.delete(member);
        excess -= 1;
      }
    }
  }

  #find(counter: string, windowSeconds: number, start: UnixSeconds): WindowCount | undefined {
    return this.#windows.find((window) => window.start === start && window.counter === counter && window.windowSeconds === windowSeconds);
  }

  #open(counter: string, windowSeconds: number, now: UnixSeconds): WindowCount {
    const start = windowStart(now, windowSeconds);
    const existing = this.#find(counter, windowSeconds, start);
    if (existing) return existing;
    const opened: WindowCount = { counter, start, windowSeconds, count: 0 };
    // Drops the shortest window first: the count of a day must outlive those of minutes.
    this.#windows = [opened, ...this.#windows];
    if (this.#windows.length > MAX_WINDOWS) this.#windows.splice(shortestOf(this.#windows.slice(1)) + 1, 1);
    return opened;
  }
}

/** Index of the shortest window; of equal ones the oldest, which is the last. */
function shortestOf(windows: readonly WindowCount[]): number {
  return windows.reduce(
    (shortest, window, index) => (window.windowSeconds <= (windows[shortest]?.windowSeconds ?? 0) ? index : shortest),
    0,
  );
}
