import { type AreaContext, asSnapshotBodies, defineArea, type SnapshotBody } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventSource } from '../../platform/events/event-source.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { systemClock } from '../../platform/kit/time/clock.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { createCommunityEventsService, createCommunityEventsUpstream } from './community-events/community-events.service.ts';
import { createCommunityEventsStore } from './community-events/community-events.store.ts';
import { newsEvent } from './feeds.events.ts';
import { feedsScopes, feedsSettings } from './feeds.settings.ts';
import { feedsTables } from './feeds.tables.ts';
import { FEED_SOURCES, type FeedsConfig, isConfigured, readFeedsConfig, requireConfigured } from './feeds-config.domain.ts';
import { createStreamsUpstream, type Stream } from './live/streams.upstream.ts';
import { createFeedSnapshots, createLiveFeed, createSnapshotCopy } from './live-feeds.store.ts';
import { DEFAULT_NEWS_ITEMS, mergeLatestNews, type NewsItem, newsStreamSignature } from './news/news.domain.ts';
import { createNewsService, type NewsService } from './news/news.service.ts';
import { createNewsStore } from './news/news.store.ts';
import { createNewsUpstream } from './news/news.upstream.ts';
import type { Video } from './videos/videos.domain.ts';
import { createVideosAUpstream, fetchVideosA } from './videos/videos-a.upstream.ts';
import { createVideosBUpstream, fetchVideosB } from './videos/videos-b.upstream.ts';

type FeedsContext = Pick<AreaContext, 'db' | 'publicReads' | 'env' | 'upstream' | 'events'>;

/** The stored feeds, each with its source. */
function createFeeds({ db, publicReads: reads, env: { CACHE: cache }, upstream, events }: FeedsContext, config: FeedsConfig) {
  const upstreams = createUpstreams(upstream, cache, config);
  const archive = createNewsStore(db, reads);
  return {
    archive,
    news: createNewsService({
      upstream: upstreams.news,
      archive,
      copy: createSnapshotCopy<NewsItem>(cache, 'news'),
      onRefresh: (now) => events.changed(newsEvent.type, now),
    }),
    communityEvents: createCommunityEventsService({
      upstream: upstreams.communityEvents,
      events: createCommunityEventsStore(db, reads),
    }),
    live: {
      streams: createLiveFeed<Stream>({
        snapshots: createFeedSnapshots({ db, reads, cache }, 'streams'),
        fetch: ({ signal }) => requireConfigured(upstreams.streams).fetch(signal),
      }),
      videosA: createLiveFeed<Video>({
        snapshots: createFeedSnapshots({ db, reads, cache }, 'videos-a'),
        fetch: (context) => fetchVideosA(upstreams.videosA, context),
      }),
      videosB: createLiveFeed<Video>({
        snapshots: createFeedSnapshots({ db, reads, cache }, 'videos-b'),
        fetch: (context) => fetchVideosB(upstreams.videosB, context),
      }),
    },
  };
}

type CreatedFeeds = ReturnType<typeof createFeeds>;

/** The news of the event stream, read from the archive. */
function newsSource(news: NewsService): EventSource {
  return {
    type: newsEvent.type,
    refresh: news.invalidateReads,
    async stateAt(now) {
      const [snapshot, { newsBody }] = await Promise.all([news.newest(), import('./news/news.routes.ts')]);
      return { body: newsBody(snapshot, DEFAULT_NEWS_ITEMS, now), signature: newsStreamSignature(mergeLatestNews(snapshot.items, 1)) };
    },
  };
}

/** The news in the snapshot: the body of the endpoint without parameters. */
function newsSnapshot(news: NewsService): Pick<SnapshotBody, 'source' | 'schema'> {
  return {
    async source(now) {
      const [latest, { newsBody }] = await Promise.all([news.latest(), import('./news/news.routes.ts')]);
      return newsBody(latest, DEFAULT_NEWS_ITEMS, now);
    },
    schema: importNewsSchema,
  };
}

/** Upstreams; null without a URL or credentials. */
function createUpstreams(client: UpstreamClient, cache: KVNamespace, config: FeedsConfig) {
  const { news, communityEvents, streams, videosA, videosB } = config;
  return {
    news: isConfigured({ ...news }) ? createNewsUpstream(client, news.url) : null,
    communityEvents: isConfigured({ ...communityEvents }) ? createCommunityEventsUpstream(client, communityEvents.url) : null,
    streams: isConfigured({ ...streams }) ? createStreamsUpstream({ client, cache, ...streams }) : null,
    videosA: isConfigured({ ...videosA }) ? createVideosAUpstream({ client, nowSeconds: systemClock, ...videosA }) : null,
    videosB: isConfigured({ ...videosB }) ? createVideosBUpstream(client, videosB.url) : null,
  };
}

/** Timeout of a job with one request: three attempts and the delays between them. */
const ONE_REQUEST_TIMEOUT_SECONDS = 60;
const TWO_REQUESTS_TIMEOUT_SECONDS = 100;

/** Jobs that refresh the feeds. Each fails independently; a failure keeps the last good data. */
function createFeedJobs(config: FeedsConfig, { news, communityEvents, live: { streams, videosA, videosB } }: CreatedFeeds): Job[] {
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

const importNewsSchema = async () => (await import('./feeds.schemas.ts')).NewsBody;

/** `/v1/feeds` and the news archive: endpoints, refresh jobs, snapshot bodies and event stream sources. */
export const feedsArea = defineArea({
  settings: feedsSettings,
  scopes: feedsScopes,
  tags: {
    Feeds: 'News, live streams, videos and community events from their sources.',
  },
  events: [newsEvent],
  stored: [
    {
      title: 'Feeds',
      what: 'Names of authors and channels, as published by news, videos, streams and the community calendar.',
      until: 'News and events as a record of the game, without a limit; the rest until the next refresh.',
    },
  ],
  tables: feedsTables,
  create(context) {
    const { env, upstream, memory } = context;
    const config = readFeedsConfig(env);
    const feeds = createFeeds(context, config);
    const { archive, news, communityEvents, live } = feeds;
    return {
      endpoints: [
        lazyRoutes(['/v1/feeds', '/v1/misc'], async () => {
          const [
            { createCommunityEventEndpoints },
            { createLiveFeedEndpoints },
            { createNewsEndpoints },
            { createVideosBImageEndpoint, createVideosBImages },
          ] = await Promise.all([
            import('./community-events/community-events.routes.ts'),
            import('./live/live-feeds.routes.ts'),
            import('./news/news.routes.ts'),
            import('./videos/videos-b-image.routes.ts'),
          ]);
          return [
            ...createNewsEndpoints(news, archive),
            ...createLiveFeedEndpoints(live),
            createVideosBImageEndpoint(createVideosBImages(upstream, memory, mockOriginOf(config.videosB.url))),
            ...createCommunityEventEndpoints(communityEvents),
          ];
        }),
      ],
      jobs: createFeedJobs(config, feeds),
      eventSources: [newsSource(news)],
      eventSchemas: async () => ({ game_news: await importNewsSchema() }),
      snapshotBodies: asSnapshotBodies({ news: newsSnapshot(news) }, 'feeds:read', false),
    };
  },
});

/** Origin of a mock of the platform, which has no TLS; null for the platform itself. */
function mockOriginOf(searchUrl: string): string | null {
  const url = URL.parse(searchUrl);
  return url?.protocol === 'http:' ? url.origin : null;
}
