import type { UnixSeconds } from '../time/clock.ts';
import { windowStart } from './window.ts';

/** The count of one open window of one named counter, as it is stored. */
export interface WindowCount {
  counter: string;
  start: UnixSeconds;
  windowSeconds: number;
  count: number;
  /** Of a network: the share of each member in the count. */
  members?: Map<string, number>;
}

/** How many of several requests that came together were counted for a member of a network. */
export interface MemberTake {
  /** Place of the first in the member's window. */
  first: number;
  /** The others are refused. */
  granted: number;
  /** The network as a whole has nothing left. */
  isNetworkSpent: boolean;
}

/** Windows kept at once: the open ones, and those which clocks set by tests have opened elsewhere in time. */
const MAX_WINDOWS = 16;
/** Members counted over all windows, some 40 bytes each in storage. One that is dropped starts anew, within the limit of its network. */
const MAX_MEMBERS = 4096;

/**
 * Exact fixed-window counts of one caller. Kept by window start, so that a clock set by a test never mixes with
 * another. Refused requests are not counted: raising a limit within a window takes effect at once.
 */
export class WindowCounters {
  #windows: WindowCount[] = [];

  /**
   * Counts requests that came together as far as the limit allows. Returns the place of the first in its window,
   * `limit + 1` when it is refused; the others follow it, and places beyond the limit are refused.
   */
  take(counter: string, limit: number, windowSeconds: number, now: UnixSeconds, requests = 1): number {
    const window = this.#open(counter, windowSeconds, now);
    if (window.count >= limit) return limit + 1;
    const first = window.count + 1;
    window.count = Math.min(window.count + requests, limit);
    return first;
  }

  /** Counts requests of a member as far as its limit and that of its whole network allow. */
  takeMember(
    counter: string,
    member: string,
    limits: { member: number; network: number },
    windowSeconds: number,
    now: UnixSeconds,
    requests = 1,
  ): MemberTake {
    const window = this.#open(counter, windowSeconds, now);
    window.members ??= new Map();
    const used = window.members.get(member) ?? 0;
    const granted = Math.max(0, Math.min(requests, limits.member - used, limits.network - window.count));
    if (granted > 0) {
      window.members.set(member, used + granted);
      window.count += granted;
      if (used === 0) this.#boundMembers();
    }
    return { first: used + 1, granted, isNetworkSpent: window.count >= limits.network };
  }

  /** Requests used in the window that holds `now`, by one member or in all, without counting one. */
  used(counter: string, windowSeconds: number, now: UnixSeconds, member?: string): number {
    const window = this.#find(counter, windowSeconds, windowStart(now, windowSeconds));
    return (member === undefined ? window?.count : window?.members?.get(member)) ?? 0;
  }

  snapshot(): WindowCount[] {
    return this.#windows;
  }

  restore(windows: readonly WindowCount[]): void {
    this.#windows = windows.map((window) => ({ ...window, ...(window.members ? { members: new Map(window.members) } : {}) }));
  }

  /** Drops the members that were counted first, from the window opened first. */
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
    const known = this.#find(counter, windowSeconds, start);
    if (known) return known;
    const opened: WindowCount = { counter, start, windowSeconds, count: 0 };
    // The shortest windows go first: a day's count must outlive the minutes beside it.
    this.#windows = [opened, ...this.#windows];
    if (this.#windows.length > MAX_WINDOWS) this.#windows.splice(shortestOf(this.#windows.slice(1)) + 1, 1);
    return opened;
  }
}

/** Index of the shortest window; of several the one opened first, which is the last. */
function shortestOf(windows: readonly WindowCount[]): number {
  return windows.reduce((best, window, index) => (window.windowSeconds <= (windows[best]?.windowSeconds ?? 0) ? index : best), 0);
}
