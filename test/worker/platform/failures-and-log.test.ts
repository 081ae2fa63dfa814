import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { json } from '../../../src/platform/http/replies/reply.ts';
import { ApiError } from '../../../src/platform/kit/errors/api-error.ts';
import { INTERNAL_ERROR } from '../../support/internal-error.ts';
import { bearer, call } from '../../support/requests.ts';
import { createToken, readToken } from '../../support/tokens.ts';
import { testApp, testEndpoint } from './test-app.ts';

const NOW = 1_773_156_600;
const SECRET = 'the password is hunter2';

describe('request log', () => {
  let lines: string[] = [];

  beforeEach(() => {
    lines = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => {
      lines.push(line);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('writes one JSON line per request with its route but not its path', async () => {
    const fetch = testApp({ settings: {} });
    await call('/docs/nothing', { headers: { 'X-Request-ID': 'one' } }, fetch);
    await call('/v1/nothing/secret-path', { method: 'POST', headers: { 'X-Request-ID': 'two' } }, fetch);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'info', method: 'GET', route: '/docs/{guide}', status: 404, duration_ms: expect.any(Number), request_id: 'one' },
      { level: 'info', method: 'POST', route: '(none)', status: 404, duration_ms: expect.any(Number), request_id: 'two' },
    ]);
  });

  it('names a token by its id and contains no secret, address or query string', async () => {
    const fetch = testApp({ settings: {} });
    const secret = await createToken();
    await call('/v1/rotations/server-time?at=1766660400', { authorization: bearer(secret), now: NOW, address: '203.0.113.77' }, fetch);
    const [line = ''] = lines;
    expect(JSON.parse(line)).toMatchObject({ route: '/v1/rotations/server-time', status: 200, token_id: readToken(secret).id });
    for (const hidden of [secret, secret.slice(4, 20), '203.0.113.77', '1766660400']) expect(line).not.toContain(hidden);
  });

  it('writes no line of a request without a failure when LOG_SAMPLE is 0', async () => {
    const fetch = testApp({ bindings: { LOG_SAMPLE: '0' }, settings: {} });
    await call('/health', {}, fetch);
    await call('/v1/nothing', {}, fetch);
    expect(lines).toEqual([]);
  });

  it('writes a line for the share LOG_SAMPLE of requests, with the share', async () => {
    const draws = [0.24, 0.25, 0.9, 0];
    const fetch = testApp({ bindings: { LOG_SAMPLE: '0.25' }, settings: {}, deps: { random: () => draws.shift() ?? 1 } });
    for (const id of ['one', 'two', 'three', 'four']) await call('/v1/nothing', { headers: { 'X-Request-ID': id } }, fetch);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', sample: 0.25, request_id: 'one' },
      { level: 'info', sample: 0.25, request_id: 'four' },
    ]);
  });

  it('writes a line for each response with status 500 or above, whatever LOG_SAMPLE is', async () => {
    const busy = testEndpoint({ path: '/v1/test/busy' }, () => {
      throw new ApiError('service_unavailable', 'busy');
    });
    const fetch = testApp({ bindings: { LOG_SAMPLE: '0' }, settings: {}, deps: { endpoints: [busy] } });
    await call('/v1/test/busy', { headers: { 'X-Request-ID': 'one' } }, fetch);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', status: 503, request_id: 'one' }]);
  });
});

describe('unexpected failure', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const failing = [
    testEndpoint({ path: '/v1/test/throws' }, () => {
      throw new Error(SECRET);
    }),
    testEndpoint({ path: '/v1/test/rejects' }, async () => {
      await Promise.resolve();
      throw new TypeError(SECRET);
    }),
    testEndpoint({ path: '/v1/test/throws-text' }, () => {
      throw SECRET;
    }),
    testEndpoint({ path: '/v1/test/nothing' }, () => undefined as never),
    testEndpoint({ path: '/v1/test/cycle' }, () => {
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      return json(cycle);
    }),
  ];
  const fetch = testApp({ deps: { endpoints: failing } });

  it.each(failing.map(({ spec }) => spec.path))('returns 500 without internal details at %s', async (path) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = await call(path, { headers: { 'X-Request-ID': 'find-me' } }, fetch);
    expect(response.status).toBe(500);
    expect(JSON.parse(response.text).error).toEqual(INTERNAL_ERROR);
    expect(response.headers.get('X-Request-ID')).toBe('find-me');
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect([...response.headers].join()).not.toContain('hunter2');
    expect(logged).toHaveBeenCalledOnce();
    expect(JSON.parse(String(logged.mock.calls[0]?.[0]))).toMatchObject({ level: 'error', request_id: 'find-me' });
  });

  it('keeps the headers of an ApiError', async () => {
    const busy = testEndpoint({ path: '/v1/test/busy' }, () => {
      throw new ApiError('service_unavailable', 'busy', { headers: { 'Retry-After': '7' }, details: { engines: 0 } });
    });
    const response = await call('/v1/test/busy', {}, testApp({ deps: { endpoints: [busy] } }));
    expect([response.status, response.headers.get('Retry-After'), JSON.parse(response.text).error.details]).toEqual([
      503,
      '7',
      { engines: 0 },
    ]);
  });
});
