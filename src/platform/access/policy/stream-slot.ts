import { ApiError } from '../../kit/errors/api-error.ts';
import { logError } from '../../kit/logging.ts';
import { systemClock } from '../../kit/time/clock.ts';
import type { BucketKey, RateLimiter } from '../limits/rate-limiter.ts';
import { type FullSlots, SLOT_LEASE_MS } from '../limits/stored-slots.ts';
import type { TokenGate } from '../tokens/token-gate.ts';

/** Retry-After of a client at its limit, in seconds. */
const RETRY_SECONDS = 60;

/** The object that counts the slots of a client: the gate of its token, or the object of its address. Serializable. */
export type SlotHolder =
  | { kind: 'address'; key: BucketKey; limit: number }
  /** `clockOffset`: seconds from the real time to the time of the request, whose clock advances while the stream is open. */
  | { kind: 'token'; tokenId: string; limit: number; clockOffset: number };

/** A slot of the shard that keeps its stream, as that shard stores it. */
export interface SlotHandle {
  id: string;
  /** Name of the shard. The holder stores it with the slot, so it can reach the stream. */
  shard: string;
  holder: SlotHolder;
}

/** Result of acquiring a slot. `endsAt`: the token expires, real time in milliseconds; null: never. */
export type SlotDecision =
  | { outcome: 'acquired'; endsAt: number | null }
  | ({ outcome: 'full' } & FullSlots)
  | { outcome: 'unauthenticated' };

/** RPC to the holder of a slot. */
export interface SlotClient {
  acquire(handle: SlotHandle): Promise<SlotDecision>;
  release(handle: SlotHandle): Promise<void>;
}

/** A slot for one open stream of a client: a lease that the shard renews every `SLOT_RENEWAL_SECONDS`. */
export interface StreamSlot {
  readonly handle: SlotHandle;
  /** Acquires or renews the slot; null after its release. Rejects when the holder cannot be reached. */
  acquire(): Promise<SlotDecision | null>;
  /** Releases the slot. Never rejects: the lease ends if the release fails. */
  release(): Promise<void>;
}

/** RPC to the gates of tokens and to the objects of addresses. */
export function createSlotClient(gate: Pick<TokenGate, 'acquireSlot' | 'releaseSlot'>, limiter: RateLimiter): SlotClient {
  return {
    async acquire({ id, shard, holder }) {
      const { limit } = holder;
      if (holder.kind === 'address') {
        const full = await limiter.acquireSlot(holder.key, { id, shard }, limit);
        return full ? { outcome: 'full', ...full } : { outcome: 'acquired', endsAt: null };
      }
      const { tokenId, clockOffset } = holder;
      const result = await gate.acquireSlot(tokenId, { id, shard }, limit, systemClock() + clockOffset);
      if (result.outcome !== 'acquired') return result;
      const { expiresAt } = result;
      // The token is valid until the end of the second in which it expires.
      return { outcome: 'acquired', endsAt: expiresAt === null ? null : (expiresAt + 1 - clockOffset) * 1000 };
    },
    release({ id, holder }) {
      return holder.kind === 'address' ? limiter.releaseSlot(holder.key, id) : gate.releaseSlot(holder.tokenId, id);
    },
  };
}

/** A slot that is not acquired yet, or (`isStored`) one that an earlier instance of the shard may have acquired. */
export function createStreamSlot(handle: SlotHandle, client: SlotClient, isStored = false): StreamSlot {
  let previous: Promise<unknown> = Promise.resolve();
  let mayBeAcquired = isStored;
  let isReleased = false;

  /** Runs one RPC after the other: a renewal that arrives after the release would acquire the slot again. */
  function runSerially<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = previous.then(work);
    previous = result.catch(() => {});
    return result;
  }

  return {
    handle,

    acquire: () =>
      runSerially(async () => {
        if (isReleased) return null;
        mayBeAcquired = true;
        const decision = await client.acquire(handle);
        if (decision.outcome !== 'acquired') mayBeAcquired = false;
        return decision;
      }),

    async release() {
      isReleased = true;
      try {
        await runSerially(async () => {
          if (!mayBeAcquired) return;
          mayBeAcquired = false;
          await client.release(handle);
        });
      } catch (error) {
        // Not repeated: the slot ends with its lease.
        logError('stream slot could not be released', error);
      }
    },
  };
}

/** 429 for a client at its limit of open streams. `window_seconds`: time until the slot of a lost connection is released. */
export function tooManyStreams({ kind }: SlotHolder, limit: number): ApiError {
  const client = kind === 'token' ? 'token' : 'IP address';
  return new ApiError('rate_limited', `at most ${limit} connections to the event stream may be open at once for each ${client}`, {
    details: { limit, window_seconds: SLOT_LEASE_MS / 1000 },
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
}
