import { BoundedMap } from '../../storage/bounded-map.ts';
import { anonymousKey } from '../policy/addresses.ts';
import type { LookupRefusal } from './token-gate.contract.ts';

/** Refused tokens per address, isolate and minute before the address is throttled. */
const MAX_FAILED_LOOKUPS = 20;
const FAILURE_WINDOW_MS = 60_000;
/** Pause between two lookups of a throttled address. */
const SLOW_LOOKUP_MS = 1000;
const REFUSAL_MS = 5000;
const CAPACITY = 10_000;

/** Refused tokens of an address in a window that started at `since`. Times are real milliseconds. */
interface Failures {
  since: number;
  count: number;
  nextLookupAt: number;
}

/**
 * Remembers in an isolate which tokens are wrong, and counts them by address: a client that guesses secrets reaches an object at most
 * 20 times per minute, then once per second. Tokens that were right are never throttled.
 */
export class RefusedTokens {
  /** By hash: end of the refusal, or infinity for a token that was right. */
  readonly #verdicts = new BoundedMap<string, number>(CAPACITY);
  readonly #failures = new BoundedMap<string, Failures>(CAPACITY);
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** True when the token was right before in this isolate. */
  wasRight(hashedToken: string): boolean {
    return this.#verdicts.get(hashedToken) === Number.POSITIVE_INFINITY;
  }

  /** The refusal of a token without a look at it; null when it must be looked at. */
  find(hashedToken: string, callerAddress: string | null): LookupRefusal | null {
    const until = this.#verdicts.get(hashedToken) ?? 0;
    const time = this.#nowMs();
    if (until === Number.POSITIVE_INFINITY) return null;
    if (time < until) return { outcome: 'unauthenticated' };
    const recent = this.#failuresOf(callerAddress, time);
    if (recent.count < MAX_FAILED_LOOKUPS) return null;
    if (time < recent.nextLookupAt) return { outcome: 'lookups_exhausted' };
    recent.nextLookupAt = time + SLOW_LOOKUP_MS;
    return null;
  }

  addRight(hashedToken: string): void {
    if (!this.wasRight(hashedToken)) this.#verdicts.set(hashedToken, Number.POSITIVE_INFINITY);
  }

  addWrong(hashedToken: string, callerAddress: string | null): void {
    const time = this.#nowMs();
    this.#verdicts.set(hashedToken, time + REFUSAL_MS);
    this.#failuresOf(callerAddress, time).count += 1;
  }

  #failuresOf(callerAddress: string | null, time: number): Failures {
    const address = anonymousKey(callerAddress);
    const recent = this.#failures.get(address);
    if (recent && time - recent.since < FAILURE_WINDOW_MS) return recent;
    const fresh = { since: time, count: 0, nextLookupAt: 0 };
    this.#failures.set(address, fresh);
    return fresh;
  }
}
