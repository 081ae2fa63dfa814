import { httpUpstream, type UpstreamCall, type UpstreamResponse } from './http-upstream.ts';

export interface DemoVideo {
  id: string;
  channel: string;
  title: string;
  description: string;
  tags: string[];
  categoryId: string;
  duration: string;
  publishedAt: string;
  live: string;
}

export interface VideosAState {
  key: string;
  videos: DemoVideo[];
  isQuotaSpent: boolean;
}

const DAY = 86_400;
const MAX_RESULTS = 50;

/** Mock of the video platform with an API key: `search`, then `videos` for details. */
export const videosAUpstream = httpUpstream<VideosAState>({
  name: 'videos-a',
  port: 9814,
  initial: (now) => ({
    key: 'demo-key',
    isQuotaSpent: false,
    videos: [
      video('aaaaaaaaaa1', 'Cubic Guides', 'Trove: delve guide', now - DAY),
      video('aaaaaaaaaa2', 'Cubic Guides', 'Trove: gem guide', now - 3 * DAY),
      video('aaaaaaaaaa3', 'Sky Base', 'Building a club world in Trove', now - 4 * DAY),
      { ...video('aaaaaaaaaa4', 'Clips', 'Trove moments', now - 2 * DAY), duration: 'PT45S' },
    ],
  }),
  respond(call, state) {
    if (call.query.key !== state.key) return problem(400, 'API key not valid. Please pass a valid API key.', 'badRequest');
    if (state.isQuotaSpent) return problem(403, 'The request cannot be completed because you have exceeded your quota.', 'quotaExceeded');
    if (call.path === '/youtube/v3/search') return search(call, state.videos);
    if (call.path === '/youtube/v3/videos') return details(call, state.videos);
    return problem(404, 'Not Found', 'notFound');
  },
  wiring: (url) => ({ vars: { VIDEOS_A_API_BASE: `${url}/youtube/v3`, VIDEOS_A_API_KEY: 'demo-key' } }),
});

function search({ query }: UpstreamCall, videos: readonly DemoVideo[]): UpstreamResponse {
  if (Number(query.maxResults) > MAX_RESULTS) return problem(400, 'Invalid value for maxResults', 'invalidParameter');
  const matches = videos.filter(({ publishedAt }) => publishedAt >= (query.publishedAfter ?? ''));
  const items = matches.map(({ id, ...rest }) => ({
    kind: 'youtube#searchResult',
    id: { kind: 'youtube#video', videoId: id },
    snippet: snippet(rest),
  }));
  return { body: { kind: 'youtube#searchListResponse', pageInfo: { totalResults: items.length, resultsPerPage: 50 }, items } };
}

function details({ query }: UpstreamCall, videos: readonly DemoVideo[]): UpstreamResponse {
  const ids = (query.id ?? '').split(',');
  if (ids.length > MAX_RESULTS) return problem(400, 'Too many ids', 'invalidParameter');
  const items = videos
    .filter(({ id }) => ids.includes(id))
    .map(({ id, duration, tags, categoryId, ...rest }) => ({
      kind: 'youtube#video',
      id,
      snippet: { ...snippet(rest), description: rest.description, tags, categoryId },
      contentDetails: { duration, definition: 'hd' },
    }));
  return { body: { kind: 'youtube#videoListResponse', items } };
}

function snippet(video: Pick<DemoVideo, 'channel' | 'title' | 'publishedAt' | 'live'>): Record<string, unknown> {
  return {
    publishedAt: video.publishedAt,
    title: video.title,
    description: '',
    channelTitle: video.channel,
    liveBroadcastContent: video.live,
    thumbnails: { default: { url: 'https://images.example/default.jpg' }, high: { url: 'https://images.example/high.jpg' } },
  };
}

function video(id: string, channel: string, title: string, at: number): DemoVideo {
  const publishedAt = new Date(at * 1000).toISOString().replace('.000Z', 'Z');
  return {
    id,
    channel,
    title,
    description: 'Trove on PC',
    tags: ['trove'],
    categoryId: '20',
    duration: 'PT12M3S',
    publishedAt,
    live: 'none',
  };
}

function problem(code: number, message: string, reason: string): UpstreamResponse {
  return { status: code, body: { error: { code, message, errors: [{ message, domain: 'youtube', reason }] } } };
}
