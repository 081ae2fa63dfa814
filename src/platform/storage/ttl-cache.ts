import { runInBackground } from '../background.ts';
import { logError } from '../logging.ts';
import { withTimeout } from '../with-timeout.ts';
import { BoundedMap } from './bounded-map.ts';

/** A value an isolate keeps for a stated time. */
export interface TtlCache<Value> {
  /** Synchronous while the value is fresh, so that the hot path awaits nothing. */
  get(): Value | Promise<Value>;
  /** The next reader reads again; the result of a pending read is discarded. */
  invalidate(): void;
}

/**
 * Caches the result of `read` for `milliseconds` of real time. A request that finds it stale reads for itself (a promise of one
 * request must not be awaited by another); others meanwhile get the old value, which also serves when reading fails.
 */
export function createTtlCache<Value>(read: () => Promise<Value>, milliseconds: number, nowMs = () => performance.now()): TtlCache<Value> {
  let kept: { value: Value; until: number } | null = null;
  let generation = 0;

  /** A clock that was set back must not make a value last longer. */
  function isFresh(until: number): boolean {
    const left = until - nowMs();
    return left > 0 && left <= milliseconds;
  }

  async function load(): Promise<Value> {
    const readFor = generation;
    const old = kept;
    if (old) kept = { ...old, until: nowMs() + milliseconds };
    try {
      const value = await read();
      if (readFor === generation) kept = { value, until: nowMs() + milliseconds };
      return value;
    } catch (error) {
      if (!old) throw error;
      logError('cached value could not be refreshed', error);
      return old.value;
    }
  }

  return {
    get: () => (kept && isFresh(kept.until) ? kept.value : load()),
    invalidate() {
      generation += 1;
      kept = null;
    },
  };
}

/** Maximum wait for a store when the value is too old to be returned at once. */
export const MAX_WAIT_MS = 500;
/** A read has so long; one that has not ended by then may have been cancelled with its request. */
const READ_MS = 10_000;

/**
 * A cache for public data: stale-while-revalidate. The value is fresh for `milliseconds`. For the same time again, readers get
 * the old value at once, and the first one starts a read in the background. Later readers wait for their own read,
 * `MAX_WAIT_MS` at most. No reader waits while a read is pending or after the store timed out. Only the very first read, and
 * the first after `forget`, wait for the store.
 */
export function revalidatedValue<Value>(
  read: () => Promise<Value>,
  milliseconds: number,
  nowMs = () => performance.now(),
): TtlCache<Value> {
  let kept: { value: Value; readAt: number } | null = null;
  let generation = 0;
  /** End of the time in which the pending read counts as alive. */
  let readingUntil = Number.NEGATIVE_INFINITY;
  let isSlow = false;

  async function load(): Promise<Value> {
    const readFor = generation;
    const readAt = nowMs();
    const value = await read();
    if (readFor === generation) {
      kept = { value, readAt };
      isSlow = false;
    }
    return value;
  }

  /** One read at a time; a failure keeps the old value. */
  async function revalidate(): Promise<void> {
    const until = nowMs() + READ_MS;
    readingUntil = until;
    // Until the read has succeeded.
    isSlow = true;
    try {
      await withTimeout(load(), READ_MS, 'cached value');
      if (readingUntil === until) readingUntil = Number.NEGATIVE_INFINITY;
    } catch (error) {
      // The next one tries when a value would have aged.
      if (readingUntil === until) readingUntil = nowMs() + Math.min(milliseconds, READ_MS);
      logError('cached value could not be refreshed', error);
    }
  }

  async function sleepBriefly(old: Value): Promise<Value> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    const started = generation;
    let reading = Promise.resolve();
    runInBackground(() => {
      reading = revalidate();
      return reading;
    });
    await Promise.race([reading, timeout]);
    clearTimeout(timer);
    return kept && started === generation ? kept.value : old;
  }

  return {
    get() {
      if (!kept) return load();
      const now = nowMs();
      const age = now - kept.readAt;
      // A clock that was set back must not make a value last longer.
      if (age >= 0 && age < milliseconds) return kept.value;
      if (now < readingUntil && readingUntil - now <= READ_MS) return kept.value;
      if (!isSlow && !(age >= 0 && age < 2 * milliseconds)) return sleepBriefly(kept.value);
      runInBackground(revalidate);
      return kept.value;
    },
    invalidate() {
      generation += 1;
      kept = null;
      readingUntil = Number.NEGATIVE_INFINITY;
      isSlow = false;
    },
  };
}

/** Revalidated values by key: those of the last `capacity` keys. */
export function revalidatedValues<Key, Value>(read: (key: Key) => Promise<Value>, milliseconds: number, capacity: number) {
  let values = new BoundedMap<Key, TtlCache<Value>>(capacity);
  return {
    get(key: Key): Value | Promise<Value> {
      let value = values.get(key);
      if (!value) {
        value = revalidatedValue(() => read(key), milliseconds);
        values.set(key, value);
      }
      return value.get();
    },
    forget() {
      values = new BoundedMap(capacity);
    },
  };
}
