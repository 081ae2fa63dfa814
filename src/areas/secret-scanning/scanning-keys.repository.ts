import { eq, lte } from 'drizzle-orm';
import type { Database } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { type KeyRing, NO_KEYS, type ScanningKey } from './scanning-keys.domain.ts';
import { ASKING_PAUSE_SECONDS } from './secret-scanning.data.ts';
import { scanningKeys } from './secret-scanning.tables.ts';

/** The partner's keys as every isolate knows them. */
export interface KeysRepository {
  read(): Promise<KeyRing>;
  /** Claims the fetch of the keys; false when another isolate claimed it less than a minute ago. */
  claim(now: UnixSeconds): Promise<boolean>;
  save(keys: ScanningKey[], fetchedAt: UnixSeconds): Promise<void>;
}

/** Keys read from one address do not count for another. */
export function createKeysRepository(db: Database, url: string): KeysRepository {
  return {
    async read() {
      const [row] = await db.select().from(scanningKeys).where(eq(scanningKeys.url, url));
      return row ?? NO_KEYS;
    },

    async claim(now) {
      const claimed = await db
        .insert(scanningKeys)
        .values({ url, keys: [], fetchedAt: null, askedAt: now })
        .onConflictDoUpdate({
          target: scanningKeys.url,
          set: { askedAt: now },
          setWhere: lte(scanningKeys.askedAt, now - ASKING_PAUSE_SECONDS),
        })
        .returning({ url: scanningKeys.url });
      return claimed.length > 0;
    },

    async save(keys, fetchedAt) {
      await db.update(scanningKeys).set({ keys, fetchedAt }).where(eq(scanningKeys.url, url));
    },
  };
}
