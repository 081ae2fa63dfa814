import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/storage/database.ts';
import { runInOneTransaction } from '../../platform/storage/database.ts';
import { marketItems, marketListings, marketState } from './market.tables.ts';

export interface MarketResets {
  /** Deletes one batch of listings and updates the counters. Returns the number of deleted listings; less than a batch: none are left. */
  deleteBatch(): Promise<number>;
  /** Deletes all listings in batches. Returns the number of deleted listings. */
  deleteAll(): Promise<number>;
}

/** Rows per transaction; each row is in ten indexes. */
const DEFAULT_BATCH_SIZE = 5000;

export function createMarketResets(db: Database, batchSize = DEFAULT_BATCH_SIZE): MarketResets {
  const batch = sql`(SELECT id, name, live FROM ${marketListings} ORDER BY id LIMIT ${batchSize})`;
  const isEmpty = sql`NOT EXISTS (SELECT 1 FROM ${marketListings})`;

  async function deleteBatch(): Promise<number> {
    const [counted = []] = await runInOneTransaction(db, [
      sql`SELECT count(*) AS removed FROM ${batch}`,
      // The revision keeps increasing, so that isolates do not mistake a cached state for the state after the reset.
      sql`UPDATE ${marketState} SET revision = revision + 1, listings = listings - (SELECT count(*) FROM ${batch}),
        live = live - (SELECT count(*) FROM ${batch} WHERE live = 1)`,
      sql`UPDATE ${marketItems} SET listings = listings - removed.count
        FROM (SELECT name, count(*) AS count FROM ${batch} GROUP BY name) AS removed WHERE ${marketItems}.name = removed.name`,
      sql`DELETE FROM ${marketListings} WHERE id IN (SELECT id FROM ${batch})`,
      sql`DELETE FROM ${marketItems} WHERE ${isEmpty}`,
      sql`UPDATE ${marketState} SET insert_seen = 0, newest_seen = 0 WHERE ${isEmpty}`,
    ]);
    return Number(counted[0]?.removed ?? 0);
  }

  return {
    deleteBatch,

    async deleteAll() {
      let removed = 0;
      for (;;) {
        const count = await deleteBatch();
        removed += count;
        if (count < batchSize) return removed;
      }
    },
  };
}
