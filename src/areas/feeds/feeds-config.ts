import { parsePeriodSeconds } from '../../platform/schedule/period.ts';
import { SECONDS_PER_DAY } from '../../platform/time/clock.ts';

/** Sources, periods and credentials of the feeds; empty text if missing. */
export interface FeedsConfig {
  news: { url: string; everySeconds: number };
  communityEvents: { url: string; everySeconds: number };
  streams: { tokenUrl: string; apiUrl: string; clientId: string; clientSecret: string; everySeconds: number };
  videosA: { baseUrl: string; apiKey: string; everySeconds: number };
  videosB: { url: string; everySeconds: number };
}

/** Variables and secrets of the Worker that the feeds read. */
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

/** Quota units of a round: a search and a question for details. */
const UNITS_PER_ROUND = 101;
/** Share of the quota that rounds may use; the rest is for repeats and runs by hand. */
const QUOTA_SHARE = 0.9;

export function readFeedsConfig(env: FeedsEnv): FeedsConfig {
  return {
    news: { url: text(env.NEWS_FEED_URL), everySeconds: parsePeriodSeconds(env.NEWS_REFRESH_SECONDS, 1800) },
    communityEvents: { url: text(env.COMMUNITY_EVENTS_URL), everySeconds: parsePeriodSeconds(env.COMMUNITY_EVENTS_REFRESH_SECONDS, 900) },
    streams: {
      tokenUrl: text(env.STREAMS_TOKEN_URL),
      apiUrl: text(env.STREAMS_API_URL),
      clientId: text(env.STREAMS_CLIENT_ID),
      clientSecret: text(env.STREAMS_CLIENT_SECRET),
      everySeconds: parsePeriodSeconds(env.STREAMS_REFRESH_SECONDS, 300),
    },
    videosA: {
      baseUrl: text(env.VIDEOS_A_API_BASE),
      apiKey: text(env.VIDEOS_A_API_KEY),
      everySeconds: Math.max(parsePeriodSeconds(env.VIDEOS_A_REFRESH_SECONDS, 1200), shortestPeriod(env.VIDEOS_A_DAILY_QUOTA)),
    },
    videosB: { url: text(env.VIDEOS_B_SEARCH_URL), everySeconds: parsePeriodSeconds(env.VIDEOS_B_REFRESH_SECONDS, 600) },
  };
}

/** Whether every part of a source's configuration is there. */
export function isConfigured(source: Readonly<Record<string, string | number>>): boolean {
  return Object.values(source).every((value) => value !== '');
}

/** The period at which the quota of a day just lasts. */
function shortestPeriod(quota: string | undefined): number {
  const units = Number(quota);
  return units > 0 ? Math.ceil((SECONDS_PER_DAY * UNITS_PER_ROUND) / (units * QUOTA_SHARE)) : 0;
}

function text(value: string | undefined): string {
  return value?.trim() ?? '';
}
