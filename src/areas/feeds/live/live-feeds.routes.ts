import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { streamsBody, videosBody } from '../feeds.bodies.ts';
import type { Stream } from '../streams/streams.domain.ts';
import type { Video } from '../videos/videos.domain.ts';
import type { LiveFeed } from './live-feed.service.ts';
import { StreamsBody, VideosBody } from './live-feeds.schemas.ts';

interface LiveFeeds {
  streams: LiveFeed<Stream>;
  videosA: LiveFeed<Video>;
  videosB: LiveFeed<Video>;
}

const shared = { method: 'get', tag: 'Feeds', access: publicAccess('feeds:read') } as const;
const AGE_NOTE = 'While the source is unavailable, the last good data is returned with its `fetched_at` and a growing `Age`.';

/** Endpoints of streams and videos. */
export function createLiveFeedEndpoints({ streams, videosA, videosB }: LiveFeeds): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/feeds/streams',
      operationId: 'listStreams',
      summary: 'List live streams',
      description: `Lists channels that are broadcasting the game. ${AGE_NOTE}`,
      ok: { description: 'The streams.', schema: StreamsBody },
    }).handle(async ({ now }) => streamsBody(await streams.current(), now)),

    defineRoute({
      ...shared,
      path: '/v1/feeds/videos-a',
      operationId: 'listVideosA',
      summary: 'List YouTube-style videos (videos-a)',
      description: `Lists recent videos about the game, a few per channel. ${AGE_NOTE}`,
      ok: { description: 'The videos.', schema: VideosBody },
    }).handle(async ({ now }) => videosBody(await videosA.current(), now)),

    defineRoute({
      ...shared,
      path: '/v1/feeds/videos-b',
      operationId: 'listVideosB',
      summary: 'List Bilibili-style videos (videos-b)',
      description: `Lists recent videos about the game, mostly in Chinese. ${AGE_NOTE}`,
      ok: { description: 'The videos.', schema: VideosBody },
    }).handle(async ({ now }) => videosBody(await videosB.current(), now)),
  ];
}
