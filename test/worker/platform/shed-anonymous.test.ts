import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

const PATH = '/v1/rotations/server-time';

describe('the setting shed_anonymous_requests', () => {
  it('refuses requests without a token before any object is called, and serves requests with a token', async () => {
    const called: string[] = [];
    const counted = new Proxy(env.RATE_LIMITS, {
      get(target, name) {
        called.push(String(name));
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const fetch = testApp({ settings: { shedAnonymousRequests: true }, bindings: { RATE_LIMITS: counted } });
    const refused = await call(PATH, {}, fetch);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    expect(JSON.parse(refused.text).error).toMatchObject({ code: 'rate_limited', hint: expect.stringContaining('token') });
    expect(called).toEqual([]);
    expect((await call(PATH, { authorization: bearer(await createToken()) }, fetch)).status).toBe(200);
    expect((await call('/v1/status', {}, fetch)).status).toBe(200);
  });

  it('is off by default', async () => {
    expect((await call(PATH, {}, testApp({ settings: {} }))).status).toBe(200);
  });
});
