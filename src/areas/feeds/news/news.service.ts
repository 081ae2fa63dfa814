import { createRevalidatingCache } from '../../../platform/storage/ttl-cache.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { configured } from '../configured.domain.ts';
import { MAX_NEWS_ITEMS, READ_CACHE_TTL_MS } from '../feeds.data.ts';
import type { FeedSnapshot, SnapshotCopy } from '../live/feed-snapshots.repository.ts';
import { NEWS_ROWS_PER_ITEM, type NewsItem } from './news.domain.ts';
import type { NewsRepository } from './news.repository.ts';
import type { NewsUpstream } from './news.upstream.ts';

/** Stored rows, newest first: enough of them for the longest list. */
export type NewsSnapshot = FeedSnapshot<NewsItem>;

/** The news as the official feed last gave it, on top of everything it ever gave. */
export interface NewsService {
  /** Data for readers; may lag a minute behind the archive. */
  latest(): NewsSnapshot | Promise<NewsSnapshot>;
  /** Straight from the archive: never older than the newest event. */
  newest(): NewsSnapshot | Promise<NewsSnapshot>;
  /** Fetches, stores and publishes. */
  refresh(now: UnixSeconds, signal: AbortSignal): Promise<void>;
  /** Lets the next read of `newest` see what the archive holds now. */
  invalidateReads(): void;
}

export interface NewsServiceDeps {
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
      const fetched = await configured(upstream).fetch(signal);
      if (fetched) await archive.save(fetched.items);
      await archive.saveFetch(now);
      await copy.write(await fromArchive());
      await fetched?.confirm();
      latest.invalidate();
      newest.invalidate();
      if (fetched) await onRefresh(now);
    },
  };
}
