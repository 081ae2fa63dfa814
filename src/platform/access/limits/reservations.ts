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
  /** True after the end of a request that counted, until `until`: a repeated end does not count it again. */
  isSettled?: true;
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
    const live = this.#live().filter(
      (reservation) => !reservation.isSettled && reservation.start === start && reservation.windowSeconds === windowSeconds,
    );
    const own = live.filter((reservation) => reservation.member === member).length;
    return { own, all: live.length, firstEndsAt: Math.min(...live.map(({ until }) => until)) };
  }

  /** Adds or renews a reservation. One that is settled stays so. */
  put(id: string, windowSeconds: number, now: UnixSeconds, member?: string): void {
    if (!this.#isSettled(id)) this.#replace(id, { windowSeconds, start: windowStart(now, windowSeconds), member });
  }

  /** Ends the reservation of a request that counts. False when it was ended so before. */
  settle(id: string, windowSeconds: number, now: UnixSeconds, member?: string): boolean {
    if (this.#isSettled(id)) return false;
    this.#replace(id, { windowSeconds, start: windowStart(now, windowSeconds), member, isSettled: true });
    return true;
  }

  delete(id: string): void {
    if (this.#reservations.some((reservation) => reservation.id === id)) this.#write(this.#live().filter((other) => other.id !== id));
  }

  deleteExpired(): void {
    const live = this.#live();
    if (live.length < this.#reservations.length) this.#write(live);
  }

  /** End of the last reservation, real time in milliseconds; null without reservations. */
  get endsAt(): number | null {
    const live = this.#live();
    return live.length === 0 ? null : Math.max(...live.map(({ until }) => until));
  }

  #isSettled(id: string): boolean {
    return this.#live().some((reservation) => reservation.id === id && reservation.isSettled);
  }

  #replace(id: string, reservation: Omit<StoredReservation, 'id' | 'until'>): void {
    const others = this.#live().filter((other) => other.id !== id);
    this.#write([...others, { ...reservation, id, until: systemMs() + RESERVATION_LEASE_MS }]);
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
