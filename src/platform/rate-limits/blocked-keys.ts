import { BoundedMap } from '../storage/bounded-map.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { type Budget, type Charge, windowStart } from './window.ts';

const CAPACITY = 20_000;

interface Block {
  start: UnixSeconds;
  limit: number;
  windowSeconds: number;
  charge: Charge;
  /** Real time in milliseconds after which the object is asked again. */
  until: number;
}

/**
 * Keys that are refused until their window resets, cached per isolate: floods are refused from memory without an RPC. Applies
 * only within the window of the request's own clock and while the limit is unchanged.
 */
export class BlockedKeys {
  readonly #blocks = new BoundedMap<string, Block>(CAPACITY);
  readonly #milliseconds: number;

  /** `milliseconds`: longest real time a block is believed, for keys that can also change otherwise (revocation). */
  constructor(milliseconds: number = Number.POSITIVE_INFINITY) {
    this.#milliseconds = milliseconds;
  }

  /** The refusal to repeat, or undefined when the key may not be blocked any more. */
  find(key: string, budget: Budget, now: UnixSeconds): Charge | undefined {
    const block = this.#blocks.get(key);
    if (!block) return undefined;
    const same = block.limit === budget.limit && block.windowSeconds === budget.windowSeconds;
    if (same && block.start === windowStart(now, budget.windowSeconds) && Date.now() < block.until) return block.charge;
    return undefined;
  }

  remember(key: string, charge: Charge): void {
    const { limit, windowSeconds } = charge.budget;
    const until = Date.now() + this.#milliseconds;
    this.#blocks.set(key, { start: charge.resetAt - windowSeconds, limit, windowSeconds, charge, until });
  }
}
