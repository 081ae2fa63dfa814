import { eq } from 'drizzle-orm';
import type { JobContext } from '../../platform/durable/schedule/job.ts';
import { logError } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import * as shapes from '../../platform/kit/values/stored-shapes.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import { feedSnapshots } from './feeds.tables.ts';
import { READ_CACHE_TTL_MS } from './feeds-config.domain.ts';

/** Last good data of a feed and its time. */
export interface FeedSnapshot<Item> {
  /** Null before the first success. */
  fetchedAt: UnixSeconds | null;
  items: readonly Item[];
}

/** Storage of the last good data of a feed. */
interface FeedSnapshots<Item> {
  read(): Promise<FeedSnapshot<Item>>;
  write(snapshot: { fetchedAt: UnixSeconds; items: readonly Item[] }): Promise<void>;
}

/** Cache TTL of a KV read in a location, in seconds; the minimum that KV allows. */
const EDGE_TTL_SECONDS = 30;

/** Items are sent by their own mapping, which reads the fields it knows. */
const itemsOf = <Item>(): shapes.Shape<Item[]> => shapes.listOf(shapes.sentAsStored<Item & object>());
/** A stored snapshot; also of a neighbour of this version. */
export const snapshotOf = <Item>(): shapes.Shape<FeedSnapshot<Item>> =>
  shapes.fields({ fetchedAt: shapes.nullable(shapes.number), items: itemsOf<Item>() });

const keyOf = (feed: string) => `feeds/${feed}`;

/**
 * Snapshots in the database with a copy in KV, which is read close to the client. The copy may be missing or stale; the database is
 * authoritative.
 */
export function createFeedSnapshots<Item>(
  { db, reads = db, cache }: { db: Database; reads?: PublicReads | undefined; cache: KVNamespace },
  feed: string,
): FeedSnapshots<Item> {
  const copy = createSnapshotCopy<Item>(cache, feed);
  return {
    async read() {
      const cached = await copy.read();
      if (cached) return cached;
      const [row] = await reads.select().from(feedSnapshots).where(eq(feedSnapshots.feed, feed));
      return row
        ? { fetchedAt: row.fetchedAt, items: shapes.parseStored(itemsOf<Item>(), row.items ?? '[]') }
        : { fetchedAt: null, items: [] };
    },

    async write({ fetchedAt, items }) {
      const row = { feed, fetchedAt, items: JSON.stringify(items) };
      await db.insert(feedSnapshots).values(row).onConflictDoUpdate({ target: feedSnapshots.feed, set: row });
      // After the database: the copy is never newer. When this fails, the job does, and its retry writes both.
      await copy.write({ fetchedAt, items });
    },
  };
}

/** KV copy of a snapshot. Reads never throw: they return null, and the database is read instead. */
export interface SnapshotCopy<Item> {
  read(): Promise<FeedSnapshot<Item> | null>;
  write(snapshot: FeedSnapshot<Item>): Promise<void>;
}

export function createSnapshotCopy<Item>(cache: KVNamespace, feed: string): SnapshotCopy<Item> {
  return {
    async read() {
      try {
        const text = await cache.get(keyOf(feed), { type: 'text', cacheTtl: EDGE_TTL_SECONDS });
        return text === null ? null : shapes.parseStored(snapshotOf<Item>(), text);
      } catch (error) {
        logError('cache read of feed failed', error, { feed });
        return null;
      }
    },

    write: (snapshot) => cache.put(keyOf(feed), JSON.stringify(snapshot)),
  };
}

/** A feed without an archive: streams and videos. Only the last good data is stored. */
export interface LiveFeed<Item> {
  current(): FeedSnapshot<Item> | Promise<FeedSnapshot<Item>>;
  /** Fetches and stores the feed. A failure keeps the stored data. */
  refresh(context: JobContext): Promise<void>;
}

interface LiveFeedDeps<Item> {
  snapshots: FeedSnapshots<Item>;
  /** Current data of the source. */
  fetch(context: JobContext): Promise<readonly Item[]>;
}

export function createLiveFeed<Item>({ snapshots, fetch }: LiveFeedDeps<Item>): LiveFeed<Item> {
  const cached = createRevalidatingCache(() => snapshots.read(), READ_CACHE_TTL_MS);
  return {
    current: cached.get,
    async refresh(context) {
      await snapshots.write({ fetchedAt: context.now, items: await fetch(context) });
      cached.invalidate();
    },
  };
}
