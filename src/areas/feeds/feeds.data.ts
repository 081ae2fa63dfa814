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

/** Limits of a list of news. */
export const MAX_NEWS_ITEMS = 50;
export const DEFAULT_NEWS_ITEMS = 20;

/** Limits of a list of community events. */
export const MAX_EVENTS = 500;
export const DEFAULT_EVENTS = 100;
