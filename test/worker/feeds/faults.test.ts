import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestResponse } from '../../support/requests.ts';
import type { Fault } from '../../support/upstreams/faults.ts';
import { bodyOf, emptyFeeds, feedWorld, NOW } from './world.ts';

interface Feed {
  upstream: string;
  job: string;
  path: string;
  items: number;
  /** Whether the body contains the time of the last fetch. */
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
  ['reset', /no response, or a truncated one/],
  ['timeout', /no complete response within 0.02 s/],
  ['slow-drip', /no complete response within 0.02 s/],
  ['truncated', /no response, or a truncated one/],
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

const SLOW: Fault[] = ['timeout', 'slow-drip'];

/** Feeds with every fault: requests without a body, and with a body after that of a token. */
const EVERY_FAULT = ['news', 'streams'];

/** Faults of the contents, which each feed parses by itself, and of their size, which each feed limits. */
const OF_CONTENT: Fault[] = ['html', 'empty', 'cut-short', 'huge', 'invalid-utf8'];

/** Faults of a feed. Those of the transport fail in the client of all feeds, so one of them is enough for most feeds. */
const faultsOf = (upstream: string) =>
  FAULTS.filter(([fault]) => EVERY_FAULT.includes(upstream) || fault === 'error-500' || OF_CONTENT.includes(fault)).filter(
    ([fault]) => !HARMLESS[upstream]?.includes(fault),
  );

/** Faults without effect: a truncated page still contains cards. */
const HARMLESS: Record<string, Fault[]> = { 'videos-b': ['cut-short'] };

/** A time after all calendar events and all dates of the upstream stubs. */
const LATER = Math.floor(Date.now() / 1000) + 30 * 86_400;

describe.each(FEEDS)('$upstream', ({ upstream, job, path, items, statesFetch }) => {
  const world = feedWorld({ upstreams: [upstream] });
  let lastGood: TestResponse;

  beforeAll(emptyFeeds);

  it('reports missing configuration and serves stored data', async () => {
    const unconfigured = feedWorld({ upstreams: [] });
    const status = (await unconfigured.scheduler.status(NOW)).find(({ name }) => name === job);
    expect([status?.state, status?.nextRunAt]).toEqual(['unconfigured', null]);
    expect((await unconfigured.run(job, NOW)).error).toBe('source is not configured: URL or credential missing');
    expect(bodyOf(await unconfigured.get(path)).items).toEqual([]);
  });

  it('returns an empty list before the first success', async () => {
    await world.on(upstream).order({ fault: 'error-500' });
    expect((await world.run(job, LATER - 600)).error).toMatch(/HTTP 500/);
    const response = await world.get(path, { now: LATER });
    expect([response.status, response.headers.get('Age')]).toEqual([200, null]);
    expect(bodyOf(response)).toEqual({ items: [], count: 0, ...(statesFetch ? { fetched_at: null } : {}) });
  });

  it('returns items after the first success', async () => {
    await world.on(upstream).order({ fault: null });
    expect(await world.run(job, LATER)).toMatchObject({ error: null });
    lastGood = await world.get(path, { now: LATER + 5 });
    expect(bodyOf(lastGood).items).toHaveLength(items);
    expect(lastGood.headers.get('Age')).toBe('5');
  });

  it.each(faultsOf(upstream))('keeps the last good items during %s', async (fault, error) => {
    // As if the last failure was long ago; backoff is tested with the upstream client.
    await env.DB.exec('UPDATE upstream_sources SET failures = 0, paused_until = NULL');
    await world.on(upstream).order({ fault });
    world.patience.seconds = SLOW.includes(fault) ? 0.02 : 15;
    const failed = await world.run(job, LATER + 600);
    expect(failed.error).toMatch(error);
    expect(failed.published).toEqual([]);
    const afterFault = await world.get(path, { now: LATER + 900 });
    expect([afterFault.status, afterFault.headers.get('Age')]).toEqual([200, '900']);
    expect([afterFault.text, afterFault.headers.get('ETag')]).toEqual([lastGood.text, lastGood.headers.get('ETag')]);
  });

  it('is requested by a manual run during backoff', async () => {
    await world.on(upstream).order({ fault: 'error-500' });
    for (let failure = 0; failure < 6; failure += 1) await world.run(job, LATER + 1000);
    expect((await world.run(job, LATER + 1000)).error).toMatch(/HTTP 500/);
    await world.scheduler.tick(LATER + 3 * 3600);
    expect((await world.scheduler.status(LATER)).find(({ name }) => name === job)?.lastError).toMatch(/paused until/);
    await world.on(upstream).order({ fault: null });
    expect((await world.run(job, LATER + 1100)).error).toBeNull();
  });

  it('recovers after the upstream does', async () => {
    await env.DB.exec('UPDATE upstream_sources SET failures = 0, paused_until = NULL');
    await world.on(upstream).order({ fault: null });
    expect((await world.run(job, LATER + 1200)).error).toBeNull();
    expect((await world.get(path, { now: LATER + 1200 })).headers.get('Age')).toBe('0');
  });
});
