import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { CommunityEventsBody, EventCategoriesBody } from '../../../../src/areas/feeds/community-events/community-events.routes.ts';
import { bodyOf, emptyFeeds, type FeedWorld, feedWorld, NOW } from '../world.ts';

const JOB = 'community-events-refresh';
const LISTS = { ongoing: '/v1/feeds/events', upcoming: '/v1/feeds/events/upcoming', ended: '/v1/feeds/events/history' };
const CATEGORIES = '/v1/feeds/events/categories';

const entry = (id: string, startsIn: number, endsIn: number, category = 'Event') => ({
  id,
  name: `Event ${id}`,
  url: `https://c.example/${id}`,
  startdate: String(NOW + startsIn),
  enddate: String(NOW + endsIn),
  category,
  image: '',
  icon: 'https://c.example/icon.png',
  lookup: '',
});

async function fetched(world: FeedWorld, entries: readonly object[], now = NOW) {
  await world.on('community-events').order({ state: { entries } });
  expect((await world.run(JOB, now)).error).toBeNull();
}

async function idsIn(world: FeedWorld, status: keyof typeof LISTS, now = NOW, query = ''): Promise<string[]> {
  const response = await world.get(`${LISTS[status]}${query}`, { now });
  const { items, count } = bodyOf(response);
  expect(count).toBe(items.length);
  return items.map(({ event_id }: { event_id: string }) => event_id);
}

const statuses = async (world: FeedWorld, now: number) => [
  await idsIn(world, 'upcoming', now),
  await idsIn(world, 'ongoing', now),
  await idsIn(world, 'ended', now),
];

beforeEach(emptyFeeds);

