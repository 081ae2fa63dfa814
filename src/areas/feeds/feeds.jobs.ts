import type { Job } from '../../platform/schedule/job.ts';
import type { CommunityEventsService } from './community-events/community-events.service.ts';
import { FEED_SOURCES } from './feeds.data.ts';
import { type FeedsConfig, isConfigured } from './feeds-config.ts';
import type { LiveFeed } from './live/live-feed.service.ts';
import type { NewsService } from './news/news.service.ts';

export interface FeedJobsDeps {
  config: FeedsConfig;
  news: NewsService;
  communityEvents: CommunityEventsService;
  streams: LiveFeed<unknown>;
  videosA: LiveFeed<unknown>;
  videosB: LiveFeed<unknown>;
}

/** Three attempts of one call with the pauses between them. */
const ONE_CALL_SECONDS = 60;
const TWO_CALLS_SECONDS = 100;

/** Feed refreshers. Each fails independently, and a failure keeps the last good data. */
export function createFeedJobs({ config, news, communityEvents, streams, videosA, videosB }: FeedJobsDeps): Job[] {
  const refresher = (
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
    refresher('news', config.news, [FEED_SOURCES.news], ONE_CALL_SECONDS, ({ now, signal }) => news.refresh(now, signal)),
    refresher('community-events', config.communityEvents, [FEED_SOURCES.communityEvents], ONE_CALL_SECONDS, ({ now, signal }) =>
      communityEvents.refresh(now, signal),
    ),
    refresher('streams', config.streams, [FEED_SOURCES.streams, FEED_SOURCES.streamsToken], TWO_CALLS_SECONDS, streams.refresh),
    // Each try costs quota, failed or not.
    refresher('videos-a', config.videosA, [FEED_SOURCES.videosA], TWO_CALLS_SECONDS, videosA.refresh, {
      retriesEarly: false,
    }),
    refresher('videos-b', config.videosB, [FEED_SOURCES.videosB], ONE_CALL_SECONDS, videosB.refresh),
  ];
}
