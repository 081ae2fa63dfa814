import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { composeApp } from '../../../src/composition.ts';
import { createSettingsStore } from '../../../src/platform/settings/settings.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { appFetch } from '../../support/app-fetch.ts';
import { SETTINGS } from '../../support/declarations.ts';
import { call } from '../../support/requests.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';

/** The composed service, configured for upstream stubs by variables and settings only. */
const NAMES = ['news', 'community-events', 'streams', 'videos-a', 'videos-b', 'chaos-chest', 'delves', 'game-auth', 'game-sockets'];
const NOW = Math.floor(Date.now() / 1000);
const FEED_JOBS = [
  'news-refresh',
  'community-events-refresh',
  'streams-refresh',
  'videos-a-refresh',
  'videos-b-refresh',
  'chaos-chest-relay',
];

const sessions = Object.fromEntries(NAMES.map((name) => [name, upstreamSession(name)]));
const vars = Object.assign({}, ...Object.values(sessions).map((session) => session.vars)) as Partial<Env>;
const settings: Record<string, unknown> = Object.assign({}, ...Object.values(sessions).map((session) => session.settings));
/** A scheduler tick also runs the game status prober. */
const quick = { game_status_game_hold_seconds: 0.2 };

const compose = (more: object = {}) => composeApp({ ...env, ...vars, ...more } as Env);

async function get(composed: ReturnType<typeof compose>, path: string) {
  const result = await call(path, { now: NOW + 60 }, appFetch(createApp(composed)));
  return JSON.parse(result.text);
}

beforeAll(async () => {
  const repository = createSettingsStore(createDatabase(env.DB), SETTINGS);
  for (const [key, value] of Object.entries({ ...settings, ...quick })) await repository.set({ key, value, now: NOW, userId: null });
});

describe('each feed of the composed service', () => {
  it('is configured by variables and secrets', async () => {
    const states = async (composed: ReturnType<typeof compose>) =>
      Object.fromEntries((await composed.scheduler.status(NOW)).map(({ name, state, schedule }) => [name, `${state}, ${schedule}`]));
    expect(await states(compose())).toMatchObject({
      'news-refresh': 'idle, every 1800 s',
      'community-events-refresh': 'idle, every 900 s',
      'streams-refresh': 'idle, every 300 s',
      'videos-a-refresh': 'idle, every 1200 s',
      'videos-b-refresh': 'idle, every 600 s',
      'chaos-chest-relay': 'idle, every 1800 s',
      'delves-relay': 'idle, hourly on the game day Monday, otherwise daily at 11:00 UTC',
    });
    expect(await states(compose({ STREAMS_CLIENT_SECRET: undefined, VIDEOS_A_API_KEY: undefined, NEWS_FEED_URL: '' }))).toMatchObject({
      'news-refresh': 'unconfigured, every 1800 s',
      'streams-refresh': 'unconfigured, every 300 s',
      'videos-a-refresh': 'unconfigured, every 1200 s',
    });
  });

  it('is filled by the first scheduler tick', async () => {
    const composed = compose();
    await composed.scheduler.tick(NOW);
    const runs = (await composed.scheduler.status(NOW)).filter(({ name }) => FEED_JOBS.includes(name));
    expect(runs.map(({ name, lastSuccessAt, lastError }) => [name, lastSuccessAt, lastError])).toEqual(
      FEED_JOBS.toSorted().map((name) => [name, NOW, null]),
    );
    const paths = ['news', 'streams', 'videos-a', 'videos-b', 'events', 'events/upcoming', 'events/history', 'events/categories'];
    const counts: [string, number][] = [];
    for (const path of paths) counts.push([path, (await get(composed, `/v1/feeds/${path}`)).count]);
    expect(counts).toEqual([
      ['news', 3],
      ['streams', 2],
      ['videos-a', 3],
      ['videos-b', 2],
      ['events', 1],
      ['events/upcoming', 1],
      ['events/history', 1],
      ['events/categories', 3],
    ]);
    expect((await get(composed, '/v1/rotations/chaos-chest')).item.name).toBe('Emberforged Dragon Egg');
  });

  it('is refreshed once per period', async () => {
    const composed = compose();
    const requestCount = async () => (await sessions.streams?.calls())?.filter(({ path }) => path === '/helix/streams').length;
    const before = await requestCount();
    const period = Math.floor(NOW / 300) * 300;
    await composed.scheduler.tick(period + 299);
    expect(await requestCount()).toBe(before);
    await composed.scheduler.tick(period + 300);
    expect(await requestCount()).toBe((before ?? 0) + 1);
  });

  it('returns news in the snapshot on request', async () => {
    const composed = compose();
    const { parts } = await get(composed, '/v1/snapshot?include=news,stampy');
    expect([Object.keys(parts), parts.news]).toEqual([['news', 'stampy'], await get(composed, '/v1/feeds/news')]);
    expect((await get(composed, '/v1/snapshot')).parts.news).toBeUndefined();
  });
});
