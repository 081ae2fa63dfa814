import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../support/endpoints.ts';
import { call, type TestResponse } from '../../support/requests.ts';
import { expectSafe } from '../../support/safe-responses.ts';
import { bodyOf, emptyFeeds, feedWorld } from '../feeds/world.ts';

/** Rounds of a family: 8, and 400 in `npm run test:long`. */
const ROUNDS = 8 * Number(env.FUZZ_SCALE ?? 1);
const SEED = env.FUZZ_SEED ?? 'hostile';
const LATER = Math.floor(Date.now() / 1000) + 30 * 86_400;
const MAX_ERROR_LENGTH = 600;

const FAMILIES = [
  { upstream: 'news', job: 'news-refresh', path: '/v1/feeds/news', shown: ['/v1/feeds/news?format=csv', '/v1/feeds/news.atom'] },
  {
    upstream: 'community-events',
    job: 'community-events-refresh',
    path: '/v1/feeds/events',
    shown: ['/v1/feeds/events/history', '/v1/feeds/events/upcoming', '/v1/feeds/events/categories', '/v1/feeds/events?format=csv'],
  },
  { upstream: 'streams', job: 'streams-refresh', path: '/v1/feeds/streams', shown: ['/v1/feeds/streams?format=csv'] },
  { upstream: 'videos-a', job: 'videos-a-refresh', path: '/v1/feeds/videos-a', shown: ['/v1/feeds/videos-a?format=csv'] },
  { upstream: 'videos-b', job: 'videos-b-refresh', path: '/v1/feeds/videos-b', shown: ['/v1/feeds/videos-b?format=csv'] },
];
/** Other responses that show entries of feeds; the whole service reads the same storage. */
const WHOLE = ['/', '/v1/rotations/calendar.ics', '/v1/search?q=trove', '/mods'];

describe.each(FAMILIES)('a hostile source of $upstream', ({ upstream, job, path, shown }) => {
  const world = feedWorld({ upstreams: [upstream] });
  let last: TestResponse;
  let fetchedAt = LATER;

  beforeAll(async () => {
    await emptyFeeds();
    expect((await world.run(job, LATER)).error).toBeNull();
    last = await world.get(path, { now: LATER });
  });

  it(`keeps the last good items with their age, and shows texts as texts, in ${ROUNDS} rounds`, { timeout: 600_000 }, async () => {
    let [stored, failed] = [0, 0];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const now = LATER + round * 3600;
      const seed = `${SEED} ${upstream} ${round}`;
      await env.DB.exec('UPDATE upstream_sources SET failures = 0, paused_until = NULL');
      await world.on(upstream).order({ hostile: seed });
      const { error, published } = await world.run(job, now);
      const response = await world.get(path, { now });
      expectSafe(response, seed);
      const { ok } = ENDPOINTS.find(({ spec }) => spec.path === path)?.spec ?? {};
      if (ok && 'schema' in ok) ok.schema.parse(bodyOf(response));
      if (error === null) {
        stored += 1;
        fetchedAt = now;
      } else {
        failed += 1;
        expect(error.length, seed).toBeLessThan(MAX_ERROR_LENGTH);
        expect(error, seed).not.toMatch(/demo-key|demo-secret|token-/);
        expect(published, seed).toEqual([]);
        expect(response.text, seed).toBe(last.text);
      }
      expect(response.headers.get('Age'), seed).toBe(String(now - fetchedAt));
      for (const other of shown) expectSafe(await world.get(other, { now }), `${seed} ${other}`);
      for (const other of WHOLE.slice(0, round % 4 === 1 ? WHOLE.length : 0)) {
        expectSafe(await call(other, { now, address: `10.6.${round % 250}.1` }), `${seed} ${other}`);
      }
      last = response;
    }
    expect(stored + failed).toBe(ROUNDS);
    await world.on(upstream).order({ hostile: null });
    expect((await world.run(job, LATER + (ROUNDS + 1) * 3600)).error).toBeNull();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
