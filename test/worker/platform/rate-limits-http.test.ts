import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codexesRateLimit } from '../../../src/areas/codexes/codexes.settings.ts';
import type { RateLimitObject } from '../../../src/platform/access/limits/rate-limit.object.ts';
import { type Access, publicAccess, STANDARD_GROUP, tokenAccess } from '../../../src/platform/access/policy/policy.ts';
import { hashToken } from '../../../src/platform/access/tokens/token-format.ts';
import type { TokenGateObject } from '../../../src/platform/access/tokens/token-gate.object.ts';
import type { Endpoint } from '../../../src/platform/http/pipeline/define-route.ts';
import { badRequest } from '../../../src/platform/kit/errors/api-error.ts';
import { countedObjects } from '../../support/counted-objects.ts';
import { bearer, call, type Fetch, FIRST_INSTANT, ORIGIN, type TestResponse } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp, testEndpoint } from './test-app.ts';

const PATH = '/v1/rotations/server-time';
/** 2024-06-12 13:46:40 UTC, 40 s into its minute: the worked example. */
const NOW = 1_718_200_000;
const RESET = 1_718_200_020;

/** An endpoint that is counted and then refuses the request. */
function refusing(name: string, access: Access): Endpoint {
  return testEndpoint({ path: `/v1/test/${name}`, access }, () => {
    throw badRequest('counted all the same');
  });
}

const rotations = refusing('rotations', publicAccess('rotations:read'));
const feeds = refusing('feeds', publicAccess('feeds:read'));
const codexes = refusing('codexes', publicAccess('codexes:read', codexesRateLimit));

const rateHeadersOf = ({ headers }: TestResponse) =>
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'].map((name) => headers.get(name));

async function repeat(times: number, path: string, options: Parameters<typeof call>[1], fetch?: Fetch): Promise<TestResponse[]> {
  return Promise.all(Array.from({ length: times }, () => call(path, options, fetch)));
}

const countOf = (responses: readonly TestResponse[], status: number) => responses.filter((response) => response.status === status).length;

afterEach(() => {
  vi.useRealTimers();
});

