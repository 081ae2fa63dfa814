import { ApiError } from '../../errors/api-error.ts';

const RETRY_SECONDS = 5;

/** Memory that one piece of work may hold. */
export interface Reservation {
  /** Adds to it. Throws 503 when so much is not free. */
  grow(bytes: number): void;
  /** Takes over bytes that nobody needs after the release: their memory is then free at once, not when it is collected. */
  own(bytes: Uint8Array<ArrayBuffer>): void;
  /** Gives all of it back; once is enough, twice does no harm. */
  release(): void;
}

/** Shares the little memory of an isolate among requests that hold much of it. */
export interface MemoryBudget {
  /** Begins with nothing. */
  open(): Reservation;
}

/** A budget of so many bytes. What does not fit is refused at once: waiting requests would hold their bodies. */
export function createMemoryBudget(limit: number): MemoryBudget {
  let used = 0;
  return {
    open() {
      let own = 0;
      const owned: Uint8Array<ArrayBuffer>[] = [];
      return {
        grow(bytes) {
          if (used + bytes > limit) {
            throw new ApiError('service_unavailable', 'too many large bodies are being worked on at once', {
              headers: { 'Retry-After': String(RETRY_SECONDS) },
            });
          }
          used += bytes;
          own += bytes;
        },
        own(bytes) {
          owned.push(bytes);
        },
        release() {
          // A buffer that is transferred is detached, and nothing is left of it here.
          for (const { buffer } of owned.splice(0)) buffer.transfer(0);
          used -= own;
          own = 0;
        },
      };
    },
  };
}
