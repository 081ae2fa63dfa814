import { eq, lte } from 'drizzle-orm';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import { type KeySet, MIN_FETCH_INTERVAL_SECONDS, NO_KEYS, type ScanningKey } from './scanning-keys.domain.ts';
import { scanningKeys } from './secret-scanning.tables.ts';

/** Keys of the partner, shared by all isolates. */
export type KeysStore = ReturnType<typeof createKeysStore>;

/** Keys are stored per source URL. */
export function createKeysStore(db: Database, url: string) {
  return {
    async read(): Promise<KeySet> {
      const [row] = await db.select().from(scanningKeys).where(eq(scanningKeys.url, url));
      return row ?? NO_KEYS;
    },

    /** Claims the fetch of the keys; false when another isolate claimed it in the last minute. */
    async claim(now: UnixSeconds): Promise<boolean> {
      const claimed = await db
        .insert(scanningKeys)
        .values({ url, keys: [], fetchedAt: null, fetchStartedAt: now })
        .onConflictDoUpdate({
          target: scanningKeys.url,
          set: { fetchStartedAt: now },
          setWhere: lte(scanningKeys.fetchStartedAt, now - MIN_FETCH_INTERVAL_SECONDS),
        })
        .returning({ url: scanningKeys.url });
      return claimed.length > 0;
    },

    async save(keys: ScanningKey[], fetchedAt: UnixSeconds): Promise<void> {
      await db.update(scanningKeys).set({ keys, fetchedAt }).where(eq(scanningKeys.url, url));
    },
  };
}
