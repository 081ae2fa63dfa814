import type { UnixSeconds } from '../time/clock.ts';
import { windowStart } from './window.ts';

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
