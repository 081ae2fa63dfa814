import { isNotNull, sql } from 'drizzle-orm';
import { selectTrafficDays } from '../../../platform/access/usage/traffic.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { storageSizes } from '../admin.tables.ts';
import { type DayCounts, parseBill, type StoredBill } from './bill.domain.ts';
import type { Usage } from './prices.data.ts';

const KEY = 'bill';
const BYTES_PER_GB = 1e9;

export type BillStore = ReturnType<typeof createBillStore>;

/** The last bill in KV: without it an alarm is sent once more. The counts it is computed from are in the database. */
export function createBillStore(db: Database, cache: KVNamespace) {
  return {
    /** Null before the first run, and when it cannot be read: the overview must not fail because of it. */
    async find(): Promise<StoredBill | null> {
      try {
        const json = await cache.get(KEY);
        return json === null ? null : parseBill(json);
      } catch (error) {
        logError('the bill could not be read', error);
        return null;
      }
    },

    async save(bill: StoredBill): Promise<void> {
      await cache.put(KEY, JSON.stringify(bill));
    },

    /** The counts of each day since a time, and the sizes of the stores now. */
    async readAmounts(since: UnixSeconds): Promise<{ counts: DayCounts[]; stored: Partial<Usage> }> {
      const [traffic, stores, size] = await db.batch([
        selectTrafficDays(db, since),
        db.select().from(storageSizes).where(isNotNull(storageSizes.measuredAt)),
        // A statement whose metadata include the size of the database.
        db.run(sql`select 1`),
      ]);
      const byDay = new Map<UnixSeconds, DayCounts>();
      for (const { hour: day, kind, requestCount } of traffic) {
        const counts = byDay.get(day) ?? { day, tokenRequests: 0, otherRequests: 0 };
        counts[kind === 'token' ? 'tokenRequests' : 'otherRequests'] += requestCount;
        byDay.set(day, counts);
      }
      const files = stores.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
      return {
        counts: [...byDay.values()],
        stored: { 'D1 GB stored': (size.meta.size_after ?? 0) / BYTES_PER_GB, 'R2 GB stored': files / BYTES_PER_GB },
      };
    },
  };
}
