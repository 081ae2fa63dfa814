import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { json } from '../../../src/platform/http/replies/reply.ts';
import { call, type TestResponse } from '../../support/requests.ts';
import { testApp, testEndpoint } from './test-app.ts';

function codeOf({ text }: TestResponse): string {
  return JSON.parse(text).error.code;
}

describe('request path', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1/rotations',
    '/v1/rotations/',
    '/v1/rotations/server-time/',
    '/V1/rotations/server-time',
    '/v2/rotations/server-time',
    '//v1/rotations/server-time',
    '/v1/rotations/nothing',
    '/apple-touch-icon.png',
  ])('returns 404 in the error envelope for %s', async (path) => {
    const response = await call(`https://api.test${path}`);
    expect([response.status, codeOf(response)]).toEqual([404, 'not_found']);
  });

  it.each([
    '/v1/%',
    '/v1/%zz',
    '/%E0%A4%A',
    '/v1/rotations/%ff',
    '/docs/%',
    '/docs/%zz',
    '/docs/%E0%A4%A',
    '/docs/a%2Fb',
    '/docs/assets/%c0%af',
  ])('returns 404 for malformed or unusual percent-encoding: %s', async (path) => {
    const response = await call(path);
    expect([response.status, codeOf(response)]).toEqual([404, 'not_found']);
  });

  it('returns 422 when a path parameter contains U+0000', async () => {
    const response = await call('/docs/%00');
    expect([response.status, codeOf(response)]).toEqual([422, 'validation_error']);
  });

  it('accepts percent-encoding of characters that do not need it', async () => {
    expect((await call('/v1/rotations/server%2Dtime')).status).toBe(200);
    expect((await call('/v1/rot%61tions/server-time')).status).toBe(200);
  });

  it('passes malformed percent-encoding to a path parameter as text', async () => {
    const echo = testEndpoint({ path: '/v1/test/{name}', params: z.object({ name: z.string() }) }, (input) =>
      json((input as unknown as { params: { name: string } }).params),
    );
    const fetch = testApp({ deps: { endpoints: [echo] } });
    const nameIn = async (path: string) => JSON.parse((await call(path, {}, fetch)).text).name;
    expect(await nameIn('/v1/test/a%20b%2Fc')).toBe('a b/c');
    expect(await nameIn('/v1/test/%zz')).toBe('%zz');
    expect(await nameIn('/v1/test/%E0%A4%A')).toBe('%E0%A4%A');
    expect(await nameIn('/v1/test/caf%C3%A9')).toBe('café');
  });
});

