import type { JobContext } from '../../../platform/durable/schedule/job.ts';
import { createRevalidatingCache } from '../../../platform/storage/memory-caches.ts';
import { READ_CACHE_TTL_MS } from '../feeds.data.ts';
import type { FeedSnapshot, FeedSnapshots } from './feed-snapshots.store.ts';

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
