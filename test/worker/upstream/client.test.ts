import { describe, expect, it } from 'vitest';
import { createUpstreamClient, type UpstreamClientDeps, type UpstreamRequest } from '../../../src/platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../src/platform/upstream/upstream-error.ts';
import { eventually } from '../../support/eventually.ts';
import type { Fault } from '../../support/upstreams/faults.ts';
import { memoryStates } from '../../support/upstreams/memory-states.ts';
import { type UpstreamSession, upstreamSession } from '../../support/upstreams/session.ts';

const SOURCE = 'calendar';
const NOW = 1_773_156_630;

function clientFor(session: UpstreamSession, deps: Partial<UpstreamClientDeps> = {}) {
  const states = memoryStates();
  const pauses: number[] = [];
  const clock = { now: NOW };
  const client = createUpstreamClient({
    userAgent: 'test-agent/1.0 (+https://example.com)',
    states,
    random: () => 0.5,
    nowSeconds: () => clock.now,
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    ...deps,
  });
  const url = session.vars.COMMUNITY_EVENTS_URL ?? '';
  const fetchFeed = (request: Partial<UpstreamRequest> = {}) => client.fetch({ source: SOURCE, url, timeoutSeconds: 10, ...request });
  return { client, fetchFeed, states, pauses, clock, url };
}

async function failureOf(work: Promise<unknown>): Promise<UpstreamError> {
  const error = await work.then(
    () => new Error('nothing failed'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UpstreamError)) throw error;
  return error;
}

const calendar = () => upstreamSession('community-events');

describe('upstream client with a healthy upstream', () => {
  it('sends a descriptive User-Agent and reads the whole response', async () => {
    const session = calendar();
    const { fetchFeed, states } = clientFor(session);
    const response = await fetchFeed({ headers: { Accept: 'application/json' } });
    expect(response.status).toBe(200);
    expect(response.json()).toHaveLength(3);
    const [call] = await session.calls();
    expect(call?.headers).toMatchObject({ 'user-agent': 'test-agent/1.0 (+https://example.com)', accept: 'application/json' });
    expect(states.bySource.get(SOURCE)).toMatchObject({ lastSuccessAt: NOW, lastError: null, failures: 0, pausedUntil: null });
  });

  it('follows a redirect within the host', async () => {
    const session = upstreamSession('news');
    const { client } = clientFor(session);
    const response = await client.fetch({ source: 'news', url: session.vars.NEWS_FEED_URL ?? '' });
    expect(response.url).toBe(`${session.vars.NEWS_FEED_URL}/`);
    expect(response.text()).toContain('<rss');
  });
});

describe('conditional upstream request', () => {
  it('uses only validators of a confirmed response', async () => {
    const session = calendar();
    const { fetchFeed } = clientFor(session);
    await fetchFeed({ conditional: true });
    const again = await fetchFeed({ conditional: true });
    expect(again.notModified).toBe(false);
    await again.confirm();
    const third = await fetchFeed({ conditional: true });
    expect([third.status, third.notModified, third.bytes.length]).toEqual([304, true, 0]);
    await session.order({ state: { entries: [] } });
    const changed = await fetchFeed({ conditional: true });
    expect([changed.notModified, changed.json()]).toEqual([false, []]);
  });

  it('does not use validators of another address or another day', async () => {
    const session = calendar();
    const { fetchFeed, clock, url } = clientFor(session);
    await (await fetchFeed({ conditional: true })).confirm();
    expect((await fetchFeed({ conditional: true, url: `${url}?other` })).notModified).toBe(false);
    clock.now += 86_400;
    expect((await fetchFeed({ conditional: true })).notModified).toBe(false);
  });

  it('fails on 304 when the request was not conditional', async () => {
    const session = calendar();
    await session.order({ fault: 'not-modified' });
    expect(await failureOf(clientFor(session).fetchFeed())).toMatchObject({ kind: 'status', status: 304 });
  });
});

const FAILURES: [Fault, Partial<UpstreamError>, number][] = [
  ['error-500', { kind: 'status', status: 500 }, 3],
  ['error-404', { kind: 'status', status: 404, excerpt: '404 page not found\n' }, 1],
  ['busy-429', { kind: 'status', status: 429, retryAfterSeconds: 3600 }, 1],
  ['reset', { kind: 'network' }, 3],
  ['timeout', { kind: 'timeout' }, 3],
  ['slow-drip', { kind: 'timeout' }, 3],
  ['truncated', { kind: 'network' }, 3],
  ['huge', { kind: 'too_large' }, 1],
  ['huge-declared', { kind: 'too_large' }, 1],
  ['redirect-private', { kind: 'redirect' }, 1],
  ['redirect-insecure', { kind: 'redirect' }, 1],
  ['redirect-loop', { kind: 'redirect' }, 1],
];

