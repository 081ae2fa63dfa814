import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { createRevalidatingCache } from '../../../platform/storage/memory-caches.ts';
import { READ_CACHE_TTL_MS, requireConfigured } from '../feeds-config.domain.ts';
import type { FeedSnapshot, SnapshotCopy } from '../live-feeds.store.ts';
import { MAX_NEWS_ITEMS, NEWS_ROWS_PER_ITEM, type NewsItem } from './news.domain.ts';
import type { NewsStore } from './news.store.ts';
import type { NewsUpstream } from './news.upstream.ts';

/** Stored rows, newest first; enough for the longest list. */
type NewsSnapshot = FeedSnapshot<NewsItem>;

interface NewsServiceDeps {
  upstream: NewsUpstream | null;
  archive: NewsStore;
  copy: SnapshotCopy<NewsItem>;
  /** Called after each refresh with new data. */
  onRefresh(now: UnixSeconds): Promise<void>;
}

const SNAPSHOT_ROWS = NEWS_ROWS_PER_ITEM * MAX_NEWS_ITEMS;

/** The official news with its archive. */
export type NewsService = ReturnType<typeof createNewsService>;

export function createNewsService({ upstream, archive, copy, onRefresh }: NewsServiceDeps) {
  const fromArchive = (): Promise<NewsSnapshot> => archive.newest(SNAPSHOT_ROWS);
  const latest = createRevalidatingCache(async () => (await copy.read()) ?? (await fromArchive()), READ_CACHE_TTL_MS);
  const newest = createRevalidatingCache(fromArchive, READ_CACHE_TTL_MS);

  return {
    /** Data for clients; may be a minute older than the archive. */
    latest: latest.get,
    /** Read from the archive: never older than the newest event. */
    newest: newest.get,
    /** Makes the next `newest` read the archive again. */
    invalidateReads: newest.invalidate,

    /** Fetches, stores and publishes the news. */
    async refresh(now: UnixSeconds, signal: AbortSignal): Promise<void> {
      const fetched = await requireConfigured(upstream).fetch(signal);
      if (fetched) await archive.save(fetched.items);
      await archive.saveFetchTime(now);
      await copy.write(await fromArchive());
      latest.invalidate();
      newest.invalidate();
      if (!fetched) return;
      await onRefresh(now);
      // Last: until then the next run fetches the whole feed again, and publishes what this one did not.
      await fetched.confirm();
    },
  };
}
