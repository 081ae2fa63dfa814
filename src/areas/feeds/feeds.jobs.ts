import type { Job } from '../../platform/durable/schedule/job.ts';
import type { CommunityEventsService } from './community-events/community-events.service.ts';
import { FEED_SOURCES, type FeedsConfig, isConfigured } from './feeds-config.domain.ts';
import type { LiveFeed } from './live/live-feeds.store.ts';
import type { NewsService } from './news/news.service.ts';

interface FeedJobsDeps {
  config: FeedsConfig;
  news: NewsService;
  communityEvents: CommunityEventsService;
  streams: LiveFeed<unknown>;
  videosA: LiveFeed<unknown>;
  videosB: LiveFeed<unknown>;
}

/** Timeout of a job with one request: three attempts and the delays between them. */
const ONE_REQUEST_TIMEOUT_SECONDS = 60;
const TWO_REQUESTS_TIMEOUT_SECONDS = 100;

/** Jobs that refresh the feeds. Each fails independently; a failure keeps the last good data. */
export function createFeedJobs({ config, news, communityEvents, streams, videosA, videosB }: FeedJobsDeps): Job[] {
  const createRefreshJob = (
    name: string,
    source: FeedsConfig[keyof FeedsConfig],
    sources: readonly string[],
    timeoutSeconds: number,
    run: Job['run'],
    retry: { retriesEarly?: false } = {},
  ): Job => ({
    name: `${name}-refresh`,
    schedule: { everySeconds: source.everySeconds, ...retry },
    timeoutSeconds,
    sources,
    availability: () => (isConfigured({ ...source }) ? 'enabled' : 'unconfigured'),
    run,
  });
  return [
    createRefreshJob('news', config.news, [FEED_SOURCES.news], ONE_REQUEST_TIMEOUT_SECONDS, ({ now, signal }) => news.refresh(now, signal)),
    createRefreshJob(
      'community-events',
      config.communityEvents,
      [FEED_SOURCES.communityEvents],
      ONE_REQUEST_TIMEOUT_SECONDS,
      ({ now, signal }) => communityEvents.refresh(now, signal),
    ),
    createRefreshJob(
      'streams',
      config.streams,
      [FEED_SOURCES.streams, FEED_SOURCES.streamsToken],
      TWO_REQUESTS_TIMEOUT_SECONDS,
      streams.refresh,
    ),
    // Every attempt costs quota, also a failed one.
    createRefreshJob('videos-a', config.videosA, [FEED_SOURCES.videosA], TWO_REQUESTS_TIMEOUT_SECONDS, videosA.refresh, {
      retriesEarly: false,
    }),
    createRefreshJob('videos-b', config.videosB, [FEED_SOURCES.videosB], ONE_REQUEST_TIMEOUT_SECONDS, videosB.refresh),
  ];
}