describe('GET /v1/feeds/events', () => {
  it('returns the documented body', async () => {
    const world = feedWorld({ upstreams: ['community-events'] });
    await fetched(world, [entry('1', -10, 90, 'Contest')]);
    const response = await world.get(LISTS.ongoing, { now: NOW + 5 });
    expect(CommunityEventsBody.strict().parse(bodyOf(response)).items).toEqual([
      {
        event_id: '1',
        name: 'Event 1',
        url: 'https://c.example/1',
        category: 'Contest',
        image: null,
        icon: 'https://c.example/icon.png',
        lookup: null,
        starts_at: NOW - 10,
        ends_at: NOW + 90,
        status: 'ongoing',
        seconds_until: 85,
      },
    ]);
    expect([response.headers.get('Age'), response.headers.get('Cache-Control')]).toEqual(['5', 'public, no-cache']);
  });

  it('derives the status from the time of the request, also for an earlier time', async () => {
    const world = feedWorld({ upstreams: ['community-events'] });
    await fetched(world, [entry('1', 0, 100), entry('2', 50, 60), entry('3', -100, -50)]);
    expect(await statuses(world, NOW - 1000)).toEqual([['3', '1', '2'], [], []]);
    expect(await statuses(world, NOW)).toEqual([['2'], ['1'], ['3']]);
    expect(await statuses(world, NOW + 49)).toEqual([['2'], ['1'], ['3']]);
    expect(await statuses(world, NOW + 50)).toEqual([[], ['2', '1'], ['3']]);
    expect(await statuses(world, NOW + 60)).toEqual([[], ['1'], ['2', '3']]);
    expect(await statuses(world, NOW + 100)).toEqual([[], [], ['1', '2', '3']]);
    expect(await statuses(world, NOW - 51)).toEqual([['1', '2'], ['3'], []]);
  });

  it('keeps events that leave the calendar and updates changed ones', async () => {
    const world = feedWorld({ upstreams: ['community-events'] });
    await fetched(world, [entry('1', -10, 100), entry('2', -10, 100, 'Contest')]);
    await fetched(world, [entry('2', -10, 50, 'Giveaway')], NOW + 10);
    expect(await idsIn(world, 'ongoing', NOW + 10)).toEqual(['2', '1']);
    expect(bodyOf(await world.get(CATEGORIES)).categories).toEqual(['Event', 'Giveaway']);
    await fetched(world, [], NOW + 20);
    expect(await statuses(world, NOW + 400 * 86_400)).toEqual([[], [], ['1', '2']]);
  });

  it('filters by category', async () => {
    const world = feedWorld({ upstreams: ['community-events'] });
    await fetched(world, [
      entry('1', -90, -10, 'Contest'),
      entry('2', -90, -20),
      entry('3', -90, -30, 'Contest'),
      entry('4', -5, 5, 'Contest'),
    ]);
    expect(await idsIn(world, 'ended', NOW, '?category=Contest')).toEqual(['1', '3']);
    expect(await idsIn(world, 'ended', NOW + 5, '?category=Contest&limit=2')).toEqual(['4', '1']);
    expect(await idsIn(world, 'ongoing', NOW, '?category=contest')).toEqual([]);
    expect(await idsIn(world, 'ongoing', NOW, '?category=Nothing%20like%20it')).toEqual([]);
    expect(await idsIn(world, 'ended', NOW, '?category=')).toHaveLength(3);
  });

  it.each(['limit=0', 'limit=501', 'limit=x', `category=${'x'.repeat(201)}`])('returns 422 for %s', async (query) => {
    expect((await feedWorld({ upstreams: [] }).get(`${LISTS.ended}?${query}`)).status).toBe(422);
  });

  it('returns 100 events by default', async () => {
    const world = feedWorld({ upstreams: ['community-events'] });
    await fetched(
      world,
      Array.from({ length: 130 }, (_, index) => entry(String(index), -500, -200 + index)),
    );
    expect([(await idsIn(world, 'ended')).length, (await idsIn(world, 'ended', NOW, '?limit=500')).length]).toEqual([100, 130]);
  });

  it('has a weak ETag that ignores the countdowns', async () => {
    const world = feedWorld({ upstreams: ['community-events'] });
    await fetched(world, [entry('1', -10, 100)]);
    const etag = (await world.get(LISTS.ongoing)).headers.get('ETag') ?? '';
    expect(etag).toMatch(/^W\//);
    expect((await world.get(LISTS.ongoing, { now: NOW + 50, headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await world.get(LISTS.ongoing, { now: NOW + 100, headers: { 'If-None-Match': etag } })).status).toBe(200);
  });

  it('lists categories', async () => {
    const world = feedWorld({ upstreams: ['community-events'] });
    expect(bodyOf(await world.get(CATEGORIES))).toEqual({ categories: [], count: 0 });
    await fetched(world, [
      entry('1', 0, 1, 'Stream'),
      entry('2', 0, 1, 'Contest'),
      entry('3', 0, 1, 'contest'),
      entry('4', 0, 1, 'Contest'),
    ]);
    expect(EventCategoriesBody.strict().parse(bodyOf(await world.get(CATEGORIES)))).toEqual({
      categories: ['Contest', 'Stream', 'contest'],
      count: 3,
    });
  });

  it('caches database reads across requests', async () => {
    const world = feedWorld({ upstreams: ['community-events'] });
    await fetched(world, [entry('1', -10, 100), entry('2', -20, -10)]);
    const read = async () => [...(await statuses(world, NOW)), bodyOf(await world.get(CATEGORIES)).categories];
    const first = await read();
    await env.DB.exec('DELETE FROM community_events');
    expect(await read()).toEqual(first);
    expect(await idsIn(feedWorld({ upstreams: [] }), 'ongoing')).toEqual([]);
  });

  it('keeps stored events when the response is not a list', async () => {
    const world = feedWorld({ upstreams: ['community-events'] });
    await fetched(world, [entry('1', -10, 100)]);
    await world.on('community-events').order({ state: { entries: { error: 'maintenance' } } });
    expect((await world.run(JOB, NOW + 900)).error).toBeNull();
    expect(await idsIn(world, 'ongoing')).toEqual(['1']);
  });
});
