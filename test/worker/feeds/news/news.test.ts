import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { NewsBody } from '../../../../src/areas/feeds/feeds.schemas.ts';
import { NewsHistoryBody } from '../../../../src/areas/feeds/news/news.routes.ts';
import { DEFAULT_SETTINGS } from '../../../support/declarations.ts';
import { bearer } from '../../../support/requests.ts';
import { createToken } from '../../../support/tokens.ts';
import type { NewsPost } from '../../../support/upstreams/news.ts';
import { bodyOf, emptyFeeds, type FeedWorld, feedWorld, NOW } from '../world.ts';

const JOB = 'news-refresh';
const NEWS = '/v1/feeds/news';
const ARCHIVE = '/v1/misc/news-history';

const post = (number: number, change: Partial<NewsPost> = {}): NewsPost => ({
  title: `Post ${number}`,
  link: `https://n.example/${number}`,
  pubDate: new Date((NOW - number * 3600) * 1000).toUTCString(),
  categories: ['News'],
  ...change,
});
const posts = (...numbers: number[]) => numbers.map((number) => post(number));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Sets the feed and fetches it. */
async function fetched(world: FeedWorld, feed: readonly NewsPost[], now = NOW) {
  await world.on('news').order({ state: { posts: feed } });
  const run = await world.run(JOB, now);
  expect(run.error).toBeNull();
  return run;
}

const urlsOf = (response: { text: string }) =>
  JSON.parse(response.text).items.map(({ url }: { url: string }) => url.slice('https://n.example/'.length));

beforeEach(emptyFeeds);

describe('GET /v1/feeds/news', () => {
  it('returns the documented body', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await world.run(JOB, NOW);
    const response = await world.get(NEWS);
    const body = NewsBody.strict().parse(bodyOf(response));
    expect(body.items[0]).toEqual({
      title: 'Patch notes 1 & what comes next',
      url: 'https://news.example/posts/1/',
      author: 'The Team',
      summary: 'Hello adventurers ! Build 1 is live.',
      category: 'Patch Notes',
      categories: ['Patch Notes', 'PC'],
      image: 'https://news.example/images/1.jpg',
      published_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    });
    expect(body.items[1]?.author).toBe('Team Trove');
    expect(response.headers.get('Cache-Control')).toBe('public, no-cache');
    expect(response.headers.get('X-RateLimit-Limit')).not.toBeNull();
  });

  it('returns 20 items by default, newest first, undated last', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, [post(90, { pubDate: 'soon' }), ...posts(...range(1, 25).toReversed())]);
    expect(urlsOf(await world.get(NEWS))).toEqual(range(1, 20).map(String));
    expect(urlsOf(await world.get(`${NEWS}?limit=3`))).toEqual(['1', '2', '3']);
    expect(urlsOf(await world.get(`${NEWS}?limit=50`)).at(-1)).toBe('90');
  });

  it('returns one of several copies of a post', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, [post(1, { title: 'Sale', categories: ['PC'] }), post(2, { title: 'SALE ', categories: ['Console'] }), post(3)]);
    const { items } = bodyOf(await world.get(NEWS));
    expect(items.map(({ categories }: { categories: string[] }) => categories)).toEqual([['PC', 'Console'], ['News']]);
    expect((await bodyOf(await world.get(ARCHIVE, { authorization: bearer(await createToken()) }))).total).toBe(3);
  });

  it('returns 304 with the age until there is new data', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, posts(1));
    const etag = (await world.get(NEWS)).headers.get('ETag') ?? '';
    const again = await world.get(NEWS, { now: NOW + 60, headers: { 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers.get('Age')]).toEqual([304, '', '60']);
    await fetched(world, posts(0, 1), NOW + 100);
    expect((await world.get(NEWS, { headers: { 'If-None-Match': etag } })).status).toBe(200);
  });

  it.each(['0', '51', '-1', 'x', '1.5'])('returns 422 for limit=%s', async (limit) => {
    expect((await feedWorld({ upstreams: [] }).get(`${NEWS}?limit=${limit}`)).status).toBe(422);
  });
});

describe('news refresh', () => {
  it('publishes an event only for new articles', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    expect((await fetched(world, posts(1))).published).toEqual([['game_news', NOW]]);
    expect((await world.run(JOB, NOW + 1800)).published).toEqual([]);
    expect((await fetched(world, posts(0, 1), NOW + 3600)).published).toEqual([['game_news', NOW + 3600]]);
  });

  it('resets the age without new articles', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, posts(1));
    await world.run(JOB, NOW + 1800);
    const calls = await world.on('news').calls();
    expect(calls.map(({ headers }) => headers['if-none-match'] === undefined)).toEqual([true, true, false, false]);
    expect((await world.get(NEWS, { now: NOW + 1810 })).headers.get('Age')).toBe('10');
  });

  it('updates known articles and keeps missing ones', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, posts(1, 2));
    await fetched(world, [post(1, { title: 'Corrected', categories: [] })], NOW + 60);
    const { items } = bodyOf(await world.get(NEWS));
    expect(items).toMatchObject([{ title: 'Corrected', category: 'News', categories: [] }, { title: 'Post 2' }]);
  });

  it('reaches other isolates through KV, or the database without KV', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, posts(1, 2));
    expect(urlsOf(await feedWorld({ upstreams: [] }).get(NEWS))).toEqual(['1', '2']);
    const copy = await env.CACHE.get<{ fetchedAt: number; items: unknown[] }>('feeds/news', 'json');
    expect([copy?.fetchedAt, copy?.items.length]).toEqual([NOW, 2]);
    await env.CACHE.delete('feeds/news');
    const response = await feedWorld({ upstreams: [] }).get(NEWS, { now: NOW + 7 });
    expect([urlsOf(response), response.headers.get('Age')]).toEqual([['1', '2'], '7']);
  });

  it('is cached across requests', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, posts(1));
    const first = await world.get(NEWS);
    await env.CACHE.delete('feeds/news');
    await env.DB.exec('DELETE FROM news_articles');
    expect((await world.get(NEWS)).text).toBe(first.text);
  });
});

