import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { address, count, FetchedAt, isoInstant, isoOrNull, oncePerSnapshot } from '../feeds.schemas.ts';
import type { FeedSnapshot, LiveFeed } from '../live-feeds.store.ts';
import type { Video } from '../videos/videos.domain.ts';
import type { Stream } from './streams.upstream.ts';

const StreamBody = z
  .object({
    channel: string('Display name of the channel.', 'Glimmer'),
    login: string('Name of the channel in its URL.', 'glimmer'),
    url: string('URL of the channel.', 'https://twitch.tv/glimmer'),
    title: string('Title of the broadcast.', 'Delves until we drop'),
    viewers: z.number().int().openapi({ description: 'Viewers when the source was fetched.', example: 120 }),
    game: z.string().nullable().openapi({ description: 'Name of the game on the platform, or null.', example: 'Trove' }),
    started_at: isoInstant('Start of the broadcast, in the format of the platform; null if unknown.'),
    thumbnail: address('URL of an image of 440 x 248 pixels, or null.', 'https://images.example/glimmer-440x248.jpg'),
  })
  .openapi('Stream', { description: 'A live broadcast of the game.' });

const VideoBody = z
  .object({
    title: string('Title.', 'Trove: a guide to delves'),
    url: string('URL of the video.', 'https://www.youtube.com/watch?v=aaaaaaaaaaa'),
    channel: string('Name of the channel.', 'Cubic Guides'),
    video_id: z.string().nullable().openapi({ description: 'Id of the video on its platform, or null.', example: 'aaaaaaaaaaa' }),
    published_at: isoInstant('Time when the video was published; null if unknown.'),
    thumbnail_url: address('URL of an image, or null.', 'https://images.example/aaaaaaaaaaa.jpg'),
  })
  .openapi('Video', { description: 'A video about the game.' });

export const StreamsBody = z
  .object({
    items: z.array(StreamBody).openapi({ description: 'Streams, most viewers first.' }),
    count,
    fetched_at: FetchedAt,
  })
  .openapi('Streams', { description: 'The live broadcasts.' });

export const VideosBody = z
  .object({ items: z.array(VideoBody).openapi({ description: 'Newest first.' }), count, fetched_at: FetchedAt })
  .openapi('Videos', { description: 'Recent videos.' });

function toStreamsBody({ fetchedAt, items }: FeedSnapshot<Stream>): z.infer<typeof StreamsBody> {
  const streams = items.map(({ channel, login, url, title, viewers, game, startedAt, thumbnail }) => ({
    channel,
    login,
    url,
    title,
    viewers,
    game,
    started_at: startedAt,
    thumbnail,
  }));
  return { items: streams, count: streams.length, fetched_at: isoOrNull(fetchedAt) };
}

function toVideosBody({ fetchedAt, items }: FeedSnapshot<Video>): z.infer<typeof VideosBody> {
  const videos = items.map(({ title, url, channel, videoId, publishedAt, thumbnailUrl }) => ({
    title,
    url,
    channel,
    video_id: videoId,
    published_at: publishedAt,
    thumbnail_url: thumbnailUrl,
  }));
  return { items: videos, count: videos.length, fetched_at: isoOrNull(fetchedAt) };
}

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

/** Serialized streams. */
const streamsBody = oncePerSnapshot<Stream, ReturnType<typeof toStreamsBody>>(toStreamsBody);

/** Serialized videos of either platform. */
const videosBody = oncePerSnapshot<Video, ReturnType<typeof toVideosBody>>(toVideosBody);
