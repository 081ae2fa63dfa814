import { ApiError } from '../../errors/api-error.ts';
import { logError } from '../../logging.ts';
import { SLOT_LEASE_MS, SLOT_RENEWAL_SECONDS } from '../../rate-limits/stored-slots.ts';
import { notAuthenticated } from './unauthenticated.ts';

/** What the object that counts the caller says about a slot: held, the limit that is reached, or that the caller lost its right. */
export type SlotDecision = 'held' | 'unauthenticated' | { limit: number };

/** The calls about one slot, which its id tells from the caller's others. */
export interface SlotCalls {
  hold(id: string): Promise<SlotDecision>;
  free(id: string): Promise<void>;
}

/** A place for one open stream of a caller: a lease that whoever holds the stream renews every `SLOT_RENEWAL_SECONDS`. */
export interface StreamSlot {
  /** Throws 429 when the caller has as many streams open as it may. */
  take(): Promise<void>;
  /** False when the slot is lost and the stream must end. Rejects when that could not be found out. */
  renew(): Promise<boolean>;
  /** Frees the slot for good. Never rejects: a slot that could not be freed lapses. */
  free(): Promise<void>;
}

export function createStreamSlot(calls: SlotCalls): StreamSlot {
  const id = crypto.randomUUID();
  let lastCall: Promise<unknown> = Promise.resolve();
  let mayBeHeld = false;
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
        logError('the slot of a stream could not be freed', error);
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
