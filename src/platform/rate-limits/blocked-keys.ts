import { BoundedMap } from '../storage/bounded-map.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { type Budget, type Charge, windowStart } from './window.ts';

const CAPACITY = 20_000;

interface Block {
  start: UnixSeconds;
  limit: number;
  windowSeconds: number;
  charge: Charge;
  /** End of the block, real time in milliseconds. */
  until: number;
}

/**
 * Cache of refused keys per isolate: refuses floods from memory, without an RPC. A block applies within its window, by the clock of
 * the request, while the limit is unchanged.
 */
export class BlockedKeys {
  readonly #blocks = new BoundedMap<string, Block>(CAPACITY);
  readonly #maxBlockMs: number;

  /** `maxBlockMs`: maximum duration of a block in real time, for keys whose result can change within a window (revocation). */
  constructor(maxBlockMs: number = Number.POSITIVE_INFINITY) {
    this.#maxBlockMs = maxBlockMs;
  }

  /** The cached refusal; undefined when the key is not blocked. */
  find(key: string, budget: Budget, now: UnixSeconds): Charge | undefined {
    const block = this.#blocks.get(key);
    if (!block) return undefined;
    const isSameLimit = block.limit === budget.limit && block.windowSeconds === budget.windowSeconds;
    if (isSameLimit && block.start === windowStart(now, budget.windowSeconds) && Date.now() < block.until) return block.charge;
    return undefined;
  }

  add(key: string, charge: Charge): void {
    const { limit, windowSeconds } = charge.budget;
    const until = Date.now() + this.#maxBlockMs;
    this.#blocks.set(key, { start: charge.resetAt - windowSeconds, limit, windowSeconds, charge, until });
  }
}
