import { describe, expect, it } from 'vitest';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_718_200_000;
const RESET = 1_718_200_020;

describe('GET /health', () => {
  it('returns 200 without checking credentials or counting against a rate limit', async () => {
    for (const authorization of [null, 'Bearer nonsense', 'Bearer a.b.c']) {
      const response = await call('/health', { authorization });
      expect([response.status, response.text, response.headers.get('X-RateLimit-Limit')]).toEqual([200, '{"status":"ok"}', null]);
    }
  });

  it('returns demo: true when the data is demo data', async () => {
    const fetch = testApp({ bindings: { ENVIRONMENT: 'development', DEMO_DATA: 'on' }, settings: {} });
    expect((await call('/health', {}, fetch)).text).toBe('{"status":"ok","demo":true}');
  });
});

describe('GET /v1/token', () => {
  it('returns the token and its remaining rate limits without counting the request', async () => {
    const secret = await createToken({ scopes: 3, allowedIps: ['10.20.30.0/24', '::1'], expiresAt: NOW + 86_400 });
    const authorization = bearer(secret);
    await call('/v1/rotations/server-time', { authorization, now: NOW });
    await call('/v1/rotations/biomes', { authorization, now: NOW });
    const expected = {
      name: 'test',
      prefix: secret.slice(0, 12),
      scopes: 3,
      scope_names: ['rotations:read', 'feeds:read'],
      expires_at: '2024-06-13T13:46:40.000Z',
      allowed_ip_count: 2,
      budgets: [
        { name: 'token', limit: 120, remaining: 118, reset: RESET, window_seconds: 60 },
        { name: 'codexes', limit: 600, remaining: 600, reset: RESET, window_seconds: 60 },
      ],
    };
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const response = await call('/v1/token', { authorization, now: NOW });
      expect(JSON.parse(response.text)).toEqual(expected);
      expect(response.headers.get('X-RateLimit-Limit')).toBeNull();
      expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
      expect(response.text).not.toContain(secret);
    }
  });

  it('returns scopes 0 without names for every scope, and null for no expiry', async () => {
    const { text } = await call('/v1/token', { authorization: bearer(await createToken()), now: NOW });
    expect(JSON.parse(text)).toMatchObject({ scopes: 0, scope_names: [], expires_at: null, allowed_ip_count: 0 });
  });

  it('returns 200 when the rate limit of the token is used up', async () => {
    const fetch = testApp({ settings: { apiRateLimitMax: 1 } });
    const authorization = bearer(await createToken());
    await call('/v1/rotations/server-time', { authorization, now: NOW }, fetch);
    expect((await call('/v1/rotations/server-time', { authorization, now: NOW }, fetch)).status).toBe(429);
    const { status, text } = await call('/v1/token', { authorization, now: NOW }, fetch);
    expect([status, JSON.parse(text).budgets[0]]).toEqual([
      200,
      { name: 'token', limit: 1, remaining: 0, reset: RESET, window_seconds: 60 },
    ]);
  });

  it('returns 401 without a valid token and 403 from an address outside the allowlist', async () => {
    const limited = bearer(await createToken({ allowedIps: ['198.51.100.7'] }));
    expect((await call('/v1/token')).status).toBe(401);
    expect((await call('/v1/token', { authorization: 'Bearer a.b.c' })).status).toBe(401);
    expect((await call('/v1/token', { authorization: bearer(await createToken({ row: { revoked: true } })) })).status).toBe(401);
    const rejected = await call('/v1/token', { authorization: limited });
    expect([rejected.status, JSON.parse(rejected.text).error.code]).toEqual([403, 'ip_not_allowed']);
    expect((await call('/v1/token', { authorization: limited, address: '198.51.100.7' })).status).toBe(200);
  });

  it('returns 200 for a token with any scope', async () => {
    expect((await call('/v1/token', { authorization: bearer(await createToken({ scopes: 16_384 })) })).status).toBe(200);
  });
});