describe.concurrent('failing upstream', () => {
  it.each(FAILURES)('fails with the expected error and number of attempts for the fault "%s"', async (fault, expected, attempts) => {
    const session = calendar();
    await session.order({ fault });
    // Counted here, because the time limit may end a request that has not reached the mock yet.
    let requests = 0;
    const counted: typeof fetch = (input, init) => {
      requests += 1;
      return fetch(input, init);
    };
    const { fetchFeed, states } = clientFor(session, { fetch: counted });
    const error = await failureOf(fetchFeed({ timeoutSeconds: expected.kind === 'timeout' ? 0.05 : 10 }));
    expect(error).toMatchObject(expected);
    expect(requests).toBe(fault === 'redirect-loop' ? 6 : attempts);
    expect(states.bySource.get(SOURCE)).toMatchObject({ failures: 1, lastFailureAt: NOW, lastError: error.message });
  });

  it.each(['html', 'cut-short', 'empty'] as const)('fails to parse the JSON of the response "%s"', async (fault) => {
    const session = calendar();
    await session.order({ fault });
    const response = await clientFor(session).fetchFeed();
    expect(() => response.json()).toThrow('calendar: response is not JSON');
  });

  it('fails on invalid UTF-8', async () => {
    const session = calendar();
    await session.order({ fault: 'invalid-utf8' });
    const response = await clientFor(session).fetchFeed();
    expect(() => response.text()).toThrow('calendar: response is not valid text');
  });
});

describe('upstream client retries', () => {
  it('retries after a short failure, with growing pauses', async () => {
    const session = calendar();
    await session.order({ fault: 'error-500', times: 2 });
    const { fetchFeed, pauses } = clientFor(session);
    expect((await fetchFeed()).status).toBe(200);
    expect(pauses).toEqual([750, 1500]);
  });

  it('stops when the job has no time left', async () => {
    const session = calendar();
    await session.order({ fault: 'timeout' });
    const { fetchFeed } = clientFor(session);
    const job = new AbortController();
    const failure = failureOf(fetchFeed({ timeoutSeconds: 30, signal: job.signal }));
    await eventually(async () => (await session.calls()).length === 1);
    job.abort(new DOMException('no time left', 'TimeoutError'));
    expect(await failure).toMatchObject({
      kind: 'timeout',
      message: 'calendar: aborted before the response was complete',
    });
    expect(await session.calls()).toHaveLength(1);
  });

  it('pauses a source that keeps failing, then tries once, then resumes', async () => {
    const session = calendar();
    await session.order({ fault: 'error-404' });
    const { fetchFeed, clock } = clientFor(session);
    for (let call = 0; call < 5; call++) await failureOf(fetchFeed());
    expect(await failureOf(fetchFeed())).toMatchObject({ kind: 'paused' });
    expect(await session.calls()).toHaveLength(5);
    expect((await failureOf(fetchFeed({ circuit: false }))).kind).toBe('status');
    clock.now += 60;
    await session.order({ fault: 'error-500' });
    await failureOf(fetchFeed());
    expect(await session.calls()).toHaveLength(7);
    expect((await failureOf(fetchFeed())).kind).toBe('paused');
    clock.now += 900;
    await session.order({ fault: null });
    expect((await fetchFeed()).status).toBe(200);
    await session.order({ fault: 'error-404' });
    expect((await failureOf(fetchFeed())).kind).toBe('status');
  });

  it('waits for the Retry-After of the source', async () => {
    const session = calendar();
    await session.order({ fault: 'busy-429', times: 1 });
    const { fetchFeed, clock } = clientFor(session);
    await failureOf(fetchFeed());
    clock.now += 3599;
    expect((await failureOf(fetchFeed())).kind).toBe('paused');
    clock.now += 1;
    expect((await fetchFeed()).status).toBe(200);
  });

  it('pauses a source on request of the job', async () => {
    const { client, fetchFeed } = clientFor(calendar());
    await client.pause(SOURCE, NOW + 100, 'quota spent');
    expect((await failureOf(fetchFeed())).message).toBe(
      'calendar: paused until 2026-03-10T15:32:10.000Z, last error: calendar: quota spent',
    );
  });
});

describe('upstream request options', () => {
  it('returns accepted status codes, and redirects without following them', async () => {
    const session = calendar();
    const { fetchFeed } = clientFor(session);
    await session.order({ fault: 'error-404', times: 1 });
    expect((await fetchFeed({ accepts: () => true })).text()).toBe('404 page not found\n');
    await session.order({ fault: 'redirect-private', times: 1 });
    const redirect = await fetchFeed({ redirect: 'manual', accepts: () => true });
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([302, 'https://10.0.0.1/inside']);
  });

  it('omits query strings and headers from errors', async () => {
    const session = calendar();
    await session.order({ fault: 'error-404' });
    const { fetchFeed, url } = clientFor(session);
    const error = await failureOf(fetchFeed({ url: `${url}?key=s3cret`, headers: { Authorization: 'Bearer s3cret' } }));
    expect(`${error.message} ${error.stack}`).not.toContain('s3cret');
  });
});
