import { asSnapshotBodies, defineArea, type SnapshotBody } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventPublisher, EventSource } from '../../platform/events/event-source.ts';
import type { MemoryPool } from '../../platform/http/bodies/memory-pool.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { systemClock } from '../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import {
  type CommunityEventsService,
  createCommunityEventsService,
  createCommunityEventsUpstream,
} from './community-events/community-events.service.ts';
import { createCommunityEventsStore } from './community-events/community-events.store.ts';
import { newsEvent } from './feeds.events.ts';
import { feedsScopes, feedsSettings } from './feeds.settings.ts';
import { feedsTables } from './feeds.tables.ts';
import { FEED_SOURCES, type FeedsConfig, isConfigured, readFeedsConfig, requireConfigured } from './feeds-config.domain.ts';
import { createStreamsUpstream, type Stream } from './live/streams.upstream.ts';
import { createFeedSnapshots, createLiveFeed, createSnapshotCopy, type LiveFeed } from './live-feeds.store.ts';
import { DEFAULT_NEWS_ITEMS, mergeLatestNews, type NewsItem, newsStreamSignature } from './news/news.domain.ts';
import { createNewsService, type NewsService } from './news/news.service.ts';
import { createNewsStore } from './news/news.store.ts';
import { createNewsUpstream } from './news/news.upstream.ts';
import type { Video } from './videos/videos.domain.ts';
import { createVideosAUpstream, fetchVideosA } from './videos/videos-a.upstream.ts';
import { createVideosBUpstream, fetchVideosB } from './videos/videos-b.upstream.ts';

export { readFeedsConfig } from './feeds-config.domain.ts';

interface FeedsAreaDeps {
  memory: MemoryPool;
  db: Database;
  /** Database for public reads; default: `db`. */
  reads?: PublicReads;
  /** Stores copies of feeds close to clients, and access tokens. */
  cache: KVNamespace;
  upstream: UpstreamClient;
  config: FeedsConfig;
  events: Pick<EventPublisher, 'changed'>;
}

/** `/v1/feeds` and the news archive: endpoints, refresh jobs, snapshot bodies and event stream sources. */
export function createFeedsArea(deps: FeedsAreaDeps) {
  const { db, reads, cache } = deps;
  const upstreams = createUpstreams(deps);
  const archive = createNewsStore(db, reads);
  const news = createNewsService({
    upstream: upstreams.news,
    archive,
    copy: createSnapshotCopy<NewsItem>(cache, 'news'),
    onRefresh: (now) => deps.events.changed(newsEvent.type, now),
  });
  const communityEvents = createCommunityEventsService({
    upstream: upstreams.communityEvents,
    events: createCommunityEventsStore(db, reads),
  });
  const live = {
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
  };
  const endpoints = [
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
        createVideosBImageEndpoint(createVideosBImages(deps.upstream, deps.memory, mockOriginOf(deps.config.videosB.url))),
        ...createCommunityEventEndpoints(communityEvents),
      ];
    }),
  ];
  const bodies: Record<string, Pick<SnapshotBody, 'source' | 'schema'>> = {
    news: {
      async source(now) {
        const [latest, { newsBody }] = await Promise.all([news.latest(), import('./news/news.routes.ts')]);
        return newsBody(latest, DEFAULT_NEWS_ITEMS, now);
      },
      schema: importNewsSchema,
    },
  };
  const jobs = createFeedJobs({ config: deps.config, news, communityEvents, ...live });
  return { endpoints, bodies, jobs, eventSources: [newsSource(news)] };
}

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

/** Upstreams; null without a URL or credentials. */
function createUpstreams({ upstream: client, cache, config }: FeedsAreaDeps) {
  const { news, communityEvents, streams, videosA, videosB } = config;
  return {
    news: isConfigured({ ...news }) ? createNewsUpstream(client, news.url) : null,
    communityEvents: isConfigured({ ...communityEvents }) ? createCommunityEventsUpstream(client, communityEvents.url) : null,
    streams: isConfigured({ ...streams }) ? createStreamsUpstream({ client, cache, ...streams }) : null,
    videosA: isConfigured({ ...videosA }) ? createVideosAUpstream({ client, nowSeconds: systemClock, ...videosA }) : null,
    videosB: isConfigured({ ...videosB }) ? createVideosBUpstream(client, videosB.url) : null,
  };
}

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
function createFeedJobs({ config, news, communityEvents, streams, videosA, videosB }: FeedJobsDeps): Job[] {
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
  create({ db, publicReads, env, upstream, events, memory }) {
    const { bodies, ...parts } = createFeedsArea({
      memory,
      db,
      reads: publicReads,
      cache: env.CACHE,
      upstream,
      events,
      config: readFeedsConfig(env),
    });
    return {
      ...parts,
      eventSchemas: async () => ({ game_news: await importNewsSchema() }),
      snapshotBodies: asSnapshotBodies(bodies, 'feeds:read', false),
    };
  },
});

/** Origin of a mock of the platform, which has no TLS; null for the platform itself. */
function mockOriginOf(searchUrl: string): string | null {
  const url = URL.parse(searchUrl);
  return url?.protocol === 'http:' ? url.origin : null;
}
