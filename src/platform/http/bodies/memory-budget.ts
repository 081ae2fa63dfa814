import { ApiError } from '../../errors/api-error.ts';
import { type Clock, systemClock, type UnixSeconds } from '../../time/clock.ts';

/**
 * Memory for the large requests of an isolate, of its 128 MiB: the service takes about 30, and the largest insert needs all of
 * this.
 */
export const ISOLATE_BUDGET_BYTES = 80 * 1024 * 1024;
const RETRY_SECONDS = 5;
/** A reservation without a renewal for this long belongs to a lost request: reading a body and sending a chunk take less. */
const LEASE_SECONDS = 300;
/** The platform ends all work of a request 30 s after its client has left. */
const ABORTED_LEASE_SECONDS = 31;

/** A share of the memory. It belongs to one request and ends with it. */
export interface Reservation {
  /** Adds to the share. Throws 503 when less memory is left. */
  grow(amount: number): void;
  /** Takes ownership of bytes that are unused after the release, which frees them at once instead of at garbage collection. */
  own(bytes: Uint8Array<ArrayBuffer>): void;
  /** Renews the lease. Throws 503 when the reservation has ended and its bytes are freed. */
  renew(): void;
  /** Returns the whole share. Further calls have no effect. */
  release(): void;
}

/** Divides the memory of an isolate, in bytes, among the requests that need much of it. */
export interface MemoryBudget {
  /**
   * Opens an empty reservation. Its owner releases it in a `finally`, which the pipeline keeps alive after the client
   * has left. As a last resort the reservation lapses: 5 minutes after it was last renewed, 31 s after `signal` aborted.
   */
  open(signal: AbortSignal): Reservation;
}

interface Lease {
  amount: number;
  owned: Uint8Array<ArrayBuffer>[];
  /** Real time. */
  expiresAt: UnixSeconds;
}

export interface MemoryBudgetOptions {
  /** Real time. */
  clock?: Clock;
}

let reservedInIsolate = 0;

/** The sum of all reservations of this isolate; zero when no request is in progress. */
export function reservedTotal(): number {
  return reservedInIsolate;
}

/**
 * Creates a memory budget of `limit` bytes: the service has one per isolate. It rejects excess requests at once, because
 * waiting requests would hold their bodies.
 */
export function createMemoryBudget(limit: number, options: MemoryBudgetOptions = {}): MemoryBudget {
  const { clock = systemClock } = options;
  const leases = new Set<Lease>();
  let reserved = 0;

  const unavailable = (message: string) =>
    new ApiError('service_unavailable', message, { headers: { 'Retry-After': String(RETRY_SECONDS) } });

  function add(amount: number): void {
    reserved += amount;
    reservedInIsolate += amount;
  }

  function end(lease: Lease): void {
    if (!leases.delete(lease)) return;
    add(-lease.amount);
    // Transferring a buffer detaches it and frees its memory.
    for (const { buffer } of lease.owned.splice(0)) buffer.transfer(0);
  }

  function endExpired(): void {
    const now = clock();
    for (const lease of leases) if (lease.expiresAt <= now) end(lease);
  }

  return {
    open(signal) {
      endExpired();
      const lease: Lease = { amount: 0, owned: [], expiresAt: clock() + LEASE_SECONDS };
      leases.add(lease);
      const onAbort = () => {
        lease.expiresAt = Math.min(lease.expiresAt, clock() + ABORTED_LEASE_SECONDS);
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      const requireHeld = () => {
        if (!leases.has(lease)) throw unavailable('the request took too long');
      };

      return {
        grow(amount) {
          requireHeld();
          if (reserved + amount > limit) throw unavailable('too many large requests are in progress');
          add(amount);
          lease.amount += amount;
        },
        own(bytes) {
          requireHeld();
          lease.owned.push(bytes);
        },
        renew() {
          requireHeld();
          if (!signal.aborted) lease.expiresAt = clock() + LEASE_SECONDS;
        },
        release() {
          signal.removeEventListener('abort', onAbort);
          end(lease);
        },
      };
    },
  };
}
