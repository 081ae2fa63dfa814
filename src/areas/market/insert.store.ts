import { type SQL, sql } from 'drizzle-orm';
import { TRIGGER_TTL_SECONDS } from '../../platform/events/trigger-queue.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { type Database, runInOneTransaction } from '../../platform/storage/database.ts';
import { deleteObjectsBefore, instantKey } from '../../platform/storage/dated-objects.ts';
import type { DumpListing } from './insert.domain.ts';
import { listingRules } from './market.data.ts';
import { marketItems, marketListings, marketState } from './market.tables.ts';

export type MarketInserts = ReturnType<typeof createMarketInserts>;

/** Items of the outbox with new prices. */
interface QueuedPrices {
  kind: string;
  /** Prefix of their keys. */
  key: string;
  now: UnixSeconds;
}

/** Payload of an outbox item: the cheapest new listing of items in an insert. */
export interface NewPrices {
  at: UnixSeconds;
  prices: [name: string, milliEach: number, stack: number, price: number, listingId: string, newListings: number][];
}

/** Items per outbox item. */
const PRICES_PER_ITEM = 500;

/** D1 allows 2 MB per bound value; a listing has about 130 bytes. */
const CHUNK_CHARACTERS = 500_000;
const STATE_ROW = 1;

const NEXT_REVISION = sql`(SELECT revision + 1 FROM ${marketState})`;
const ARCHIVED_UNTIL = sql`(SELECT archived_until FROM ${marketState})`;
const NEWEST = sql`(SELECT newest_seen FROM ${marketState})`;

/**
 * Splits listings into JSON arrays below the maximum size of a bound value. Sorted by id, because sequential writes to the
 * primary key halve the time of the insert.
 */
function* chunksOf(listings: readonly DumpListing[]): Generator<string> {
  let rows: string[] = [];
  let size = 0;
  for (const { id, name, type, stack, price, milliEach, createdAt } of listings.toSorted(byId)) {
    const row = JSON.stringify([id, name, type, stack, price, milliEach, createdAt]);
    if (size + row.length > CHUNK_CHARACTERS) {
      yield `[${rows.join(',')}]`;
      rows = [];
      size = 0;
    }
    rows.push(row);
    size += row.length + 1;
  }
  if (rows.length > 0) yield `[${rows.join(',')}]`;
}

const byId = (one: DumpListing, other: DumpListing) => (one.id < other.id ? -1 : 1);

const upsert = (rows: string, seenAt: UnixSeconds) => sql`
  INSERT INTO ${marketListings}
    (id, name, type, stack, price, milli_each, created_at, last_seen, previous_seen, revision, live)
  SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, ${seenAt}, NULL, ${NEXT_REVISION}, 1
  FROM json_each(${rows}) WHERE value->>6 >= coalesce(${ARCHIVED_UNTIL}, value->>6)
  ON CONFLICT (id) DO UPDATE SET previous_seen = last_seen, last_seen = excluded.last_seen, revision = excluded.revision
  WHERE excluded.last_seen > last_seen`;

/**
 * Marks known listings that count as expired but were seen again. Not part of the upsert: a statement writes every index that has a
 * column of its SET clause, also if the value stays, and most of the indexes start with `live`.
 */
const reviveSeen = (seenAt: UnixSeconds) => sql`
  UPDATE ${marketListings} INDEXED BY market_live_last_seen SET live = 1
  WHERE live = 0 AND last_seen = ${seenAt} AND revision = ${NEXT_REVISION}`;

/** Rows changed by the current insert. */
const changedRows = (seenAt: UnixSeconds) => sql`${marketListings} INDEXED BY market_live_last_seen
  WHERE live = 1 AND last_seen = ${seenAt} AND revision = ${NEXT_REVISION}`;

/**
 * Queues the cheapest new listing of each item: rows without `previous_seen` are new. SQLite takes the other columns from the row of the
 * minimum.
 */
const queuePrices = (seenAt: UnixSeconds, { kind, key, now }: QueuedPrices): SQL => sql`
  INSERT INTO outbox (kind, key, payload, next_try_at, expires_at)
  SELECT ${kind}, ${key} || ':' || page, json_object('at', ${now}, 'prices', json_group_array(json_array(name, milli, stack, price, id, n))),
    ${now}, ${now + TRIGGER_TTL_SECONDS} FROM (
    SELECT name, min(milli_each) AS milli, stack, price, id, count(*) AS n, (row_number() OVER (ORDER BY name) - 1) / ${sql.raw(String(PRICES_PER_ITEM))} AS page
    FROM ${changedRows(seenAt)} AND previous_seen IS NULL AND ${seenAt} >= ${NEWEST} GROUP BY name
  ) GROUP BY page`;

/** Updates counters and marks after the rows. Rows without `previous_seen` are new. */
const updateState = (seenAt: UnixSeconds): SQL[] => [
  sql`INSERT INTO ${marketItems} (name, listings)
    SELECT name, count(*) FROM ${changedRows(seenAt)} AND previous_seen IS NULL GROUP BY name
    ON CONFLICT (name) DO UPDATE SET listings = listings + excluded.listings`,
  sql`UPDATE ${marketState} SET revision = revision + 1, insert_seen = ${seenAt}, newest_seen = max(newest_seen, ${seenAt}),
    listings = listings + (SELECT count(*) FROM ${changedRows(seenAt)} AND previous_seen IS NULL)
    WHERE EXISTS (SELECT 1 FROM ${changedRows(seenAt)})`,
  sql`UPDATE ${marketListings} SET live = 0 WHERE live = 1 AND last_seen < ${NEWEST} - ${listingRules.staleSeconds}`,
  sql`UPDATE ${marketListings} SET live = 0 WHERE live = 1 AND created_at < ${NEWEST} - ${listingRules.lifeSeconds}`,
  sql`UPDATE ${marketState} SET live = (SELECT count(*) FROM ${marketListings} WHERE live = 1)`,
];

