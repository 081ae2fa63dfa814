import { logError } from '../logging.ts';
import { BoundedMap } from './bounded-map.ts';

/** A value an isolate keeps for a stated time. */
export interface KeptValue<Value> {
  /** Synchronous while the value is fresh, so that the hot path awaits nothing. */
  get(): Value | Promise<Value>;
  /** The next reader reads again; a read under way counts as old. */
  forget(): void;
}

/**
 * Keeps what `read` gave for `milliseconds` of real time. Whoever finds it stale reads for itself (a promise of one
 * request must not be awaited by another); the others meanwhile get the old value, and so does everybody when reading fails.
 */
export function keptValue<Value>(read: () => Promise<Value>, milliseconds: number, realTime = () => performance.now()): KeptValue<Value> {
  let kept: { value: Value; until: number } | null = null;
  let generation = 0;

  /** A clock that was set back must not make a value last longer. */
  function isFresh(until: number): boolean {
    const left = until - realTime();
    return left > 0 && left <= milliseconds;
  }

  async function load(): Promise<Value> {
    const readFor = generation;
    const old = kept;
    if (old) kept = { ...old, until: realTime() + milliseconds };
    try {
      const value = await read();
      if (readFor === generation) kept = { value, until: realTime() + milliseconds };
      return value;
    } catch (error) {
      if (!old) throw error;
      logError('a kept value could not be read again', error);
      return old.value;
    }
  }

  return {
    get: () => (kept && isFresh(kept.until) ? kept.value : load()),
    forget() {
      generation += 1;
      kept = null;
    },
  };
}

/** Kept values by key: those of the last `capacity` keys. */
export function keptValues<Key, Value>(read: (key: Key) => Promise<Value>, milliseconds: number, capacity: number) {
  let values = new BoundedMap<Key, KeptValue<Value>>(capacity);
  return {
    get(key: Key): Value | Promise<Value> {
      let value = values.get(key);
      if (!value) {
        value = keptValue(() => read(key), milliseconds);
        values.set(key, value);
      }
      return value.get();
    },
    forget() {
      values = new BoundedMap(capacity);
    },
  };
}
