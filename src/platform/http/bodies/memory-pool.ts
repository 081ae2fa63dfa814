import { ApiError } from '../../kit/errors/api-error.ts';
import type { IsolateMemory } from '../../kit/isolate-memory.ts';
import { type Clock, systemClock, type UnixSeconds } from '../../kit/time/clock.ts';
import type { Reserve } from './body.ts';

const RETRY_SECONDS = 5;
/** A reservation expires this long after its last renewal. Reading a body and sending a chunk take less. */
const LEASE_SECONDS = 300;
/** The platform stops a request 30 s after its client disconnects. */
const ABORTED_LEASE_SECONDS = 31;

/** A share of the memory, for one request. */
export interface Reservation {
  /** Adds bytes to the share. Throws 503 if less memory is available. */
  grow(amount: number): void;
  /** Frees the bytes on release instead of at garbage collection. They must not be used afterwards. */
  own(bytes: Uint8Array<ArrayBuffer>): void;
  /** Renews the lease. Throws 503 if the reservation has ended and its bytes are freed. */
  renew(): void;
  /** Ends the reservation. Further calls have no effect. */
  release(): void;
}

/** Divides the memory of an isolate among its large requests. Amounts are bytes. */
export interface MemoryPool {
  /**
   * Opens an empty reservation. The request releases it in a `finally`, which the pipeline runs even after the client disconnects.
   * An unreleased reservation expires 5 minutes after its last renewal or 31 s after `signal` aborted.
   */
  open(signal: AbortSignal): Reservation;
}

interface Lease {
  amount: number;
  owned: Uint8Array<ArrayBuffer>[];
  /** Real time, not the time of the request. */
  expiresAt: UnixSeconds;
}

export interface MemoryPoolOptions {
  /** Real time, not the time of the request. */
  clock?: Clock;
}

/**
 * Divides `memory` among requests. Excess requests are rejected immediately, because waiting requests would keep their bodies in
 * memory.
 */
export function createMemoryPool(memory: IsolateMemory, options: MemoryPoolOptions = {}): MemoryPool {
  const { clock = systemClock } = options;
  const leases = new Set<Lease>();

  function endLease(lease: Lease): void {
    if (!leases.delete(lease)) return;
    memory.refund(lease.amount);
    // Transferring a buffer detaches it and frees its memory.
    for (const { buffer } of lease.owned.splice(0)) buffer.transfer(0);
  }

  function endExpired(): void {
    const now = clock();
    for (const lease of leases) if (lease.expiresAt <= now) endLease(lease);
  }

  memory.onShortage(endExpired);

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
      const requireActive = () => {
        if (leases.has(lease)) return;
        throw new ApiError('service_unavailable', 'the request took too long', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
      };

      return {
        grow(amount) {
          requireActive();
          memory.take(amount);
          lease.amount += amount;
        },
        own(bytes) {
          requireActive();
          lease.owned.push(bytes);
        },
        renew() {
          requireActive();
          if (!signal.aborted) lease.expiresAt = clock() + LEASE_SECONDS;
        },
        release() {
          signal.removeEventListener('abort', onAbort);
          endLease(lease);
        },
      };
    },
  };
}

/** Memory that the body of a request may occupy without a reservation, in bytes. */
const UNRESERVED_BYTES = 256 * 1024;

/** The memory of one request with a body, reserved in proportion to what has arrived. */
export interface BodyMemory {
  readonly reserve: Reserve;
  release(): void;
}

/** `factor`: peak memory of the request as a multiple of its body, including the body. */
export function createBodyMemory(memory: MemoryPool, signal: AbortSignal, factor: number): BodyMemory {
  let reservation: Reservation | null = null;
  let occupied = 0;
  let reserved = 0;
  return {
    reserve(bytes) {
      occupied += bytes * factor;
      if (occupied <= UNRESERVED_BYTES) return;
      reservation ??= memory.open(signal);
      reservation.grow(occupied - reserved);
      reserved = occupied;
    },
    release: () => reservation?.release(),
  };
}
