import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { StreamsBody, VideosBody } from '../../../../src/areas/feeds/live/live-feeds.routes.ts';
import type { DemoVideo } from '../../../support/upstreams/videos-a.ts';
import { bodyOf, emptyFeeds, feedWorld } from '../world.ts';

const STREAMS = '/v1/feeds/streams';
const VIDEOS_A = '/v1/feeds/videos-a';
const VIDEOS_B = '/v1/feeds/videos-b';
/** The upstream stubs use the real clock for their samples. */
const NOW = Math.floor(Date.now() / 1000);

beforeEach(emptyFeeds);

describe('GET /v1/feeds/streams', () => {
  const world = () => feedWorld({ upstreams: ['streams'] });
  const run = 'streams-refresh';

  it('returns the documented body', async () => {
    const { run: runJob, get } = world();
    expect((await runJob(run, NOW)).error).toBeNull();
    const body = StreamsBody.strict().parse(bodyOf(await get(STREAMS, { now: NOW })));
    expect(body).toMatchObject({ count: 2, fetched_at: new Date(NOW * 1000).toISOString() });
    expect(body.items[0]).toEqual({
      channel: 'Glimmer',
      login: 'glimmer',
      url: 'https://twitch.tv/glimmer',
      title: 'Exploring with glimmer',
      viewers: 120,
      game: 'Trove',
      started_at: expect.stringMatching(/Z$/),
      thumbnail: 'https://images.example/glimmer-440x248.jpg',
    });
    expect(body.items[1]).toMatchObject({ channel: 'night_owl', login: 'night_owl' });
  });

  it('requests an access token once and shares it across isolates', async () => {
    const { on, run: runJob, area: _area } = world();
    await runJob(run, NOW);
    await runJob(run, NOW + 300);
    const calls = await on('streams').calls();
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /oauth2/token',
      'GET /helix/streams',
      'GET /helix/streams',
    ]);
    expect(calls[0]?.query).toEqual({ client_id: 'demo-client', client_secret: 'demo-secret', grant_type: 'client_credentials' });
    expect(calls[1]).toMatchObject({ query: { game_id: '412756', first: '100' }, headers: { 'client-id': 'demo-client' } });
    expect(calls[1]?.headers.authorization).toBe(`Bearer ${await env.CACHE.get('feeds/streams-token')}`);
  });

  it('requests a new access token when the old one is rejected', async () => {
    const { on, run: runJob } = world();
    await runJob(run, NOW);
    await on('streams').order({ state: { validToken: 'another' } });
    expect((await runJob(run, NOW + 300)).error).toBeNull();
    expect((await on('streams').calls()).map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'POST', 'GET']);
  });

  it('fails when a new access token is rejected too', async () => {
    const { on, run: runJob } = world();
    await on('streams').order({ state: { clientId: 'other' } });
    expect((await runJob(run, NOW)).error).toBe('streams-token: HTTP 403');
    await env.CACHE.put('feeds/streams-token', 'old');
    await on('streams').order({ state: { clientId: 'demo-client', streams: null } });
    expect((await runJob(run, NOW)).error).toBe('streams: response has no list of streams');
  });

  it('reports missing configuration without either credential', async () => {
    for (const name of ['STREAMS_CLIENT_ID', 'STREAMS_CLIENT_SECRET']) {
      const { scheduler } = feedWorld({ upstreams: ['streams'], vars: { [name]: '' } });
      expect((await scheduler.status(NOW)).find((job) => job.name === run)?.state).toBe('unconfigured');
    }
  });

  it('never exposes a credential in an error', async () => {
    const { on, run: runJob } = world();
    await on('streams').order({ fault: 'error-500' });
    const { error } = await runJob(run, NOW);
    const stored = await env.DB.prepare('SELECT * FROM upstream_sources').all();
    expect(error).toBe('streams-token: HTTP 500');
    expect(JSON.stringify(stored.results)).not.toContain('demo-secret');
  });
});

