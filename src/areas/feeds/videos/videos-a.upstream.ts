import type { JobContext } from '../../../platform/durable/schedule/job.ts';
import { type Clock, toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { FEED_SOURCES, requireConfigured } from '../feeds-config.domain.ts';
import { cutoffAt, parseTerms, type Video, videoLimitsOf } from './videos.domain.ts';
import { curateVideosA, quotaRenewalAfter, VIDEOS_PAGE_SIZE, type VideoARules, videoIdsIn } from './videos-a.domain.ts';

/** Responses of a search and of the request for its details. */
interface FetchedVideosA {
  search: unknown;
  details: unknown;
}

type VideosAUpstream = ReturnType<typeof createVideosAUpstream>;

interface VideosAUpstreamDeps {
  client: UpstreamClient;
  /** Base URL of `/search` and `/videos`. */
  baseUrl: string;
  apiKey: string;
  /** Current time. Quotas do not follow the test clock. */
  nowSeconds: Clock;
}

const SOURCE = FEED_SOURCES.videosA;

/** Videos of the platform with an API key. A search costs a hundred times as much quota as a request for details. */
export function createVideosAUpstream({ client, baseUrl, apiKey, nowSeconds }: VideosAUpstreamDeps) {
  async function request(path: string, query: Record<string, string>, attempts: number, signal: AbortSignal): Promise<unknown> {
    const url = new URL(`${baseUrl.replace(/\/$/, '')}/${path}`);
    for (const [name, value] of Object.entries({ ...query, maxResults: String(VIDEOS_PAGE_SIZE), key: apiKey }))
      url.searchParams.set(name, value);
    try {
      return (await client.fetch({ source: SOURCE, url, headers: { Accept: 'application/json' }, attempts, signal })).json();
    } catch (error) {
      if (isQuotaExceeded(error)) await client.pause(SOURCE, quotaRenewalAfter(nowSeconds()), 'daily quota exceeded');
      throw error;
    }
  }

  return {
    async fetch(query: string, publishedAfter: UnixSeconds, signal: AbortSignal): Promise<FetchedVideosA> {
      const searchQuery = { part: 'snippet', q: query, type: 'video', order: 'relevance', publishedAfter: toIso(publishedAfter) };
      // A failed search may have cost quota, so it is retried only once.
      const search = await request('search', searchQuery, 2, signal);
      const ids = videoIdsIn(search);
      const details = ids.length === 0 ? {} : await request('videos', { part: 'snippet,contentDetails', id: ids.join(',') }, 3, signal);
      return { search, details };
    },
  };
}

function isQuotaExceeded(error: unknown): boolean {
  return error instanceof UpstreamError && error.status === 403 && /quotaExceeded|dailyLimitExceeded/.test(error.excerpt);
}

/** Fetches and filters videos-a. */
export async function fetchVideosA(upstream: VideosAUpstream | null, { now, settings, signal }: JobContext): Promise<Video[]> {
  const rules = rulesOf(settings);
  const { search, details } = await requireConfigured(upstream).fetch(settings.feedsVideosAQuery, cutoffAt(now, rules), signal);
  return curateVideosA(search, details, rules);
}

function rulesOf(settings: Settings): VideoARules {
  return {
    ...videoLimitsOf(settings),
    excludedChannels: parseTerms(settings.feedsVideosAExcludedChannels),
    excludeTerms: parseTerms(settings.feedsVideosAExcludedTitleTerms),
    requireTerms: parseTerms(settings.feedsVideosARequireTerms),
    signalTerms: parseTerms(settings.feedsVideosARelevanceTerms),
    gamingCategoryId: settings.feedsVideosAVideoCategoryId.trim(),
  };
}
