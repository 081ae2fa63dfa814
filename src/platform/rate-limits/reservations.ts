import { systemMilliseconds, type UnixSeconds } from '../time/clock.ts';
import { windowStart } from './window.ts';

/** Longest that a reservation outlives the Worker that holds it, in milliseconds of real time. */
export const RESERVATION_LEASE_MS = 30_000;
/** Renewal interval of the Worker while the request runs. */
export const RESERVATION_RENEWAL_MS = 10_000;

const STORAGE_KEY = 'reservations';

/** A running request that may turn out not to count. */
interface Reservation {
  id: string;
  /** Member of the network that it is counted for; absent where the object counts one client. */
  member?: string | undefined;
  /** Start of the window it will count in. */
  start: UnixSeconds;
  windowSeconds: number;
  /** Real time in milliseconds: it lapses then, unless renewed, because its Worker must have crashed. */
  until: number;
}

/** Running requests of one bucket. They survive the eviction of the Durable Object, and lapse soon after their Worker is gone. */
export class Reservations {
  readonly #storage: DurableObjectStorage;
  #held: Reservation[];

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#held = storage.kv.get<Reservation[]>(STORAGE_KEY) ?? [];
  }

  /** Reservations in the window of `now` that have not lapsed: of the member, and of all. */
  live(windowSeconds: number, now: UnixSeconds, member?: string): { own: number; all: number; firstEndsAt: number } {
    const start = windowStart(now, windowSeconds);
    const live = this.#live().filter((held) => held.start === start && held.windowSeconds === windowSeconds);
    const own = live.filter((held) => held.member === member).length;
    return { own, all: live.length, firstEndsAt: Math.min(...live.map(({ until }) => until)) };
  }

  /** Adds or renews a reservation. */
  hold(id: string, windowSeconds: number, now: UnixSeconds, member?: string): void {
    const renewed = {
      id,
      member,
      start: windowStart(now, windowSeconds),
      windowSeconds,
      until: systemMilliseconds() + RESERVATION_LEASE_MS,
    };
    this.#write([...this.#live().filter((held) => held.id !== id), renewed]);
  }

  drop(id: string): void {
    this.#write(this.#live().filter((held) => held.id !== id));
  }

  /** When the last reservation lapses, real time in milliseconds; null without reservations. */
  get endsAt(): number | null {
    const live = this.#live();
    return live.length === 0 ? null : Math.max(...live.map(({ until }) => until));
  }

  #live(): Reservation[] {
    return this.#held.filter(({ until }) => systemMilliseconds() < until);
  }

  #write(held: Reservation[]): void {
    this.#held = held;
    // A crash that loses this write ends the reservation, which is intended.
    void this.#storage.put(STORAGE_KEY, held, { allowUnconfirmed: true });
  }
}
