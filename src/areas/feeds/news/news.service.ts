import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { createRevalidatingCache } from '../../../platform/storage/memory-caches.ts';
import { MAX_NEWS_ITEMS, READ_CACHE_TTL_MS } from '../feeds.data.ts';
import { requireConfigured } from '../feeds-config.domain.ts';
import type { FeedSnapshot, SnapshotCopy } from '../live/feed-snapshots.store.ts';
import { NEWS_ROWS_PER_ITEM, type NewsItem } from './news.domain.ts';
import type { NewsRepository } from './news.store.ts';
import type { NewsUpstream } from './news.upstream.ts';

/** Stored rows, newest first; enough for the longest list. */
type NewsSnapshot = FeedSnapshot<NewsItem>;

/** The official news with its archive. */
export interface NewsService {
  /** Data for clients; may be a minute older than the archive. */
  latest(): NewsSnapshot | Promise<NewsSnapshot>;
  /** Read from the archive: never older than the newest event. */
  newest(): NewsSnapshot | Promise<NewsSnapshot>;
  /** Fetches, stores and publishes the news. */
  refresh(now: UnixSeconds, signal: AbortSignal): Promise<void>;
  /** Makes the next `newest` read the archive again. */
  invalidateReads(): void;
}

interface NewsServiceDeps {
  upstream: NewsUpstream | null;
  archive: NewsRepository;
  copy: SnapshotCopy<NewsItem>;
  /** Called after each refresh with new data. */
  onRefresh(now: UnixSeconds): Promise<void>;
}

const SNAPSHOT_ROWS = NEWS_ROWS_PER_ITEM * MAX_NEWS_ITEMS;

export function createNewsService({ upstream, archive, copy, onRefresh }: NewsServiceDeps): NewsService {
  const fromArchive = (): Promise<NewsSnapshot> => archive.newest(SNAPSHOT_ROWS);
  const latest = createRevalidatingCache(async () => (await copy.read()) ?? (await fromArchive()), READ_CACHE_TTL_MS);
  const newest = createRevalidatingCache(fromArchive, READ_CACHE_TTL_MS);

  return {
    latest: latest.get,
    newest: newest.get,
    invalidateReads: newest.invalidate,

    async refresh(now, signal) {
      const fetched = await requireConfigured(upstream).fetch(signal);
      if (fetched) await archive.save(fetched.items);
      await archive.saveFetchTime(now);
      await copy.write(await fromArchive());
      await fetched?.confirm();
      latest.invalidate();
      newest.invalidate();
      if (fetched) await onRefresh(now);
    },
  };
}