describe('game_news event', () => {
  const stateOf = (world: FeedWorld) => world.area.eventSources[0]?.stateAt(NOW, DEFAULT_SETTINGS);

  it('has the empty body of the endpoint without news, and is not published', async () => {
    const world = feedWorld({ upstreams: [] });
    const state = await stateOf(world);
    expect([state?.signature, state?.body.text]).toEqual([null, (await world.get(NEWS)).text]);
    expect(state?.body.text).toBe('{"items":[],"count":0}');
  });

  it('has the body of the endpoint and is keyed by the newest URL', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, posts(2, 3));
    const state = await stateOf(world);
    expect([state?.signature, state?.body.text]).toEqual(['https://n.example/2', (await world.get(NEWS)).text]);
  });

  it('reflects the archive after an invalidation', async () => {
    const otherIsolate = feedWorld({ upstreams: [] });
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, posts(2));
    expect((await stateOf(otherIsolate))?.signature).toBe('https://n.example/2');
    const stale = await env.CACHE.get('feeds/news');
    await fetched(world, posts(1, 2), NOW + 60);
    await env.CACHE.put('feeds/news', stale ?? '');
    otherIsolate.area.eventSources[0]?.refresh?.();
    expect((await stateOf(otherIsolate))?.signature).toBe('https://n.example/1');
  });
});

describe('GET /v1/misc/news-history', () => {
  it('requires a token with the scope', async () => {
    const world = feedWorld({ upstreams: [] });
    expect((await world.get(ARCHIVE)).status).toBe(401);
    expect((await world.get(ARCHIVE, { authorization: bearer(await createToken({ scopes: 2 })) })).status).toBe(403);
    const response = await world.get(ARCHIVE, { authorization: bearer(await createToken({ scopes: 16 })) });
    expect([response.status, response.text]).toEqual([200, '{"items":[],"count":0,"total":0,"next_cursor":null}']);
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
  });

  it('returns all articles by offset and by cursor', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    // Articles with the same time and articles without a date keep the order of the feed.
    const undated = [post(31, { pubDate: 'soon' }), post(32, { pubDate: '' })];
    const together = [post(8), post(9, { pubDate: post(8).pubDate ?? '' })];
    await fetched(world, [...posts(...range(1, 7)), ...together, ...undated]);
    await fetched(world, posts(0), NOW + 60);
    const authorization = bearer(await createToken());
    const expected = ['0', ...range(1, 9).map(String), '31', '32'];
    const fullList = await world.get(ARCHIVE, { authorization });
    expect(NewsHistoryBody.strict().parse(bodyOf(fullList))).toMatchObject({ count: 12, total: 12 });
    expect(urlsOf(fullList)).toEqual(expected);
    expect(fullList.headers.get('Link')).toBeNull();

    const byOffset: string[] = [];
    for (let offset = 0; offset < 12; offset += 5)
      byOffset.push(...urlsOf(await world.get(`${ARCHIVE}?limit=5&offset=${offset}`, { authorization })));
    expect(byOffset).toEqual(expected);

    for (const limit of [1, 5, 11, 12]) {
      const byCursor: string[] = [];
      for (let path: string | undefined = `${ARCHIVE}?limit=${limit}`; path; ) {
        const page = await world.get(path, { authorization });
        byCursor.push(...urlsOf(page));
        path = /<([^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
      }
      expect(byCursor).toEqual(expected);
    }
  });

  it('is stable while articles arrive', async () => {
    const world = feedWorld({ upstreams: ['news'] });
    await fetched(world, posts(1, 2, 3, 4));
    const authorization = bearer(await createToken());
    const first = await world.get(`${ARCHIVE}?limit=2`, { authorization });
    await fetched(world, posts(0, 1, 2, 3, 4), NOW + 60);
    const next = /<([^>]*)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    expect(urlsOf(await world.get(next, { authorization }))).toEqual(['3', '4']);
  });

  it.each([
    ['limit=201', 422],
    ['limit=0', 422],
    ['offset=-1', 422],
    ['offset=1&cursor=WzFd', 422],
    ['cursor=nonsense', 400],
    ['cursor=Wzk5OTk5OV0', 400],
  ])('returns 422 for %s', async (query, status) => {
    const authorization = bearer(await createToken());
    expect((await feedWorld({ upstreams: [] }).get(`${ARCHIVE}?${query}`, { authorization })).status).toBe(status);
  });
});
