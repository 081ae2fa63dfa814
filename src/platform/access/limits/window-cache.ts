import type { UnixSeconds } from '../../kit/time/clock.ts';
import { BoundedMap } from '../../storage/bounded-map.ts';
import { type Budget, type Charge, windowStart } from './window.ts';

const CAPACITY = 20_000;

/** Cache of an isolate whose entries apply within one window of their key. A window is compared by its start: clocks of tests differ. */
export class WindowCache<Value> {
  readonly #entries = new BoundedMap<string, { start: UnixSeconds; windowSeconds: number; value: Value }>(CAPACITY);

  /** The value of the key in the window of `now`. */
  find(key: string, windowSeconds: number, now: UnixSeconds): Value | undefined {
    const entry = this.#entries.get(key);
    return entry?.windowSeconds === windowSeconds && entry.start === windowStart(now, windowSeconds) ? entry.value : undefined;
  }

  set(key: string, windowSeconds: number, now: UnixSeconds, value: Value): void {
    this.#entries.set(key, { start: windowStart(now, windowSeconds), windowSeconds, value });
  }
}

/**
 * The count that an isolate saw last, by key. It is sent with the next request: an object that was evicted meanwhile continues from
 * the larger count.
 */
export class SeenCounts {
  readonly #counts = new WindowCache<number>();

  /** Requests in the window of `now`; 0 when none was seen. */
  find(key: string, windowSeconds: number, now: UnixSeconds): number {
    return this.#counts.find(key, windowSeconds, now) ?? 0;
  }

  /** Notes a count. Replies may arrive out of order: the largest applies. A refusal (over the limit) was not counted. */
  note(key: string, budget: { limit: number; windowSeconds: number }, now: UnixSeconds, used: number): void {
    const counted = Math.min(used, budget.limit);
    if (counted > this.find(key, budget.windowSeconds, now)) this.#counts.set(key, budget.windowSeconds, now, counted);
  }
}

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
