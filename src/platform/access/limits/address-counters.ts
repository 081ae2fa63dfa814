import type { UnixSeconds } from '../../kit/time/clock.ts';
import { windowReset, windowStart } from './window.ts';

/** Counts of an address, or of a member of a network and of the network. */
export interface AddressCount {
  member: number;
  /** 0 for an address without a network. */
  network: number;
}

/** Limits of an address and of its network. */
export interface AddressLimits {
  member: number;
  /** Null for an address without a network. */
  network: number | null;
}

/** One request of an address in a window. */
export interface AddressCall {
  /** Name of the exact object: of the address, or of its network. */
  name: string;
  /** Counter key of the /64 network within its /48 network; null for an address without a network. */
  member: string | null;
  limits: AddressLimits;
  windowSeconds: number;
  now: UnixSeconds;
  /** Counts that the isolate saw last: they apply when the object lost its memory. */
  seen: AddressCount;
}

/** Result of a request in the shared object of a location. */
export interface LocalResult {
  /** Counts of this location in the window. */
  count: AddressCount;
  /** False when the request must be counted in the global object of the address. */
  isCounted: boolean;
  /** True when the global object counts from the next request on. */
  isGlobal: boolean;
}

/** Result of a request in the global object of an address. */
export interface GlobalResult {
  /** Requests in the window at all locations including this one; over the limit when it was refused. */
  used: number;
  /** The limit that is used up; null when the request was counted. */
  refusedBy: 'member' | 'network' | null;
  /** Requests of the network in the window at all locations. */
  network: number;
}

/** Maximum number of addresses and networks that a shared object counts, about 20 MB. */
const MAX_COUNTS = 100_000;
/** Maximum number of windows of a shared object: several rate limits, and the clocks that tests set. */
const MAX_WINDOWS = 64;
/** Maximum number of windows of a global object. */
const MAX_GLOBAL_WINDOWS = 16;
/** Maximum number of members of a network in one window. A dropped member starts at the count that its isolate saw. */
const MAX_MEMBERS = 4096;

/** Requests that a location counts of a limit, before the global object counts. */
export const localShare = (limit: number): number => Math.floor(limit / 2);

/** Count of an address or network at one location. */
interface LocalCount {
  used: number;
  /** True when the global object counts, also after the limit is raised. */
  isGlobal: boolean;
}

interface Window {
  resetAt: UnixSeconds;
  counts: Map<string, LocalCount>;
}

/**
 * Counts of many addresses at one location, in memory. A location counts an address up to half of its limit; the global object of the
 * address counts the rest, so n locations admit at most (n + 1) / 2 times the limit.
 */
export class LocalAddressCounters {
  readonly #windows = new Map<string, Window>();
  readonly #maxCounts: number;
  #size = 0;

  constructor(maxCounts: number = MAX_COUNTS) {
    this.#maxCounts = maxCounts;
  }

  /** Number of addresses and networks in memory. */
  get size(): number {
    return this.#size;
  }

  count({ name, member, limits, windowSeconds, now, seen }: AddressCall): LocalResult {
    const { counts } = this.#open(windowSeconds, now);
    const own = this.#countOf(counts, keyOfMember(name, member), seen.member);
    const network = member === null ? null : this.#countOf(counts, name, seen.network);
    const isGlobal = () => {
      own.isGlobal ||= own.used >= localShare(limits.member);
      if (network && limits.network !== null) network.isGlobal ||= network.used >= localShare(limits.network);
      return own.isGlobal || network?.isGlobal === true;
    };
    const isCounted = !isGlobal();
    if (isCounted) {
      own.used += 1;
      if (network) network.used += 1;
    }
    this.#bound(now);
    return { count: { member: own.used, network: network?.used ?? 0 }, isCounted, isGlobal: isGlobal() };
  }