export function createMarketInserts(db: Database) {
  return {
    /** Listings created before this time are archived, and `save` ignores them; null: none. */
    async archivedUntil(): Promise<UnixSeconds | null> {
      const [row] = await db.select({ at: marketState.archivedUntil }).from(marketState);
      return row?.at ?? null;
    },

    /**
     * Stores new listings and updates `last_seen` of known ones, in one transaction. Idempotent. `prices`: also queues the cheapest new
     * listing of each item, unless the dump is older than another.
     */
    async save(listings: readonly DumpListing[], seenAt: UnixSeconds, prices?: QueuedPrices): Promise<void> {
      const createState = sql`INSERT INTO ${marketState} (id, revision, newest_seen, listings, live)
        VALUES (${STATE_ROW}, 0, 0, 0, 0) ON CONFLICT DO NOTHING`;
      const writes = [...chunksOf(listings)].map((rows) => upsert(rows, seenAt));
      await runInOneTransaction(db, [
        createState,
        ...writes,
        reviveSeen(seenAt),
        ...(prices ? [queuePrices(seenAt, prices)] : []),
        ...updateState(seenAt),
      ]);
    },
  };
}

export type MarketResets = ReturnType<typeof createMarketResets>;

/** Rows per transaction; each row is in ten indexes. */
const DEFAULT_BATCH_SIZE = 5000;

/** Statements that delete the listings of a subquery with `id`, `name` and `live`, and update the counters. The first returns `removed`. */
const deletionOf = (batch: SQL): SQL[] => [
  sql`SELECT count(*) AS removed FROM ${batch}`,
  // The revision keeps increasing, so that isolates do not mistake a cached state for the state after the deletion.
  sql`UPDATE ${marketState} SET revision = revision + 1, listings = listings - (SELECT count(*) FROM ${batch}),
    live = live - (SELECT count(*) FROM ${batch} WHERE live = 1)`,
  sql`UPDATE ${marketItems} SET listings = listings - removed.count
    FROM (SELECT name, count(*) AS count FROM ${batch} GROUP BY name) AS removed WHERE ${marketItems}.name = removed.name`,
  sql`DELETE FROM ${marketListings} WHERE id IN (SELECT id FROM ${batch})`,
];

/** Listings created in `[from, to)`, at most a batch. */
const createdBetween = (from: UnixSeconds, to: UnixSeconds, batchSize: number) => sql`(
  SELECT id, name, live FROM ${marketListings} INDEXED BY market_live_created_at
  WHERE live IN (0, 1) AND created_at >= ${from} AND created_at < ${to} ORDER BY created_at, id LIMIT ${batchSize})`;

export function createMarketResets(db: Database, batchSize = DEFAULT_BATCH_SIZE) {
  const isEmpty = sql`NOT EXISTS (SELECT 1 FROM ${marketListings})`;

  /** Deletes one batch of listings and updates the counters. Returns the number of deleted listings; less than a batch: none are left. */
  async function deleteBatch(): Promise<number> {
    const [counted = []] = await runInOneTransaction(db, [
      ...deletionOf(sql`(SELECT id, name, live FROM ${marketListings} ORDER BY id LIMIT ${batchSize})`),
      sql`DELETE FROM ${marketItems} WHERE ${isEmpty}`,
      sql`UPDATE ${marketState} SET insert_seen = 0, newest_seen = 0 WHERE ${isEmpty}`,
    ]);
    return Number(counted[0]?.removed ?? 0);
  }

  return {
    batchSize,
    deleteBatch,

    /** Deletes one batch of the listings created in `[from, to)`. Returns their number; less than a batch: none are left. */
    async deleteCreatedBetween(from: UnixSeconds, to: UnixSeconds): Promise<number> {
      const [counted = []] = await runInOneTransaction(db, deletionOf(createdBetween(from, to, batchSize)));
      return Number(counted[0]?.removed ?? 0);
    },

    /** Deletes all listings in batches. Returns the number of deleted listings. */
    async deleteAll(): Promise<number> {
      let removed = 0;
      for (;;) {
        const count = await deleteBatch();
        removed += count;
        if (count < batchSize) return removed;
      }
    },
  };
}

/** Compressed raw market dumps, for a replay after a change of the import rules. */
export type RawDumps = ReturnType<typeof createRawDumps>;

const PREFIX = 'market/';

export function createRawDumps(bucket: R2Bucket) {
  return {
    async put(dump: Uint8Array<ArrayBuffer>, seenAt: UnixSeconds, id: string): Promise<void> {
      const gzip = new Blob([dump]).stream().pipeThrough(new CompressionStream('gzip'));
      const bytes = await new Response(gzip).arrayBuffer();
      await bucket.put(`${instantKey(PREFIX, seenAt)}-${id}.cfg.gz`, bytes, { httpMetadata: { contentType: 'application/gzip' } });
    },

    /** Deletes dumps of listings seen before an instant. */
    async deleteBefore(before: UnixSeconds): Promise<void> {
      await deleteObjectsBefore(bucket, PREFIX, before);
    },
  };
}
