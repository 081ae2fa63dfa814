import { periodSeconds } from '../../platform/durable/schedule/period.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';

/** URLs, refresh periods and credentials of the feeds; missing texts are empty. */
export interface FeedsConfig {
  news: { url: string; everySeconds: number };
  communityEvents: { url: string; everySeconds: number };
  streams: { tokenUrl: string; apiUrl: string; clientId: string; clientSecret: string; everySeconds: number };
  videosA: { baseUrl: string; apiKey: string; everySeconds: number };
  videosB: { url: string; everySeconds: number };
}

/** Variables and secrets of the Worker. */
type FeedsEnv = Partial<
  Record<
    | 'NEWS_FEED_URL'
    | 'NEWS_REFRESH_SECONDS'
    | 'COMMUNITY_EVENTS_URL'
    | 'COMMUNITY_EVENTS_REFRESH_SECONDS'
    | 'STREAMS_TOKEN_URL'
    | 'STREAMS_API_URL'
    | 'STREAMS_CLIENT_ID'
    | 'STREAMS_CLIENT_SECRET'
    | 'STREAMS_REFRESH_SECONDS'
    | 'VIDEOS_A_API_BASE'
    | 'VIDEOS_A_API_KEY'
    | 'VIDEOS_A_REFRESH_SECONDS'
    | 'VIDEOS_A_DAILY_QUOTA'
    | 'VIDEOS_B_SEARCH_URL'
    | 'VIDEOS_B_REFRESH_SECONDS',
    string
  >
>;

/** Quota units of a refresh: a search (100) and a request for details (1). */
const UNITS_PER_REFRESH = 101;
/** Share of the quota for scheduled refreshes; the rest is for retries and manual runs. */
const QUOTA_SHARE = 0.9;

export function readFeedsConfig(env: FeedsEnv): FeedsConfig {
  return {
    news: { url: text(env.NEWS_FEED_URL), everySeconds: periodSeconds(env, 'NEWS_REFRESH_SECONDS') },
    communityEvents: { url: text(env.COMMUNITY_EVENTS_URL), everySeconds: periodSeconds(env, 'COMMUNITY_EVENTS_REFRESH_SECONDS') },
    streams: {
      tokenUrl: text(env.STREAMS_TOKEN_URL),
      apiUrl: text(env.STREAMS_API_URL),
      clientId: text(env.STREAMS_CLIENT_ID),
      clientSecret: text(env.STREAMS_CLIENT_SECRET),
      everySeconds: periodSeconds(env, 'STREAMS_REFRESH_SECONDS'),
    },
    videosA: {
      baseUrl: text(env.VIDEOS_A_API_BASE),
      apiKey: text(env.VIDEOS_A_API_KEY),
      everySeconds: Math.max(periodSeconds(env, 'VIDEOS_A_REFRESH_SECONDS'), minPeriodSeconds(env.VIDEOS_A_DAILY_QUOTA)),
    },
    videosB: { url: text(env.VIDEOS_B_SEARCH_URL), everySeconds: periodSeconds(env, 'VIDEOS_B_REFRESH_SECONDS') },
  };
}

/** Whether all values of a source are set. */
export function isConfigured(source: Readonly<Record<string, string | number>>): boolean {
  return Object.values(source).every((value) => value !== '');
}

/** Minimum refresh period within the daily quota, in seconds. */
function minPeriodSeconds(quota: string | undefined): number {
  const units = Number(quota);
  return units > 0 ? Math.ceil((SECONDS_PER_DAY * UNITS_PER_REFRESH) / (units * QUOTA_SHARE)) : 0;
}

function text(value: string | undefined): string {
  return value?.trim() ?? '';
}

/** Throws when the source is not configured, which a manual run may find. */
export function requireConfigured<Source>(source: Source | null): Source {
  if (source === null) throw new Error('source is not configured: URL or credential missing');
  return source;
}

/** Names of the sources; the upstream client stores their state by name. */
export const FEED_SOURCES = {
  news: 'news',
  communityEvents: 'community-events',
  streams: 'streams',
  streamsToken: 'streams-token',
  videosA: 'videos-a',
  videosB: 'videos-b',
  videosBImages: 'videos-b-images',
} as const;

/** Cache TTL of a feed in the isolate, in milliseconds. Feeds are refreshed every few minutes at most. */
export const READ_CACHE_TTL_MS = 30_000;