  #open(windowSeconds: number, now: UnixSeconds): Window {
    const key = `${windowSeconds} ${windowStart(now, windowSeconds)}`;
    let window = this.#windows.get(key);
    if (!window) {
      window = { resetAt: windowReset(now, windowSeconds), counts: new Map() };
      this.#windows.set(key, window);
    }
    return window;
  }

  /** The count of an address or network, at least `seen`. */
  #countOf(counts: Map<string, LocalCount>, key: string, seen: number): LocalCount {
    let count = counts.get(key);
    if (!count) {
      count = { used: 0, isGlobal: false };
      counts.set(key, count);
      this.#size += 1;
    }
    count.used = Math.max(count.used, seen);
    return count;
  }

  /** Drops windows that have ended, then the oldest windows and entries. */
  #bound(now: UnixSeconds): void {
    if (this.#size <= this.#maxCounts && this.#windows.size <= MAX_WINDOWS) return;
    for (const [key, { resetAt }] of this.#windows) if (resetAt <= now) this.#drop(key);
    for (const key of this.#windows.keys()) if (this.#windows.size > MAX_WINDOWS) this.#drop(key);
    for (const { counts } of this.#windows.values()) {
      for (const entry of counts.keys()) {
        if (this.#size <= this.#maxCounts) return;
        counts.delete(entry);
        this.#size -= 1;
      }
    }
  }

  #drop(key: string): void {
    this.#size -= this.#windows.get(key)?.counts.size ?? 0;
    this.#windows.delete(key);
  }
}

/** Counts of one key: its requests here, and what each location reported. */
interface GlobalCount {
  direct: number;
  local: Map<string, number>;
}

/** Counts of one address or network at all locations, in memory: what each location counted, and all further requests. */
export class GlobalAddressCounters {
  readonly #windows = new Map<string, { members: Map<string, GlobalCount>; network: GlobalCount }>();

  /** Counts a request. `location`: the shared object that counted before; `local`: what it counted of the address and its network. */
  count({ name, member, limits, windowSeconds, now, seen }: AddressCall, location: string, local: AddressCount): GlobalResult {
    const window = this.#open(windowSeconds, now);
    const key = keyOfMember(name, member);
    const own = window.members.get(key) ?? { direct: 0, local: new Map() };
    window.members.set(key, own);
    if (window.members.size > MAX_MEMBERS) window.members.delete(window.members.keys().next().value ?? key);
    report(own, location, local.member, seen.member);
    report(window.network, location, local.network, seen.network);
    const network = totalOf(window.network);
    if (totalOf(own) >= limits.member) return { used: limits.member + 1, refusedBy: 'member', network };
    if (limits.network !== null && network >= limits.network) return { used: limits.network + 1, refusedBy: 'network', network };
    own.direct += 1;
    window.network.direct += 1;
    return { used: totalOf(own), refusedBy: null, network: network + 1 };
  }

  #open(windowSeconds: number, now: UnixSeconds) {
    const key = `${windowSeconds} ${windowStart(now, windowSeconds)}`;
    let window = this.#windows.get(key);
    if (!window) {
      window = { members: new Map(), network: { direct: 0, local: new Map() } };
      this.#windows.set(key, window);
      if (this.#windows.size > MAX_GLOBAL_WINDOWS) this.#windows.delete(this.#windows.keys().next().value ?? key);
    }
    return window;
  }
}

/** Counter key of an address within a shared or global object. Differs from that of its network. */
const keyOfMember = (name: string, member: string | null): string => (member === null ? name : `${name} ${member}`);

const totalOf = ({ direct, local }: GlobalCount): number => direct + [...local.values()].reduce((sum, count) => sum + count, 0);

/** Takes over what a location counted, and at least the total that its isolate saw. */
function report(count: GlobalCount, location: string, local: number, seen: number): void {
  count.local.set(location, Math.max(local, count.local.get(location) ?? 0));
  count.direct += Math.max(0, seen - totalOf(count));
}