describe('GET /v1/feeds/videos-a', () => {
  const run = 'videos-a-refresh';

  it('returns the documented body', async () => {
    const { run: runJob, get } = feedWorld({ upstreams: ['videos-a'] });
    expect((await runJob(run, NOW)).error).toBeNull();
    const body = VideosBody.strict().parse(bodyOf(await get(VIDEOS_A, { now: NOW })));
    expect([body.count, body.items.map(({ video_id }) => video_id)]).toEqual([3, ['aaaaaaaaaa1', 'aaaaaaaaaa2', 'aaaaaaaaaa3']]);
    expect(body.items[0]).toMatchObject({
      title: 'Trove: delve guide',
      channel: 'Cubic Guides',
      url: 'https://www.youtube.com/watch?v=aaaaaaaaaa1',
      thumbnail_url: 'https://images.example/high.jpg',
    });
  });

  it('searches with the current settings', async () => {
    const settings = {
      feedsVideosAQuery: 'cubes',
      feedsVideoCutoffDays: 7,
      feedsPerChannelMax: 1,
      feedsVideosAExcludedChannels: 'Sky Base',
    };
    const { on, run: runJob, get } = feedWorld({ upstreams: ['videos-a'], settings });
    await runJob(run, NOW);
    const [search, details] = await on('videos-a').calls();
    const publishedAfter = new Date((NOW - 7 * 86_400) * 1000).toISOString();
    expect(search?.query).toEqual({
      part: 'snippet',
      q: 'cubes',
      type: 'video',
      order: 'relevance',
      publishedAfter,
      maxResults: '50',
      key: 'demo-key',
    });
    expect(details?.query).toMatchObject({ part: 'snippet,contentDetails', id: 'aaaaaaaaaa1,aaaaaaaaaa2,aaaaaaaaaa3,aaaaaaaaaa4' });
    expect(bodyOf(await get(VIDEOS_A, { now: NOW })).items).toMatchObject([{ video_id: 'aaaaaaaaaa1' }]);
  });

  it('sends one search per refresh, and no details request without results', async () => {
    const { on, run: runJob, get } = feedWorld({ upstreams: ['videos-a'] });
    await on('videos-a').order({ state: { videos: [] satisfies DemoVideo[] } });
    expect((await runJob(run, NOW)).error).toBeNull();
    expect((await on('videos-a').calls()).map(({ path }) => path)).toEqual(['/youtube/v3/search']);
    expect(bodyOf(await get(VIDEOS_A, { now: NOW }))).toMatchObject({ items: [], fetched_at: new Date(NOW * 1000).toISOString() });
  });

  it('sends no request until the quota is renewed, except for a manual run', async () => {
    const { on, run: runJob, scheduler, get } = feedWorld({ upstreams: ['videos-a'] });
    await runJob(run, NOW);
    await on('videos-a').order({ state: { isQuotaSpent: true } });
    expect((await runJob(run, NOW + 1200)).error).toBe('videos-a: HTTP 403');
    await scheduler.tick(NOW + 2400);
    expect((await scheduler.status(NOW + 2400)).find(({ name }) => name === run)?.lastError).toMatch(
      /^videos-a: paused until .*T08:00:00.000Z, last error: videos-a: daily quota exceeded$/,
    );
    expect(await on('videos-a').calls()).toHaveLength(3);
    expect((await runJob(run, NOW + 2401)).error).toBe('videos-a: HTTP 403');
    expect(await on('videos-a').calls()).toHaveLength(4);
    expect(bodyOf(await get(VIDEOS_A, { now: NOW + 2400 })).items).toHaveLength(3);
  });
});

describe('GET /v1/feeds/videos-b', () => {
  const run = 'videos-b-refresh';

  it('returns the documented body', async () => {
    const { run: runJob, get, on } = feedWorld({ upstreams: ['videos-b'] });
    expect((await runJob(run, NOW)).error).toBeNull();
    const body = VideosBody.strict().parse(bodyOf(await get(VIDEOS_B, { now: NOW })));
    expect(body.items).toEqual([
      {
        title: '宝藏世界 新手攻略 & 技巧',
        url: 'https://www.bilibili.com/video/BV1aa411c7mA/',
        channel: '方块君',
        video_id: 'BV1aa411c7mA',
        published_at: new Date((NOW - 3 * 3600) * 1000).toISOString(),
        thumbnail_url: 'https://i0.hdslb.com/bfs/archive/BV1aa411c7mA.jpg',
      },
      expect.objectContaining({ title: 'Trove 深渊', channel: '星海', published_at: new Date((NOW - 86_400) * 1000).toISOString() }),
    ]);
    const [call] = await on('videos-b').calls();
    expect([call?.query.keyword, call?.headers['accept-language']]).toEqual(['宝藏世界trove', 'en-US,en;q=0.5']);
    expect(call?.headers['user-agent']).toMatch(/^Mozilla.*Chrome/);
  });

  it.each([{ isRefusing: true }, { cards: [] }])('keeps the last good data when the platform rejects the request: %j', async (state) => {
    const { run: runJob, get, on } = feedWorld({ upstreams: ['videos-b'] });
    await runJob(run, NOW);
    await on('videos-b').order({ state });
    expect((await runJob(run, NOW + 600)).error).toMatch(/HTTP 412|no results/);
    expect(bodyOf(await get(VIDEOS_B, { now: NOW + 600 }))).toMatchObject({ count: 2, fetched_at: new Date(NOW * 1000).toISOString() });
  });
});

describe('live feed caching', () => {
  it('reads from KV and falls back to the database', async () => {
    await feedWorld({ upstreams: ['streams'] }).run('streams-refresh', NOW);
    const copied = await feedWorld({ upstreams: [] }).get(STREAMS, { now: NOW });
    await env.CACHE.delete('feeds/streams');
    const stored = await feedWorld({ upstreams: [] }).get(STREAMS, { now: NOW });
    expect(bodyOf(copied).count).toBe(2);
    expect(stored.text).toBe(copied.text);
  });

  it('has an ETag that changes with the data, not with its age', async () => {
    const { run: runJob, get } = feedWorld({ upstreams: ['streams'] });
    await runJob('streams-refresh', NOW);
    const first = await get(STREAMS, { now: NOW });
    const etag = first.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"/);
    expect((await get(STREAMS, { now: NOW + 100, headers: { 'If-None-Match': etag } })).status).toBe(304);
    await runJob('streams-refresh', NOW + 300);
    expect((await get(STREAMS, { now: NOW + 300, headers: { 'If-None-Match': etag } })).status).toBe(200);
  });
});