describe('request method', () => {
  it.each([
    ['DELETE', '/v1/rotations/server-time', 'HEAD, GET, OPTIONS'],
    ['POST', '/v1/rotations/calendar', 'HEAD, GET, OPTIONS'],
    ['PUT', '/health', 'HEAD, GET, OPTIONS'],
    ['GET', '/v1/rotations/challenge/insert', 'POST, OPTIONS'],
    ['HEAD', '/v1/rotations/challenge/insert', 'POST, OPTIONS'],
    ['PATCH', '/docs', 'HEAD, GET, OPTIONS'],
    ['PROPFIND', '/health', 'HEAD, GET, OPTIONS'],
  ])('returns 405 with the allowed methods for %s %s', async (method, path, allow) => {
    const response = await call(path, { method });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, allow]);
    if (method !== 'HEAD') {
      expect(JSON.parse(response.text).error).toMatchObject({ code: 'method_not_allowed', details: { allowed: allow.split(', ') } });
    }
  });

  it('returns 404, not 405, for a path that is switched off', async () => {
    const fetch = testApp({ settings: {} });
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      expect((await call('/v1/rotations/delves', { method }, fetch)).status).toBe(404);
    }
  });

  it('returns the headers of GET without the body for HEAD', async () => {
    for (const path of [
      '/v1/rotations/server-time?at=1773156600',
      '/v1/rotations/calendar.ics?at=1773156600',
      '/health',
      '/llms.txt',
      '/docs',
    ]) {
      const get = await call(path, { address: '192.0.2.70', now: 1_773_156_600 });
      const head = await call(path, { method: 'HEAD', address: '192.0.2.71', now: 1_773_156_600 });
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['ETag', 'Cache-Control', 'Content-Type', 'X-RateLimit-Remaining', 'Content-Disposition']) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      }
    }
  });

  it('returns errors and 304 for HEAD', async () => {
    const at = '/v1/rotations/server-time?at=1773156600';
    const etag = (await call(at)).headers.get('ETag') ?? '';
    expect((await call('/v1/nothing', { method: 'HEAD' })).status).toBe(404);
    expect((await call('/v1/rotations/server-time?at=x', { method: 'HEAD' })).status).toBe(422);
    expect((await call(at, { method: 'HEAD', headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});

describe('response stream without a reader', () => {
  const state = { cancelled: 0 };
  const streaming = testEndpoint({ path: '/v1/test/stream' }, () => ({
    kind: 'raw',
    body: new ReadableStream({
      cancel() {
        state.cancelled += 1;
      },
    }),
    contentType: 'text/plain',
    etag: '"stream"',
  }));
  const fetch = testApp({ deps: { endpoints: [streaming] } });

  it('is cancelled for 304 and for HEAD', async () => {
    expect((await call('/v1/test/stream', { headers: { 'If-None-Match': '"stream"' } }, fetch)).status).toBe(304);
    expect(state.cancelled).toBe(1);
    expect((await call('/v1/test/stream', { method: 'HEAD' }, fetch)).status).toBe(200);
    expect(state.cancelled).toBe(2);
  });
});

describe('CORS and security headers', () => {
  const origin = { Origin: 'https://site.test' };

  it('returns a preflight response with a request id for any path, without rate limits', async () => {
    const response = await call('/v1/rotations/challenge/insert', {
      method: 'OPTIONS',
      headers: { ...origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization,content-type' },
    });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(response.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    expect(response.headers.get('Access-Control-Allow-Headers')?.toLowerCase().split(', ')).toEqual(
      expect.arrayContaining([
        ...['authorization', 'content-type', 'idempotency-key', 'last-event-id', 'x-request-id', 'user-agent'],
        ...['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range', 'range'],
        ...['cache-control', 'pragma', 'x-requested-with', 'traceparent', 'tracestate', 'baggage', 'sentry-trace'],
        ...['mcp-protocol-version', 'mcp-session-id'],
      ]),
    );
    expect(Number(response.headers.get('Access-Control-Max-Age'))).toBeGreaterThan(0);
    expect(response.headers.get('X-Request-ID')).toBeTruthy();
    expect(response.headers.get('X-RateLimit-Limit')).toBeNull();
  });

  it('exposes every header to browsers, on errors and on 304', async () => {
    const path = '/v1/rotations/server-time?at=1773156600';
    const etag = (await call(path)).headers.get('ETag') ?? '';
    const responses = [
      await call(path, { headers: origin }),
      await call(path, { headers: { ...origin, 'If-None-Match': etag } }),
      await call('/v1/nothing', { headers: origin }),
      await call(path, { headers: origin, authorization: 'Bearer x' }),
      await call(path, { method: 'PUT', headers: origin }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 304, 404, 401, 405]);
    const promised = [
      'X-Request-ID',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'ETag',
      'Link',
      'Deprecation',
      'Sunset',
      'Content-Range',
      'Content-Disposition',
      'Allow',
      'WWW-Authenticate',
      'Idempotent-Replay',
      'Unknown-Parameters',
    ];
    for (const { headers } of responses) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Expose-Headers')?.split(', ')).toEqual(expect.arrayContaining(promised));
    }
  });

  it('sends the same security headers on every response', async () => {
    for (const path of ['/health', '/v1/nothing', '/v1/rotations/server-time', '/docs', '/openapi.json']) {
      const { headers } = await call(path);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
      expect(headers.get('Permissions-Policy')).toBe('geolocation=(), microphone=(), camera=()');
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('Content-Security-Policy')).not.toContain('unsafe');
      expect(headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
