import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkedBaseUrl, checkPathParameters, createSend, type SendOptions } from '../../../clients/typescript/src/send.ts';
import { wait } from '../../../clients/typescript/src/wait.ts';
import { randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';

const URL_OF_LIST = 'https://api.example.com/v1/market/items';
const CACHED = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=0' };

/** Sends requests to a list of responses, and keeps what was sent. */
function client(responses: ((request: Request) => Response | Promise<Response>)[], options: Partial<SendOptions> = {}) {
  const sent: Request[] = [];
  const { send, rateLimits } = createSend(async (request) => {
    sent.push(request);
    const respond = responses.shift();
    if (!respond) throw new Error('one request too many');
    return respond(request);
  }, options);
  return { sent, rateLimits, get: (headers: Record<string, string> = {}, url = URL_OF_LIST) => send(new Request(url, { headers })), send };
}

const version = (tag: string, text = tag, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(text), { headers: { ...CACHED, ETag: `"${tag}"`, ...headers } });
const notModified = (tag: string) => new Response(null, { status: 304, headers: { ETag: `"${tag}"` } });
const inProgress = (retryAfter = '1') =>
  Response.json({ error: { code: 'conflict', details: { in_progress: true } } }, { status: 409, headers: { 'Retry-After': retryAfter } });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs all timers until the promise settles. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  let isDone = false;
  const end = promise.finally(() => {
    isDone = true;
  });
  end.catch(() => {});
  while (!isDone) await vi.advanceTimersToNextTimerAsync();
  return end;
}

describe('the response cache', () => {
  it('returns the stored body of a 304 although another response displaced it during the request', async () => {
    const large = 'x'.repeat(90);
    const responses: (() => Response | Promise<Response>)[] = [() => version('a', large)];
    const api = client(responses, { cacheBytes: 400 });
    await api.get();
    responses.push(async () => {
      responses.push(...Array.from({ length: 4 }, (_, index) => () => version(`other${index}`, large)));
      for (let index = 0; index < 4; index += 1) await api.get({}, `${URL_OF_LIST}?offset=${index}`);
      return notModified('a');
    });
    const response = await api.get();
    expect([response.status, await response.json()]).toEqual([200, large]);
  });

  it('returns the version whose ETag was sent although a newer one was stored during the request', async () => {
    const responses: (() => Response | Promise<Response>)[] = [() => version('a')];
    const api = client(responses);
    await api.get();
    responses.push(async () => {
      responses.push(() => version('b'));
      await api.get();
      return notModified('a');
    });
    const response = await api.get();
    expect([response.headers.get('ETag'), await response.json()]).toEqual(['"a"', 'a']);
  });

  it.each([
    ['Range', 'bytes=5-'],
    ['If-None-Match', '"mine"'],
    ['If-Match', '"mine"'],
    ['If-Modified-Since', 'Mon, 02 Mar 2026 11:00:00 GMT'],
    ['Cache-Control', 'no-cache'],
  ])('is bypassed by a request with %s', async (name, value) => {
    const api = client([() => version('a', 'whole', { 'Cache-Control': 'max-age=60' }), () => new Response('part', { status: 206 })]);
    await api.get();
    const response = await api.get({ [name]: value });
    expect([response.status, await response.text()]).toEqual([206, 'part']);
    expect([api.sent[1]?.headers.get(name), api.sent[1]?.headers.get('If-None-Match')]).toEqual([
      value,
      name === 'If-None-Match' ? value : null,
    ]);
  });

  it('returns the 304 of a request with its own If-None-Match', async () => {
    const api = client([() => version('a'), () => notModified('a')]);
    await api.get();
    expect((await api.get({ 'If-None-Match': '"a"' })).status).toBe(304);
  });

  it('rejects an aborted request although its response is stored', async () => {
    const api = client([() => version('a', 'a', { 'Cache-Control': 'max-age=60' })]);
    await api.get();
    await expect(api.send(new Request(URL_OF_LIST, { signal: AbortSignal.abort(new Error('stopped')) }))).rejects.toThrow('stopped');
  });
});

