import { BoundedMap } from '../storage/bounded-map.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { windowStart } from './window.ts';

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
