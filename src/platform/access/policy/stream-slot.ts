import { ApiError } from '../../errors/api-error.ts';
import { logError } from '../../logging.ts';
import type { BucketKey, RateLimiter } from '../../rate-limits/rate-limiter.ts';
import { SLOT_LEASE_MS, SLOT_RENEWAL_SECONDS } from '../../rate-limits/stored-slots.ts';
import { systemClock } from '../../time/clock.ts';
import type { TokenGate } from '../tokens/token-gate.ts';
import { notAuthenticated } from './unauthenticated.ts';

/** Result of acquiring a slot. `limit`: the limit that is reached. */
export type SlotDecision = 'acquired' | 'unauthenticated' | { limit: number };

/** The object that counts a slot: the gate of a token, or the object of an address. Serializable. */
export type SlotHolder =
  | { kind: 'address'; key: BucketKey; limit: number }
  /** `clockOffset`: seconds from the real time to the time of the request, whose clock advances while the stream is open. */
  | { kind: 'token'; hashedToken: string; limit: number; clockOffset: number };

/** Identifies a slot, so that one object can renew and release a slot that another one acquired. */
export interface SlotHandle {
  id: string;
  holder: SlotHolder;
}

/** RPC to the object that counts the slots of a client. `id` identifies one slot. */
export interface SlotClient {
  acquire(id: string): Promise<SlotDecision>;
  release(id: string): Promise<void>;
}

/** A slot for one open stream of a client: a lease that the owner of the stream renews every `SLOT_RENEWAL_SECONDS`. */
export interface StreamSlot {
  readonly handle: SlotHandle;
  /** Throws 429 when the client has reached its limit of open streams. */
  acquire(): Promise<void>;
  /** False when the slot is lost and the stream must end. Rejects when the object cannot be reached. */
  renew(): Promise<boolean>;
  /** Releases the slot. Never rejects: the lease ends if the release fails. */
  release(): Promise<void>;
}

export type SlotClientOf = (holder: SlotHolder) => SlotClient;

export function createSlotClients(gate: Pick<TokenGate, 'acquireSlot' | 'releaseSlot'>, limiter: RateLimiter): SlotClientOf {
  return (holder) => {
    const { limit } = holder;
    if (holder.kind === 'address') {
      const { key } = holder;
      return {
        async acquire(id) {
          const reached = await limiter.acquireSlot(key, id, limit);
          return reached === null ? 'acquired' : { limit: reached };
        },
        release: (id) => limiter.releaseSlot(key, id),
      };
    }
    const { hashedToken, clockOffset } = holder;
    return {
      async acquire(id) {
        const result = await gate.acquireSlot(hashedToken, id, limit, systemClock() + clockOffset);
        return result === 'full' ? { limit } : result;
      },
      release: (id) => gate.releaseSlot(hashedToken, id),
    };
  };
}

/** Creates a slot that is not acquired yet. */
export function createStreamSlot(holder: SlotHolder, clientOf: SlotClientOf): StreamSlot {
  return buildStreamSlot({ id: crypto.randomUUID(), holder }, clientOf(holder), false);
}

/** Continues a slot that another object acquired. */
export function resumeStreamSlot(handle: SlotHandle, clientOf: SlotClientOf): StreamSlot {
  return buildStreamSlot(handle, clientOf(handle.holder), true);
}

function buildStreamSlot(handle: SlotHandle, client: SlotClient, isAcquired: boolean): StreamSlot {
  const { id } = handle;
  let previous: Promise<unknown> = Promise.resolve();
  let mayBeAcquired = isAcquired;
  let isReleased = false;

  /** Runs one RPC after the other: a renewal that arrives after the release would acquire the slot again. */
  function runSerially<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = previous.then(work);
    previous = result.catch(() => {});
    return result;
  }

  async function acquireOrRenew(): Promise<SlotDecision> {
    mayBeAcquired = true;
    const decision = await client.acquire(id);
    if (decision !== 'acquired') mayBeAcquired = false;
    return decision;
  }

  return {
    handle,

    async acquire() {
      const decision = await runSerially(acquireOrRenew);
      if (decision === 'unauthenticated') throw notAuthenticated('unknown');
      if (decision !== 'acquired') throw tooManyStreams(decision.limit);
    },

    renew: () => runSerially(async () => !isReleased && (await acquireOrRenew()) === 'acquired'),

    async release() {
      isReleased = true;
      try {
        await runSerially(async () => {
          if (!mayBeAcquired) return;
          mayBeAcquired = false;
          await client.release(id);
        });
      } catch (error) {
        logError('stream slot could not be released', error);
      }
    },
  };
}

/** `window_seconds`: time until the slot of a lost connection is released. */
function tooManyStreams(limit: number): ApiError {
  return new ApiError('rate_limited', `at most ${limit} event streams may be open at once`, {
    details: { limit, window_seconds: SLOT_LEASE_MS / 1000 },
    headers: { 'Retry-After': String(SLOT_RENEWAL_SECONDS) },
  });
}
