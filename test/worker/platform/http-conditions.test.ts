import { describe, expect, it } from 'vitest';
import { publicAccess } from '../../../src/platform/access/policy/policy.ts';
import { json } from '../../../src/platform/http/replies/reply.ts';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp, testEndpoint } from './test-app.ts';

const STRONG = '/v1/rotations/server-time?at=1773156600';
const WEAK = '/v1/rotations/challenge/current';

describe('a precondition of a read', () => {
  it.each(['GET', 'HEAD'])('returns 412 for %s when If-Match names another version', async (method) => {
    const etag = (await call(STRONG)).headers.get('ETag') ?? '';
    const statusFor = async (ifMatch: string) => (await call(STRONG, { method, headers: { 'If-Match': ifMatch } })).status;
    expect(etag).toMatch(/^"/);
    expect([await statusFor(etag), await statusFor('*'), await statusFor('"other"'), await statusFor(`W/${etag}`)]).toEqual([
      200, 200, 412, 412,
    ]);
  });

  it('names the header and returns the current ETag with 412', async () => {
    const response = await call(STRONG, { headers: { 'If-Match': '"other"' } });
    expect(JSON.parse(response.text).error).toMatchObject({ code: 'bad_request', message: 'If-Match does not match the current version' });
    expect(response.headers.get('ETag')).toMatch(/^"/);
  });

  it('fails on a body with a countdown, whose ETag is weak', async () => {
    const { headers } = await call(WEAK);
    expect(headers.get('ETag')).toMatch(/^W\//);
    expect((await call(WEAK, { headers: { 'If-Match': headers.get('ETag') ?? '' } })).status).toBe(412);
  });

  it('does not apply to a response that is an error', async () => {
    const headers = { 'If-Match': '"other"', 'If-None-Match': '*' };
    expect((await call('/v1/rotations/server-time?at=x', { headers })).status).toBe(422);
    const gone = testEndpoint({ path: '/v1/test/gone' }, () => json({ gone: true }, { status: 410 }));
    expect((await call('/v1/test/gone', { headers }, testApp({ deps: { endpoints: [gone] } }))).status).toBe(410);
  });
});

describe('Content-Encoding of a request', () => {
  const send = (encoding: string) =>
    call('/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });

  it.each(['gzip', 'br', 'zstd', 'gzip, identity', 'GZIP'])('returns 415 with Accept-Encoding for %s', async (encoding) => {
    const response = await send(encoding);
    expect([response.status, response.headers.get('Accept-Encoding')]).toEqual([415, 'identity']);
    expect(JSON.parse(response.text).error.message).toBe('Content-Encoding must be absent or identity');
  });

  it('accepts identity', async () => {
    expect((await send('Identity')).status).toBe(200);
  });
});

describe('Token-Ignored', () => {
  it.each<[string, string | null]>([
    ['Basic dXNlcjpwYXNz', 'scheme'],
    ['Token abc', 'scheme'],
    ['gda_0123456789abcdef', 'scheme'],
    ['', null],
    ['Bearer ', null],
  ])('is the header of a public response for Authorization: %s', async (authorization, expected) => {
    const plain = await call(STRONG);
    const response = await call(STRONG, { headers: { Authorization: authorization } });
    expect([response.status, response.headers.get('Token-Ignored')]).toEqual([200, expected]);
    for (const name of ['ETag', 'Cache-Control', 'Vary'])
      expect([name, response.headers.get(name)]).toEqual([name, plain.headers.get(name)]);
    expect(response.text).toBe(plain.text);
    expect(response.headers.get('Access-Control-Expose-Headers')).toContain('Token-Ignored');
  });

  it('is absent with a valid token, and where a token is required', async () => {
    expect((await call(STRONG, { authorization: bearer(await createToken()) })).headers.get('Token-Ignored')).toBeNull();
    const refused = await call('/v1/market/listings', { headers: { Authorization: 'Basic abc' } });
    expect([refused.status, refused.headers.get('Token-Ignored')]).toEqual([401, null]);
  });
});

describe('Cross-Origin-Resource-Policy', () => {
  it('allows pages of other origins to embed every public response, and not the portal', async () => {
    for (const path of [STRONG, '/v1/nothing', '/v1/misc/badge/game-status.svg', '/favicon.ico', '/og/front.png']) {
      expect([path, (await call(path)).headers.get('Cross-Origin-Resource-Policy')]).toEqual([path, 'cross-origin']);
    }
    for (const path of ['/portal/login', '/auth/me']) {
      expect([path, (await call(path)).headers.get('Cross-Origin-Resource-Policy')]).toEqual([path, null]);
    }
  });
});

describe('the hint of an unknown path', () => {
  it.each(['/v1/market/nope', '/v1/market/rest', '/v1/market/inser', '/v1/rotations/challenge/insrt'])(
    'names no path that changes something: %s',
    async (path) => {
      const { hint } = JSON.parse((await call(path)).text).error;
      expect(hint).not.toMatch(/reset|insert|delete/);
    },
  );

  it('names a path that only reads', async () => {
    expect(JSON.parse((await call('/v1/rotations/server-tim')).text).error.hint).toBe('did you mean /v1/rotations/server-time?');
  });
});

describe('a response that depends on the token', () => {
  it('is private where the route says so', async () => {
    const endpoint = (dependsOnToken: boolean) =>
      testEndpoint({ path: '/v1/test/depends', access: publicAccess('codexes:read'), dependsOnToken }, () => json({ a: 1 }));
    const cacheControl = async (depends: boolean) =>
      (await call('/v1/test/depends', {}, testApp({ deps: { endpoints: [endpoint(depends)] } }))).headers.get('Cache-Control');
    expect([await cacheControl(true), await cacheControl(false)]).toEqual(['private, no-cache', 'public, no-cache']);
  });
});
