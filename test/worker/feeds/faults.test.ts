import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../support/upstreams/faults.ts';
import { bodyOf, emptyFeeds, feedWorld, NOW } from './world.ts';

interface Feed {
  upstream: string;
  job: string;
  path: string;
  items: number;
  /** The endpoint's body states when the source was read. */
  statesFetch: boolean;
}

const FEEDS: Feed[] = [
  { upstream: 'news', job: 'news-refresh', path: '/v1/feeds/news', items: 3, statesFetch: false },
  { upstream: 'community-events', job: 'community-events-refresh', path: '/v1/feeds/events/history', items: 3, statesFetch: false },
  { upstream: 'streams', job: 'streams-refresh', path: '/v1/feeds/streams', items: 2, statesFetch: true },
  { upstream: 'videos-a', job: 'videos-a-refresh', path: '/v1/feeds/videos-a', items: 3, statesFetch: true },
  { upstream: 'videos-b', job: 'videos-b-refresh', path: '/v1/feeds/videos-b', items: 2, statesFetch: true },
];

const FAULTS: [Fault, RegExp][] = [
  ['error-500', /HTTP 500/],
  ['error-404', /HTTP 404/],
  ['busy-429', /HTTP 429/],
  ['reset', /no answer, or one that broke off/],
  ['timeout', /no whole answer within 0.25 s/],
  ['slow-drip', /no whole answer within 0.25 s/],
  ['truncated', /no answer, or one that broke off/],
  ['html', /not JSON|not well-formed XML|no RSS feed|no results/],
  ['empty', /not JSON|not well-formed XML|no results/],
  ['cut-short', /not JSON|not well-formed XML/],
  ['huge', /larger than \d+ bytes/],
  ['huge-declared', /larger than \d+ bytes/],
  ['invalid-utf8', /not valid text/],
  ['redirect-private', /redirect into a private network|redirect of a request with a body/],
  ['redirect-insecure', /redirect to another host without https|redirect of a request with a body/],
  ['redirect-loop', /more than 5 redirects|redirect of a request with a body/],
];

/** A page that was cut short still has cards on it: this platform's page proves nothing by its end. */
const HARMLESS: Record<string, Fault[]> = { 'videos-b': ['cut-short'] };

/** Instants by which everything in the calendar is over, and every date of the stand-ins is in the past. */
const LATER = Math.floor(Date.now() / 1000) + 30 * 86_400;

beforeEach(emptyFeeds);

describe.each(FEEDS)('$upstream', ({ upstream, job, path, items, statesFetch }) => {
  it('is empty, not an error, before the first success', async () => {
    const world = feedWorld({ upstreams: [upstream] });
    await world.on(upstream).order({ fault: 'error-500' });
    expect((await world.run(job, LATER)).error).toMatch(/HTTP 500/);
    const answer = await world.get(path, { now: LATER });
    expect([answer.status, answer.headers.get('Age')]).toEqual([200, null]);
    expect(bodyOf(answer)).toEqual({ items: [], count: 0, ...(statesFetch ? { fetched_at: null } : {}) });
  });

  it('says that it is not configured, and answers what there is', async () => {
    const world = feedWorld({ upstreams: [] });
    const status = (await world.scheduler.status(NOW)).find(({ name }) => name === job);
    expect([status?.state, status?.nextRunAt]).toEqual(['unconfigured', null]);
    expect((await world.run(job, NOW)).error).toBe('the source is not configured: it lacks an address or a credential');
    expect(bodyOf(await world.get(path)).items).toEqual([]);
  });

  it.each(FAULTS.filter(([fault]) => !HARMLESS[upstream]?.includes(fault)))(
    'keeps the last good answer through %s',
    async (fault, error) => {
      const world = feedWorld({ upstreams: [upstream] });
      expect(await world.run(job, LATER)).toMatchObject({ error: null });
      const good = await world.get(path, { now: LATER + 5 });
      expect(bodyOf(good).items).toHaveLength(items);
      expect(good.headers.get('Age')).toBe('5');

      await world.on(upstream).order({ fault });
      const failed = await world.run(job, LATER + 600);
      expect(failed.error).toMatch(error);
      expect(failed.published).toEqual([]);
      const kept = await world.get(path, { now: LATER + 900 });
      expect([kept.status, kept.headers.get('Age')]).toEqual([200, '900']);
      expect(kept.text).toBe(good.text);
      expect(kept.headers.get('ETag')).toBe(good.headers.get('ETag'));

      await world.on(upstream).order({ fault: null });
      // As a source that wants to be left alone for an hour is found by a run an hour later.
      if (fault === 'busy-429') await emptyPauses();
      expect((await world.run(job, LATER + 1200)).error).toBeNull();
      expect((await world.get(path, { now: LATER + 1200 })).headers.get('Age')).toBe('0');
    },
  );
});

async function emptyPauses(): Promise<void> {
  await env.DB.exec('UPDATE upstream_sources SET paused_until = NULL');
}
