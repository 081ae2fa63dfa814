import { ApiError } from '../../errors/api-error.ts';
import { logError } from '../../logging.ts';
import type { BucketKey, RateLimiter } from '../../rate-limits/rate-limiter.ts';
import { SLOT_LEASE_MS, SLOT_RENEWAL_SECONDS } from '../../rate-limits/stored-slots.ts';
import { systemClock } from '../../time/clock.ts';
import type { TokenGate } from '../tokens/token-gate.ts';
import { notAuthenticated } from './unauthenticated.ts';

/** Response of the counting object about a slot: held, the limit that is reached, or that the client lost its access. */
export type SlotDecision = 'held' | 'unauthenticated' | { limit: number };

/** The object that counts a slot: the gate of a token or the object of an address. Serializable. */
export type SlotHolder =
  | { kind: 'address'; key: BucketKey; limit: number }
  /** `clockOffset`: seconds from the real time to the time of the request, whose clock advances while the stream is open. */
  | { kind: 'token'; hashedToken: string; limit: number; clockOffset: number };

/** Names a slot: with it an object renews and frees a slot that another one took. */
export interface SlotHandle {
  id: string;
  holder: SlotHolder;
}

/** Requests about one slot, identified among the slots of the client by its id. */
export interface SlotCalls {
  hold(id: string): Promise<SlotDecision>;
  free(id: string): Promise<void>;
}

/** A slot for one open stream of a client: a lease that the holder of the stream renews every `SLOT_RENEWAL_SECONDS`. */
export interface StreamSlot {
  readonly handle: SlotHandle;
  /** Throws 429 when the client has reached its limit of open streams. */
  take(): Promise<void>;
  /** False when the slot is lost and the stream must end. Rejects when that could not be found out. */
  renew(): Promise<boolean>;
  /** Releases the slot. Never rejects: a slot that could not be released lapses. */
  free(): Promise<void>;
}

/** Makes the calls about slots of a holder. */
export type SlotCallsOf = (holder: SlotHolder) => SlotCalls;

export function createSlotCalls(gate: Pick<TokenGate, 'acquireSlot' | 'freeSlot'>, limiter: RateLimiter): SlotCallsOf {
  return (holder) => {
    const { limit } = holder;
    if (holder.kind === 'address') {
      const { key } = holder;
      return {
        async hold(id) {
          const reached = await limiter.acquireSlot(key, id, limit);
          return reached === null ? 'held' : { limit: reached };
        },
        free: (id) => limiter.freeSlot(key, id),
      };
    }
    const { hashedToken, clockOffset } = holder;
    return {
      async hold(id) {
        const answer = await gate.acquireSlot(hashedToken, id, limit, systemClock() + clockOffset);
        return answer === 'full' ? { limit } : answer;
      },
      free: (id) => gate.freeSlot(hashedToken, id),
    };
  };
}

/** A new slot, to be taken. */
export function newStreamSlot(holder: SlotHolder, callsOf: SlotCallsOf): StreamSlot {
  return createStreamSlot({ id: crypto.randomUUID(), holder }, callsOf(holder), false);
}

/** A slot that another object acquired. */
export function heldStreamSlot(handle: SlotHandle, callsOf: SlotCallsOf): StreamSlot {
  return createStreamSlot(handle, callsOf(handle.holder), true);
}

function createStreamSlot(handle: SlotHandle, calls: SlotCalls, isHeld: boolean): StreamSlot {
  const { id } = handle;
  let lastCall: Promise<unknown> = Promise.resolve();
  let mayBeHeld = isHeld;
  let isFreed = false;

  /** One call after the other: a renewal that overtakes the end of the stream would take the slot again. */
  function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = lastCall.then(work);
    lastCall = result.catch(() => {});
    return result;
  }

  async function hold(): Promise<SlotDecision> {
    mayBeHeld = true;
    const decision = await calls.hold(id);
    if (decision !== 'held') mayBeHeld = false;
    return decision;
  }

  return {
    handle,

    async take() {
      const decision = await inOrder(hold);
      if (decision === 'unauthenticated') throw notAuthenticated('unknown');
      if (decision !== 'held') throw tooManyStreams(decision.limit);
    },

    renew: () => inOrder(async () => !isFreed && (await hold()) === 'held'),

    async free() {
      isFreed = true;
      try {
        await inOrder(async () => {
          if (!mayBeHeld) return;
          mayBeHeld = false;
          await calls.free(id);
        });
      } catch (error) {
        logError('stream slot could not be released', error);
      }
    },
  };
}

/** `window_seconds`: how long the slot of a lost connection stays taken. */
function tooManyStreams(limit: number): ApiError {
  return new ApiError('rate_limited', `at most ${limit} event streams may be open at once`, {
    details: { limit, window_seconds: SLOT_LEASE_MS / 1000 },
    headers: { 'Retry-After': String(SLOT_RENEWAL_SECONDS) },
  });
}
