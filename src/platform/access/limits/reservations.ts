import { systemMs, type UnixSeconds } from '../../kit/time/clock.ts';
import { windowStart } from './window.ts';

/** Time until a reservation that is not renewed ends, in milliseconds of real time. */
export const RESERVATION_LEASE_MS = 30_000;
/** Interval in milliseconds at which the Worker renews a reservation while the request runs. */
export const RESERVATION_RENEWAL_MS = 10_000;

export const RESERVATIONS_KEY = 'reservations';

/** A running request that counts depending on its result. */
export interface StoredReservation {
  id: string;
  /** Member of the network; absent when the object counts one client. */
  member?: string | undefined;
  /** Start of the window in which the request counts. */
  start: UnixSeconds;
  windowSeconds: number;
  /** End of the reservation, real time in milliseconds. A Worker that has not renewed by then must have crashed. */
  until: number;
}

/** Reservations of one bucket. They survive the eviction of the Durable Object. */
export class Reservations {
  readonly #storage: DurableObjectStorage;
  #reservations: StoredReservation[];

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#reservations = storage.kv.get<StoredReservation[]>(RESERVATIONS_KEY) ?? [];
  }

  /** Counts the live reservations in the window of `now`: of the member, and of all. `firstEndsAt`: real time in milliseconds. */
  count(windowSeconds: number, now: UnixSeconds, member?: string): { own: number; all: number; firstEndsAt: number } {
    const start = windowStart(now, windowSeconds);
    const live = this.#live().filter((reservation) => reservation.start === start && reservation.windowSeconds === windowSeconds);
    const own = live.filter((reservation) => reservation.member === member).length;
    return { own, all: live.length, firstEndsAt: Math.min(...live.map(({ until }) => until)) };
  }

  /** Adds or renews a reservation. */
  put(id: string, windowSeconds: number, now: UnixSeconds, member?: string): void {
    const renewed = {
      id,
      member,
      start: windowStart(now, windowSeconds),
      windowSeconds,
      until: systemMs() + RESERVATION_LEASE_MS,
    };
    this.#write([...this.#live().filter((reservation) => reservation.id !== id), renewed]);
  }

  delete(id: string): void {
    this.#write(this.#live().filter((reservation) => reservation.id !== id));
  }

  /** End of the last reservation, real time in milliseconds; null without reservations. */
  get endsAt(): number | null {
    const live = this.#live();
    return live.length === 0 ? null : Math.max(...live.map(({ until }) => until));
  }

  #live(): StoredReservation[] {
    return this.#reservations.filter(({ until }) => systemMs() < until);
  }

  #write(reservations: StoredReservation[]): void {
    this.#reservations = reservations;
    // A crash that loses this write ends the reservation, which is acceptable.
    if (reservations.length === 0) void this.#storage.delete(RESERVATIONS_KEY, { allowUnconfirmed: true });
    else void this.#storage.put(RESERVATIONS_KEY, reservations, { allowUnconfirmed: true });
  }
}
