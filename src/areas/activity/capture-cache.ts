import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import { createRevalidatingCache } from '../../platform/storage/ttl-cache.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';

/** Cache TTL of the newest capture in the isolate. */
const NEWEST_TTL_MS = 2000;
const RESPONSE_TTL_SECONDS = 1800;
const MAX_RESPONSES = 50;

/** Caches the newest capture, and values computed from captures for 30 minutes or until the next capture. */
export function createCaptureCache<Capture extends { windowEnd: UnixSeconds; computedAt: UnixSeconds }>(
  read: () => Promise<Capture | null>,
) {
  const newest = createRevalidatingCache(read, NEWEST_TTL_MS);
  let responses = new BoundedMap<string, { value: unknown; at: UnixSeconds }>(MAX_RESPONSES);

  return {
    newest: newest.get,

    /** Returns the cached value if it is younger than 30 minutes and no capture was stored since; otherwise computes it. */
    async getOrCompute<Value>(name: string, now: UnixSeconds, compute: () => Promise<Value>): Promise<Value> {
      const capture = await newest.get();
      const key = `${name}:${capture?.windowEnd}:${capture?.computedAt}`;
      const entry = responses.get(key);
      if (entry && now >= entry.at && now < entry.at + RESPONSE_TTL_SECONDS) return entry.value as Value;
      const value = await compute();
      responses.set(key, { value, at: now });
      return value;
    },

    invalidate() {
      newest.invalidate();
      responses = new BoundedMap(MAX_RESPONSES);
    },
  };
}
