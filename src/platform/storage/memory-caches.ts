import { logError } from '../kit/logging.ts';
import { runInBackground, withTimeout } from '../kit/tasks.ts';

/** A map that drops its oldest entries beyond `capacity`, for caches of an isolate: they must not grow with the number of clients. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}

/** A value that an isolate caches for a time. */
export interface TtlCache<Value> {
  /** Synchronous while the value is fresh, for speed. */
  get(): Value | Promise<Value>;
  /** Drops the value, and the result of a pending read. */
  invalidate(): void;
}

/** Maximum wait for a read when the cached value is older than twice its TTL. */
export const MAX_WAIT_MS = 500;
/** Timeout of a read: it may have been cancelled with its request. */
const READ_TIMEOUT_MS = 10_000;

/**
 * A stale-while-revalidate cache for public data. The value is fresh for `ttlMs`. Up to twice that age, readers get the old value at
 * once, and the first one starts a read in the background. After that, a reader waits for its own read, at most `MAX_WAIT_MS`. No
 * reader waits while a read is pending or after a read timed out. Only the first read, and the first after `invalidate`, wait without
 * a limit.
 */
export function createRevalidatingCache<Value>(
  read: () => Promise<Value>,
  ttlMs: number,
  nowMs = () => performance.now(),
): TtlCache<Value> {
  let cached: { value: Value; readAt: number } | null = null;
  let generation = 0;
  /** Timeout of the pending read. */
  let readingUntil = Number.NEGATIVE_INFINITY;
  /** True while the last read is pending or has failed. */
  let isSlow = false;

  async function load(): Promise<Value> {
    const startGeneration = generation;
    const readAt = nowMs();
    const value = await read();
    if (startGeneration === generation) {
      cached = { value, readAt };
      isSlow = false;
    }
    return value;
  }

  /** Reads again; the old value stays when the read fails. */
  async function revalidate(): Promise<void> {
    const until = nowMs() + READ_TIMEOUT_MS;
    readingUntil = until;
    isSlow = true;
    try {
      await withTimeout(load(), READ_TIMEOUT_MS, 'cached value');
      if (readingUntil === until) readingUntil = Number.NEGATIVE_INFINITY;
    } catch (error) {
      // Delays the next read by the TTL.
      if (readingUntil === until) readingUntil = nowMs() + Math.min(ttlMs, READ_TIMEOUT_MS);
      logError('cached value could not be refreshed', error);
    }
  }

  async function waitForRevalidation(old: Value): Promise<Value> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    const startGeneration = generation;
    let reading = Promise.resolve();
    runInBackground(() => {
      reading = revalidate();
      return reading;
    });
    await Promise.race([reading, timeout]);
    clearTimeout(timer);
    return cached && startGeneration === generation ? cached.value : old;
  }

  return {
    get() {
      if (!cached) return load();
      const now = nowMs();
      const age = now - cached.readAt;
      // A negative age means that the clock was set back, which must not extend the TTL.
      if (age >= 0 && age < ttlMs) return cached.value;
      if (now < readingUntil && readingUntil - now <= READ_TIMEOUT_MS) return cached.value;
      if (!isSlow && !(age >= 0 && age < 2 * ttlMs)) return waitForRevalidation(cached.value);
      runInBackground(revalidate);
      return cached.value;
    },
    invalidate() {
      generation += 1;
      cached = null;
      readingUntil = Number.NEGATIVE_INFINITY;
      isSlow = false;
    },
  };
}

/** Revalidating caches by key, for the last `capacity` keys. */
export function createRevalidatingCaches<Key, Value>(read: (key: Key) => Promise<Value>, ttlMs: number, capacity: number) {
  let caches = new BoundedMap<Key, TtlCache<Value>>(capacity);
  return {
    get(key: Key): Value | Promise<Value> {
      let cache = caches.get(key);
      if (!cache) {
        cache = createRevalidatingCache(() => read(key), ttlMs);
        caches.set(key, cache);
      }
      return cache.get();
    },
    invalidate() {
      caches = new BoundedMap(capacity);
    },
  };
}
