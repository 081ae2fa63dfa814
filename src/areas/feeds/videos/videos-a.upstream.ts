import { type Clock, toIso, type UnixSeconds } from '../../../platform/time/clock.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { FEED_SOURCES } from '../feeds.data.ts';
import { quotaRenewalAfter, videoIdsIn } from './videos-a.domain.ts';

/** The answers to a search and to the question for the details of its hits. */
export interface FetchedVideosA {
  search: unknown;
  details: unknown;
}

export interface VideosAUpstream {
  fetch(query: string, publishedAfter: UnixSeconds, signal: AbortSignal): Promise<FetchedVideosA>;
}

export interface VideosAUpstreamDeps {
  client: UpstreamClient;
  /** Base URL of `/search` and `/videos`. */
  baseUrl: string;
  apiKey: string;
  /** Real time: quotas run by it. */
  nowSeconds: Clock;
}

const SOURCE = FEED_SOURCES.videosA;
/** Maximum response size in bytes. */
const PAGE_SIZE = '50';

/** Videos of the platform with an API key. A search costs a hundred times what a question for details costs. */
export function createVideosAUpstream({ client, baseUrl, apiKey, nowSeconds }: VideosAUpstreamDeps): VideosAUpstream {
  async function ask(path: string, query: Record<string, string>, attempts: number, signal: AbortSignal): Promise<unknown> {
    const url = new URL(`${baseUrl.replace(/\/$/, '')}/${path}`);
    for (const [name, value] of Object.entries({ ...query, maxResults: PAGE_SIZE, key: apiKey })) url.searchParams.set(name, value);
    try {
      return (await client.fetch({ source: SOURCE, url, headers: { Accept: 'application/json' }, attempts, signal })).json();
    } catch (error) {
      if (isQuotaSpent(error)) await client.pause(SOURCE, quotaRenewalAfter(nowSeconds()), 'daily quota exceeded');
      throw error;
    }
  }

  return {
    async fetch(query, publishedAfter, signal) {
      const wanted = { part: 'snippet', q: query, type: 'video', order: 'relevance', publishedAfter: toIso(publishedAfter) };
      // A search that failed may have been charged: it is repeated once at most.
      const search = await ask('search', wanted, 2, signal);
      const ids = videoIdsIn(search);
      const details = ids.length === 0 ? {} : await ask('videos', { part: 'snippet,contentDetails', id: ids.join(',') }, 3, signal);
      return { search, details };
    },
  };
}

function isQuotaSpent(error: unknown): boolean {
  return error instanceof UpstreamError && error.status === 403 && /quotaExceeded|dailyLimitExceeded/.test(error.excerpt);
}
