import type { EventSource } from '../../platform/events/event-source.ts';
import { newsEvent } from './events.ts';
import { DEFAULT_NEWS_ITEMS } from './feeds.data.ts';
import { mergeLatestNews, newsStreamSignature } from './news/news.domain.ts';
import type { NewsService } from './news/news.service.ts';

/** Event stream sources of the feeds: the news, read from the archive. */
export function createFeedSources(news: NewsService): EventSource[] {
  return [
    {
      type: newsEvent.type,
      refresh: news.invalidateReads,
      async stateAt(now) {
        const [snapshot, { newsBody }] = await Promise.all([news.newest(), import('./feeds.bodies.ts')]);
        return {
          body: newsBody(snapshot, DEFAULT_NEWS_ITEMS, now),
          signature: newsStreamSignature(mergeLatestNews(snapshot.items, 1)),
        };
      },
    },
  ];
}
