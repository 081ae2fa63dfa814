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

/** Result of a request of a member of a network. */
export interface MemberTake {
  /** Its place in the member's window; one beyond the limit when it was refused. */
  used: number;
  /** The limit that refused it; null when it was counted. */
  refusedBy: 'member' | 'network' | null;
}

/** Windows kept at once: the open ones, and those which clocks set by tests have opened elsewhere in time. */
const MAX_WINDOWS = 16;
/**
 * Members counted over all windows, about 40 bytes each in storage. A dropped member starts at zero, within the limit of its
 * network.
 */
const MAX_MEMBERS = 4096;

/**
 * Exact fixed-window counts of one client, keyed by window start, so that a clock set by a test never mixes with another.
 * Refused requests are not counted: raising a limit within a window applies at once.
 */
export class WindowCounters {
  #windows: WindowCount[] = [];

  /** Counts a request if the limit allows it. Returns its place in the window, `limit + 1` when it is refused. */
  take(counter: string, limit: number, windowSeconds: number, now: UnixSeconds): number {
    const window = this.#open(counter, windowSeconds, now);
    if (window.count >= limit) return limit + 1;
    window.count += 1;
    return window.count;
  }

  /** Counts a request of a member if its limit and that of its whole network allow it. */
  takeMember(
    counter: string,
    member: string,
    limits: { member: number; network: number },
    windowSeconds: number,
    now: UnixSeconds,
  ): MemberTake {
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
    // The shortest windows are dropped first: the count of a day must outlive those of minutes.
    this.#windows = [opened, ...this.#windows];
    if (this.#windows.length > MAX_WINDOWS) this.#windows.splice(shortestOf(this.#windows.slice(1)) + 1, 1);
    return opened;
  }
}

/** Index of the shortest window; of several the one opened first, which is the last. */
function shortestOf(windows: readonly WindowCount[]): number {
  return windows.reduce((best, window, index) => (window.windowSeconds <= (windows[best]?.windowSeconds ?? 0) ? index : best), 0);
}
