import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import { createRevalidatingCache } from '../../platform/storage/ttl-cache.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';

/** Cache TTL of the newest capture in the isolate, in milliseconds. */
const NEWEST_TTL_MS = 2000;
const RESPONSE_TTL_SECONDS = 1800;
const MAX_RESPONSES = 50;

/** Responses cached for 30 minutes or until the next capture. */
export function createCaptureCache<Capture extends { windowEnd: UnixSeconds; computedAt: UnixSeconds }>(
  read: () => Promise<Capture | null>,
) {
  const newest = createRevalidatingCache(read, NEWEST_TTL_MS);
  let responses = new BoundedMap<string, { value: unknown; at: UnixSeconds }>(MAX_RESPONSES);

  return {
    newest: newest.get,

    /** The cached value of the newest capture if younger than 30 minutes, otherwise a new one. */
    async kept<Value>(name: string, now: UnixSeconds, make: () => Promise<Value>): Promise<Value> {
      const capture = await newest.get();
      const key = `${name}:${capture?.windowEnd}:${capture?.computedAt}`;
      const known = responses.get(key);
      if (known && now >= known.at && now < known.at + RESPONSE_TTL_SECONDS) return known.value as Value;
      const value = await make();
      responses.set(key, { value, at: now });
      return value;
    },

    /** Invalidates the cache. */
    invalidate() {
      newest.invalidate();
      responses = new BoundedMap(MAX_RESPONSES);
    },
  };
}
