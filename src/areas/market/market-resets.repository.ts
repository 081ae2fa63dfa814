import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/storage/database.ts';
import { runInOneTransaction } from '../../platform/storage/raw-batch.ts';
import { marketItems, marketListings, marketState } from './market.tables.ts';

/** Deletes the market. */
export interface MarketResets {
  /** Deletes some listings together with what is counted of them. How many; fewer than a batch: none are left. */
  removeBatch(): Promise<number>;
  /** Deletes all listings, batch by batch. How many. */
  removeAll(): Promise<number>;
}

/** Rows deleted in one transaction: each stands in ten indexes. */
const BATCH = 5000;

export function createMarketResets(db: Database, batchSize = BATCH): MarketResets {
  const batch = sql`(SELECT id, name, live FROM ${marketListings} ORDER BY id LIMIT ${batchSize})`;
  const isEmpty = sql`NOT EXISTS (SELECT 1 FROM ${marketListings})`;

  async function removeBatch(): Promise<number> {
    const [counted = []] = await runInOneTransaction(db, [
      sql`SELECT count(*) AS removed FROM ${batch}`,
      // The revision goes on: what isolates remember of an earlier one must never be taken for the state after the reset.
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
    removeBatch,

    async removeAll() {
      let removed = 0;
      for (;;) {
        const count = await removeBatch();
        removed += count;
        if (count < batchSize) return removed;
      }
    },
  };
}
