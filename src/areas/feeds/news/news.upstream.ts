import { decodeEntities } from '../../../platform/upstream/html-text.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { FEED_SOURCES } from '../feeds.data.ts';
import { type NewsItem, toNewsItems } from './news.domain.ts';
import { parseRssFeed } from './rss-feed.upstream.ts';

/** Response of the official feed. */
export interface FetchedNews {
  items: NewsItem[];
  /** Call after the items are stored: later fetches then return null until the response changes. */
  confirm(): Promise<void>;
}

export interface NewsUpstream {
  /** Null when the response has not changed since the last `confirm`. */
  fetch(signal: AbortSignal): Promise<FetchedNews | null>;
}

const SOURCE = FEED_SOURCES.news;

export function createNewsUpstream(client: UpstreamClient, url: string): NewsUpstream {
  return {
    async fetch(signal) {
      const headers = { Accept: 'application/rss+xml, application/xml;q=0.9, text/xml;q=0.8' };
      const response = await client.fetch({ source: SOURCE, url, headers, signal, conditional: true });
      if (response.notModified) return null;
      return { items: toNewsItems(parseRssFeed(SOURCE, response.text()), decodeEntities), confirm: response.confirm };
    },
  };
}