describe('anonymous rate limit', () => {
  it('sends both header forms on every counted response', async () => {
    const first = await call(PATH, { address: '192.0.2.1', now: NOW });
    expect(first.status).toBe(200);
    expect(rateHeadersOf(first)).toEqual(['30', '29', String(RESET), '"anon";q=30;w=60', '"anon";r=29;t=20']);
    const second = await call('/v1/rotations/biomes', { address: '192.0.2.1', now: NOW + 1 });
    expect(rateHeadersOf(second)).toEqual(['30', '28', String(RESET), '"anon";q=30;w=60', '"anon";r=28;t=19']);
  });

  it('returns 429 with Retry-After and the current limit for the 31st request', async () => {
    await repeat(30, PATH, { address: '192.0.2.2', now: NOW });
    const refused = await call(PATH, { address: '192.0.2.2', now: NOW });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('20');
    expect(rateHeadersOf(refused)).toEqual(['30', '0', String(RESET), '"anon";q=30;w=60', '"anon";r=0;t=20']);
    expect(JSON.parse(refused.text)).toEqual({
      error: {
        code: 'rate_limited',
        message: 'more than 30 requests in 60 seconds',
        details: { limit: 30, window_seconds: 60 },
        hint: 'wait 20 seconds, or use a free API token from the developer portal, which has a higher limit',
        doc_url: `${ORIGIN}/docs/errors#rate_limited`,
      },
    });
    expect(refused.headers.get('Cache-Control')).toBe('no-store');
    const last = await call(PATH, { address: '192.0.2.2', now: RESET - 1 });
    expect([last.status, last.headers.get('Retry-After')]).toEqual([429, '1']);
    expect((await call(PATH, { address: '192.0.2.2', now: RESET })).status).toBe(200);
  });

  it('admits exactly 30 of 100 concurrent requests', async () => {
    const responses = await repeat(100, PATH, { address: '192.0.2.3', now: NOW });
    expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([30, 70]);
    const remaining = responses.filter(({ status }) => status === 200).map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  it('is counted per address', async () => {
    await call(PATH, { address: '192.0.2.4', now: NOW });
    expect((await call(PATH, { address: '192.0.2.5', now: NOW })).headers.get('X-RateLimit-Remaining')).toBe('29');
  });

  it('is shared by the addresses of an IPv6 /64 network in any notation', async () => {
    const remaining = async (address: string) => (await call(PATH, { address, now: NOW })).headers.get('X-RateLimit-Remaining');
    expect(await remaining('2001:db8:1:2::1')).toBe('29');
    expect(await remaining('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe('28');
    expect(await remaining('2001:0DB8:0001:0002:0:0:0:9')).toBe('27');
    expect(await remaining('2001:db8:1:3::1')).toBe('29');
    expect(await remaining('192.0.2.6')).toBe('29');
    expect(await remaining('::ffff:192.0.2.6')).toBe('28');
  });

  it('is capped for the /48 of an IPv6 client at 20 times that of a /64', async () => {
    const fetch = testApp({ settings: { publicAnonRateLimitMax: 2 } });
    const send = (network: number) => call(PATH, { address: `2001:db8:48:${network.toString(16)}::1`, now: NOW }, fetch);
    for (let network = 0; network < 40; network += 1) {
      const { status, headers } = await send(network);
      expect([status, headers.get('X-RateLimit-Remaining')]).toEqual([200, '1']);
    }
    const refused = await send(40);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '20']);
    expect(rateHeadersOf(refused)).toEqual(['40', '0', String(RESET), '"anon-network";q=40;w=60', '"anon-network";r=0;t=20']);
    expect((await call(PATH, { address: '2001:db8:49::1', now: NOW }, fetch)).status).toBe(200);
  });

  it('sends one RPC for an IPv6 client, as for an IPv4 client', async () => {
    const { names, counted } = countedObjects(env.RATE_LIMITS);
    const fetch = testApp({ bindings: { RATE_LIMITS: counted } });
    await call(PATH, { address: '2001:db8:50:1::1', now: NOW }, fetch);
    expect(names).toEqual([expect.stringMatching(/^anon:none:[0-3]$/)]);
  });

  it('is shared by all clients with a missing or invalid address', async () => {
    const at = NOW + 600;
    expect((await call(PATH, { address: null, now: at })).headers.get('X-RateLimit-Remaining')).toBe('29');
    expect((await call(PATH, { address: 'nowhere', now: at })).headers.get('X-RateLimit-Remaining')).toBe('28');
    expect(
      (await call(PATH, { address: null, now: at, headers: { 'X-Forwarded-For': '192.0.2.7' } })).headers.get('X-RateLimit-Remaining'),
    ).toBe('27');
  });

  it('counts the windows of different clocks separately', async () => {
    await repeat(31, PATH, { address: '192.0.2.8', now: NOW });
    for (const now of [NOW - 60, NOW + 60, NOW + 86_400, NOW - 86_400]) {
      expect((await call(PATH, { address: '192.0.2.8', now })).headers.get('X-RateLimit-Remaining')).toBe('29');
    }
    expect((await call(PATH, { address: '192.0.2.8', now: NOW })).status).toBe(429);
  });

  it('is charged for errors, 304 and HEAD', async () => {
    const options = { address: '192.0.2.9', now: NOW };
    const etag = (await call(PATH, options)).headers.get('ETag') ?? '';
    const responses = [
      await call(`${PATH}?at=x`, options),
      await call(PATH, { ...options, headers: { 'If-None-Match': etag } }),
      await call(PATH, { ...options, method: 'HEAD' }),
      await call('/v1/rotations/chaos-chest/history?cursor=x', options),
    ];
    expect(responses.map(({ status, headers }) => [status, headers.get('X-RateLimit-Remaining')])).toEqual([
      [422, '28'],
      [304, '27'],
      [200, '26'],
      [400, '25'],
    ]);
  });

  it('is neither charged nor shown for requests that fail before the rate limit applies', async () => {
    const options = { address: '192.0.2.10', now: NOW };
    const responses = [
      await call('/v1/nothing', options),
      await call(PATH, { ...options, method: 'DELETE' }),
      await call(PATH, { ...options, authorization: 'Bearer nonsense' }),
      await call('/v1/rotations/delves', options),
      await call('/health', options),
      await call('/openapi.json', options),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 405, 401, 404, 200, 200]);
    for (const response of responses) expect(rateHeadersOf(response)).toEqual([null, null, null, null, null]);
    expect((await call(PATH, options)).headers.get('X-RateLimit-Remaining')).toBe('29');
  });
});

describe('blocked address', () => {
  it('is refused from memory without requests to the object', async () => {
    const { names, counted } = countedObjects(env.RATE_LIMITS);
    const fetch = testApp({ bindings: { RATE_LIMITS: counted } });
    const options = { address: '192.0.2.20', now: NOW };
    for (let request = 0; request < 31; request += 1) await call(PATH, options, fetch);
    expect(names).toHaveLength(31);
    const flood = await repeat(200, PATH, options, fetch);
    expect(countOf(flood, 429)).toBe(200);
    expect(new Set(flood.map(({ headers }) => headers.get('Retry-After')))).toEqual(new Set(['20']));
    expect(names).toHaveLength(31);
  });

  it('is admitted at once when the limit is raised within the window', async () => {
    const options = { address: '192.0.2.21', now: NOW };
    const before = testApp({ settings: { publicAnonRateLimitMax: 2 } });
    expect((await repeat(3, PATH, options, before)).map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    const raised = testApp({ settings: { publicAnonRateLimitMax: 4 } });
    const response = await call(PATH, options, raised);
    expect(rateHeadersOf(response).slice(0, 2)).toEqual(['4', '1']);
    const lowered = testApp({ settings: { publicAnonRateLimitMax: 2 } });
    expect((await call(PATH, options, lowered)).status).toBe(429);
  });
});

describe('token rate limit', () => {
  it('is counted per token from any address', async () => {
    const authorization = bearer(await createToken());
    const first = await call(PATH, { authorization, address: '192.0.2.30', now: NOW });
    expect(rateHeadersOf(first)).toEqual(['120', '119', String(RESET), '"token";q=120;w=60', '"token";r=119;t=20']);
    const second = await call(PATH, { authorization, address: '192.0.2.31', now: NOW });
    expect(second.headers.get('X-RateLimit-Remaining')).toBe('118');
  });

  it('admits exactly its limit of concurrent requests and starts again with the next window', async () => {
    const authorization = bearer(await createToken());
    const fetch = testApp({ settings: { apiRateLimitMax: 20 } });
    const responses = await repeat(60, PATH, { authorization, now: NOW }, fetch);
    expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([20, 40]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.headers.get('Retry-After')).toBe('20');
    expect((await call(PATH, { authorization, now: RESET }, fetch)).headers.get('X-RateLimit-Remaining')).toBe('19');
  });

  it('does not affect the anonymous limit of the address', async () => {
    await call(PATH, { authorization: bearer(await createToken()), address: '192.0.2.32', now: NOW });
    expect((await call(PATH, { address: '192.0.2.32', now: NOW })).headers.get('X-RateLimit-Remaining')).toBe('29');
  });

  it('is not charged for a token without the scope, which counts for its address', async () => {
    const authorization = bearer(await createToken({ scopes: 2 }));
    const response = await call(PATH, { authorization, address: '192.0.2.33', now: NOW });
    expect(rateHeadersOf(response).slice(0, 4)).toEqual(['30', '29', String(RESET), '"anon";q=30;w=60']);
  });
});

describe('blocked token', () => {
  it('is refused from memory for one second at a time without requests to the object', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { names, counted } = countedObjects(env.TOKEN_GATES);
    const fetch = testApp({ bindings: { TOKEN_GATES: counted }, settings: { apiRateLimitMax: 1 } });
    const options = { authorization: bearer(await createToken()), now: NOW };
    expect((await call(PATH, options, fetch)).status).toBe(200);
    expect((await call(PATH, options, fetch)).status).toBe(429);
    expect(countOf(await repeat(50, PATH, options, fetch), 429)).toBe(50);
    expect(names).toHaveLength(2);
    vi.setSystemTime(Date.now() + 1000);
    expect((await call(PATH, options, fetch)).status).toBe(429);
    expect(names).toHaveLength(3);
  });

  it('is refused only on endpoints that charge its rate limit', async () => {
    const fetch = testApp({ settings: { apiRateLimitMax: 1 }, deps: { endpoints: [rotations, feeds] } });
    const authorization = bearer(await createToken({ scopes: 1, allowedIps: ['192.0.2.50', '192.0.2.51'] }));
    const status = async (path: string, address: string) => (await call(path, { authorization, address, now: NOW }, fetch)).status;
    expect(await status(rotations.spec.path, '192.0.2.50')).toBe(400);
    expect(await status(rotations.spec.path, '192.0.2.50')).toBe(429);
    expect(await status(rotations.spec.path, '192.0.2.51')).toBe(429);
    expect(await status(rotations.spec.path, '192.0.2.99')).toBe(403);
    expect(await status(feeds.spec.path, '192.0.2.50')).toBe(400);
  });
});

describe('additional rate limit of a token', () => {
  const rule = { name: 'heavy', limitOf: () => ({ limit: 3, windowSeconds: 60 }) };
  const heavy = refusing('heavy', tokenAccess('rotations:read', STANDARD_GROUP, rule));
  const policy = '"token";q=5;w=60, "heavy";q=3;w=60';
  const fetch = testApp({ settings: { apiRateLimitMax: 5 }, deps: { endpoints: [heavy, rotations] } });

  it('is shown beside that of the token, and in X-RateLimit-* as soon as it has less left', async () => {
    const options = { authorization: bearer(await createToken()), now: NOW };
    const send = async (path: string) => rateHeadersOf(await call(path, options, fetch));
    expect(await send(rotations.spec.path)).toEqual(['5', '4', String(RESET), '"token";q=5;w=60', '"token";r=4;t=20']);
    expect(await send(heavy.spec.path)).toEqual(['3', '2', String(RESET), policy, '"token";r=3;t=20, "heavy";r=2;t=20']);
    expect(await send(rotations.spec.path)).toEqual(['5', '2', String(RESET), '"token";q=5;w=60', '"token";r=2;t=20']);
    expect(await send(heavy.spec.path)).toEqual(['5', '1', String(RESET), policy, '"token";r=1;t=20, "heavy";r=1;t=20']);
  });

  it('is the one in X-RateLimit-* when it refuses the request', async () => {
    const options = { authorization: bearer(await createToken()), now: NOW };
    for (let request = 0; request < 3; request += 1) await call(heavy.spec.path, options, fetch);
    const refused = await call(heavy.spec.path, options, fetch);
    expect([refused.status, JSON.parse(refused.text).error.details]).toEqual([429, { limit: 3, window_seconds: 60 }]);
    expect(rateHeadersOf(refused)).toEqual(['3', '0', String(RESET), policy, '"token";r=1;t=20, "heavy";r=0;t=20']);
  });
});

describe('client on one isolate', () => {
  const evict = (stub: DurableObjectStub<RateLimitObject> | DurableObjectStub<TokenGateObject>) => evictDurableObject(stub).catch(() => {});

  it('gets the same status and headers when the objects are evicted between its requests', async () => {
    const fetch = testApp({ settings: { apiRateLimitMax: 9, publicAnonRateLimitMax: 9 }, bindings: { ADDRESS_OBJECTS: '1' } });
    const secret = await createToken();
    const clients = [{ address: '192.0.2.70' }, { address: '2001:db8:70::1' }, { authorization: bearer(secret), address: '192.0.2.71' }];
    for (const client of clients) {
      for (let request = 1; request <= 12; request += 1) {
        const response = await call(PATH, { ...client, now: NOW + request }, fetch);
        const remaining = Math.max(0, 9 - request);
        expect([response.status, ...rateHeadersOf(response).slice(0, 3)]).toEqual([
          request <= 9 ? 200 : 429,
          '9',
          String(remaining),
          String(RESET),
        ]);
        const names = ['anon:none:0', 'anon:192.0.2.70', 'anon:2001:db8:70::/48'];
        await Promise.all([
          ...names.map((name) => evict(env.RATE_LIMITS.getByName(name))),
          evict(env.TOKEN_GATES.getByName(hashToken(secret))),
        ]);
      }
    }
  });

  it('shows its rate limits on /v1/token after an eviction', async () => {
    const secret = await createToken();
    const options = { authorization: bearer(secret), now: NOW };
    const fetch = testApp();
    for (let request = 0; request < 3; request += 1) await call(PATH, options, fetch);
    await evict(env.TOKEN_GATES.getByName(hashToken(secret)));
    expect(JSON.parse((await call('/v1/token', options, fetch)).text)).toMatchObject({
      budgets: [{ name: 'token', remaining: 117 }, {}],
    });
  });
});

describe('rate limit of an endpoint group', () => {
  const fetch = testApp({ deps: { endpoints: [codexes, rotations] } });

  it('counts the codexes separately, for addresses and for tokens', async () => {
    const anonymous = { address: '192.0.2.40', now: FIRST_INSTANT };
    const token = { authorization: bearer(await createToken()), now: FIRST_INSTANT };
    const policies = async (options: Parameters<typeof call>[1]) => {
      const one = await call('/v1/test/codexes', options, fetch);
      const other = await call('/v1/test/rotations', options, fetch);
      return [one, other].map(({ headers }) => `${headers.get('RateLimit-Policy')} ${headers.get('X-RateLimit-Remaining')}`);
    };
    expect(await policies(anonymous)).toEqual(['"anon-codexes";q=150;w=60 149', '"anon";q=30;w=60 29']);
    expect(await policies(anonymous)).toEqual(['"anon-codexes";q=150;w=60 148', '"anon";q=30;w=60 28']);
    expect(await policies(token)).toEqual(['"token-codexes";q=600;w=60 599', '"token";q=120;w=60 119']);
    expect(await policies(token)).toEqual(['"token-codexes";q=600;w=60 598', '"token";q=120;w=60 118']);
  });
});