describe('a retry', () => {
  const write = (headers: Record<string, string>) =>
    new Request('https://api.example.com/v1/giveaways', { method: 'POST', headers, body: '{"name":"a"}' });
  const KEY = { 'Idempotency-Key': 'a' };
  const running = (count: number) => Array.from({ length: count }, () => () => inProgress());

  it('waits for the response of a write with the same key that is still running, longer than the number of retries', async () => {
    const api = client([...running(7), async (request) => new Response(await request.text())], { retries: 3 });
    const response = await settled(api.send(write(KEY)));
    expect([response.status, await response.text(), api.sent.length]).toEqual([200, '{"name":"a"}', 8]);
  });

  it('returns the 409 of a running write after the maximum wait, without a key, and without retries', async () => {
    const patient = client(running(20), { maxWaitMs: 5000 });
    expect([(await settled(patient.send(write(KEY)))).status, patient.sent.length]).toEqual([409, 6]);
    const withoutKey = client(running(20));
    expect([(await settled(withoutKey.send(write({})))).status, withoutKey.sent.length]).toEqual([409, 1]);
    const withoutRetries = client(running(20), { retries: 0 });
    expect([(await settled(withoutRetries.send(write(KEY)))).status, withoutRetries.sent.length]).toEqual([409, 1]);
  });

  it('is made when a JSON body ends early or never', async () => {
    const json = { headers: { 'Content-Type': 'application/json' } };
    const silent = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"a":')) });
    const api = client([() => new Response('{"a":', json), () => new Response(silent, json), () => new Response('{"a":1}', json)]);
    const response = await settled(api.get());
    expect([await response.json(), api.sent.length]).toEqual([{ a: 1 }, 3]);
  });

  it('is not made after a 409 for another reason, whose body stays readable', async () => {
    const api = client([() => Response.json({ error: { code: 'conflict', message: 'exists' } }, { status: 409 })]);
    const response = await settled(api.send(write(KEY)));
    expect([response.status, await response.json()]).toMatchObject([409, { error: { message: 'exists' } }]);
  });

  it('is not made when the write was aborted during the wait', async () => {
    const abort = new AbortController();
    const api = client(running(20));
    const sending = api.send(new Request(write(KEY), { signal: abort.signal }));
    sending.catch(() => {});
    await vi.advanceTimersByTimeAsync(1500);
    abort.abort(new Error('stopped'));
    await expect(sending).rejects.toThrow('stopped');
    expect(api.sent).toHaveLength(2);
  });
});

describe('rateLimits', () => {
  it('has the limit of the policy with the name of the rate limit', async () => {
    const api = client([
      () =>
        new Response('', {
          headers: { RateLimit: '"token";r=5;t=30, "images";r=1;t=60', 'RateLimit-Policy': '"images";q=10;w=60, "token";q=120;w=90' },
        }),
    ]);
    await api.get();
    expect(api.rateLimits.get('token')).toMatchObject({ limit: 120, remaining: 5, windowMs: 90_000 });
  });

  it('leaves out a rate limit without a window', async () => {
    const headers = { RateLimit: '"token";r=0;t=0, "images";r=1;t=60', 'RateLimit-Policy': '"token";q=1;w=0, "images";q=10;w=60' };
    const api = client(Array.from({ length: 3 }, () => () => new Response('', { headers })));
    for (let index = 0; index < 3; index += 1) expect((await settled(api.get())).status).toBe(200);
    expect([...api.rateLimits.keys()]).toEqual(['images']);
  });

  it.each([1, 2, 3, 4, 5])('is never exceeded by requests at once, also at the end of a window (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const someTime = () => wait(1 + randomBelow(random, 400));
    const [limit, seconds] = [20, 10];
    const counts = new Map<number, number>();
    /** A service that counts a request by aligned windows, some time after it was sent and before its response arrives. */
    async function count() {
      await someTime();
      const now = Math.floor(Number(vi.getMockedSystemTime()) / 1000);
      const window = Math.floor(now / seconds);
      const used = (counts.get(window) ?? 0) + 1;
      counts.set(window, used);
      const headers = {
        RateLimit: `"anon";r=${Math.max(0, limit - used)};t=${(window + 1) * seconds - now}`,
        'RateLimit-Policy': `"anon";q=${limit};w=${seconds}`,
      };
      await someTime();
      return new Response('', { headers });
    }
    vi.setSystemTime(9_300);
    const api = client(Array.from({ length: 101 }, () => count));
    const readTwenty = async () => {
      for (let index = 0; index < 20; index += 1) await api.get();
    };
    await settled(api.get());
    await settled(Promise.all(Array.from({ length: 5 }, readTwenty)));
    expect(Math.max(...counts.values())).toBe(limit);
    expect(counts.size, 'no window is left unused').toBeLessThanOrEqual(7);
  });
});

describe('checkedBaseUrl', () => {
  it('returns an http or https URL without trailing slashes', () => {
    expect(['https://api.example.com//', 'http://127.0.0.1:8787/game/'].map(checkedBaseUrl)).toEqual([
      'https://api.example.com',
      'http://127.0.0.1:8787/game',
    ]);
  });

  it.each([
    '',
    'api.example.com',
    '/v1',
    'ftp://a.example',
    'file:///etc/passwd',
    'https://u:p@a.example',
    'https://a.example?b',
    'http://a b',
  ])('throws for "%s"', (url) => {
    expect(() => checkedBaseUrl(url)).toThrow(TypeError);
  });
});

describe('checkPathParameters', () => {
  it('throws for values that lead to another path', () => {
    expect(() => checkPathParameters({ type: 'mount', name: 'a.b', uuid: 0, dots: '...' })).not.toThrow();
    for (const name of ['', '.', '..']) expect(() => checkPathParameters({ name }), name).toThrow(`path.name must not be "${name}"`);
  });
});
