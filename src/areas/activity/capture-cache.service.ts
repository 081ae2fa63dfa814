import { runInBackground } from '../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { BoundedMap, createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import type { Revised } from './activity.store.ts';

/** Cache TTL of the newest capture in the isolate. */
const NEWEST_TTL_MS = 2000;
const RESPONSE_TTL_SECONDS = 1800;
const MAX_RESPONSES = 50;

/** Caches the newest capture, and values computed from captures for 30 minutes or until figures of any capture change. */
export function createCaptureCache<Capture extends Revised>(read: () => Promise<Capture | null>) {
  const newest = createRevalidatingCache(read, NEWEST_TTL_MS);
  let responses = new BoundedMap<string, { value: unknown; revision: number | undefined; at: UnixSeconds }>(MAX_RESPONSES);

  return {
    newest: newest.get,

    /** Returns the cached value if it is younger than 30 minutes and no figures were stored since; otherwise computes it. */
    async getOrCompute<Value>(name: string, now: UnixSeconds, compute: () => Promise<Value>): Promise<Value> {
      const entry = responses.get(name);
      const isYoung = entry !== undefined && now >= entry.at && now < entry.at + RESPONSE_TTL_SECONDS;
      const known = newest.get();
      if (known instanceof Promise && !isYoung) {
        // Does not wait for the revision. Computed again for the cache, because figures may be stored between the two reads.
        const [value, capture] = await Promise.all([compute(), known]);
        runInBackground(async () => responses.set(name, { value: await compute(), revision: capture?.revision, at: now }));
        return value;
      }
      const revision = (await known)?.revision;
      if (isYoung && entry.revision === revision) return entry.value as Value;
      const value = await compute();
      responses.set(name, { value, revision, at: now });
      return value;
    },

    invalidate() {
      newest.invalidate();
      responses = new BoundedMap(MAX_RESPONSES);
    },
  };
}
