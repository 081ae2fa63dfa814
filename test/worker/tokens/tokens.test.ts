import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { hashToken } from '../../../src/platform/access/tokens/token-format.ts';
import { apiTokens, users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { bearer, call, type Fetch } from '../../support/requests.ts';
import { storeUsage } from '../../support/usage.ts';
import { usageRecord } from '../../support/usage-record.ts';
import { outcome, type PortalClient, portalWorld, START, signedInPerson } from '../accounts/world.ts';
import { testApp } from '../platform/test-app.ts';

const db = createDatabase(env.DB);
const world = portalWorld();
/** Another isolate, with its own memory. */
const otherIsolate = testApp();

async function createToken(client: PortalClient, body: object = {}) {
  return (await client.post('/tokens', { name: 'bot', ...body })).body;
}

function useToken(token: string, more: { fetch?: Fetch; address?: string; now?: number } = {}) {
  return call(
    '/v1/token',
    { authorization: bearer(token), now: more.now ?? START, address: more.address ?? '10.1.2.3' },
    more.fetch ?? world.fetch,
  );
}

describe('POST /tokens', () => {
  it('returns the secret once, and the token works immediately', async () => {
    const { client, email } = await signedInPerson(world);
    const created = await client.post('/tokens', {
      name: ' my bot ',
      scopes: 1,
      allowed_ips: ['10.0.0.0/8', ' 10.0.0.0/8', ''],
      expires_in_days: 60,
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{11}$/),
      name: 'my bot',
      prefix: created.body.token.slice(0, 12),
      scopes: 1,
      scope_names: ['rotations:read'],
      allowed_ip_count: 1,
      revoked: false,
      revoked_at: null,
      revoke_reason: null,
      created_at: new Date(START * 1000).toISOString(),
      last_used_at: null,
      rotated_at: null,
      previous_secret_until: null,
      expires_at: new Date((START + 60 * 86_400) * 1000).toISOString(),
      request_count: 0,
      token: expect.stringMatching(/^gda_[A-Za-z0-9]{43}_[A-Za-z0-9]{1,6}$/),
    });
    expect((await useToken(created.body.token)).status).toBe(200);
    const { token, ...view } = created.body;
    const list = await client.get('/tokens');
    expect(list.body).toEqual([view]);
    expect(list.text).not.toContain(token);
    const [row] = await db.select().from(apiTokens).where(eq(apiTokens.id, view.id));
    expect(JSON.stringify(row)).not.toContain(token.slice(13));
    expect(row?.hashedToken).toBe(hashToken(token));
    const mail = (await world.mails(email)).at(-1);
    expect(mail?.text).toContain('"my bot"');
    expect(mail?.text).not.toContain(token);
  });

  it('defaults to all scopes and 30 days', async () => {
    const { client } = await signedInPerson(world);
    expect(await createToken(client)).toMatchObject({
      scopes: 0,
      scope_names: [],
      allowed_ip_count: 0,
      expires_at: new Date((START + 30 * 86_400) * 1000).toISOString(),
    });
    expect(await createToken(client, { expires_in_days: null, scopes: 32_767 })).toMatchObject({ expires_at: null, scopes: 32_767 });
  });

  it('expires after its lifetime', async () => {
    const { client } = await signedInPerson(world);
    const { token } = await createToken(client);
    expect((await useToken(token, { now: START + 30 * 86_400 })).status).toBe(200);
    expect((await useToken(token, { now: START + 30 * 86_400 + 1 })).status).toBe(401);
  });

  it('requires a verified email address first', async () => {
    const { client, email } = await signedInPerson(world);
    await db.update(users).set({ isVerified: false }).where(eq(users.email, email));
    const refused = await client.post('/tokens', { name: '' });
    // Counted as a request of the account, not as a created token.
    expect([outcome(refused), refused.headers.get('RateLimit-Policy')]).toEqual(['403 email_unverified', '"session";q=120;w=60']);
  });

  it('allows three tokens per day, not counting rejected requests', async () => {
    const { client } = await signedInPerson(world);
    for (const body of [{ name: '' }, { scopes: -1 }, { scopes: 32_768 }, { allowed_ips: ['nowhere'] }, { expires_in_days: 31 }]) {
      expect([400, 422]).toContain((await client.post('/tokens', { name: 'bot', ...body })).status);
    }
    for (let left = 2; left >= 0; left -= 1) {
      const created = await client.post('/tokens', { name: 'bot' });
      expect([created.status, created.headers.get('X-RateLimit-Remaining')]).toEqual([201, String(left)]);
    }
    const refused = await client.post('/tokens', { name: 'bot' });
    expect([outcome(refused), refused.headers.get('RateLimit-Policy')]).toEqual([
      '429 rate_limited',
      '"session";q=120;w=60, "token-creation";q=3;w=86400',
    ]);
    // The same account from another IP address, and on the next day.
    client.now = Math.ceil(START / 86_400) * 86_400;
    await client.refresh();
    expect((await client.post('/tokens', { name: 'bot' })).status).toBe(201);
  });

  it.each([
    [{ scopes: 32_768 }, '400 bad_request'],
    [{ scopes: -1 }, '400 bad_request'],
    [{ scopes: 1.5 }, '422 validation_error'],
    [{ allowed_ips: ['10.0.0.0/4'] }, '400 bad_request'],
    [{ allowed_ips: ['01.2.3.4'] }, '400 bad_request'],
    [{ allowed_ips: Array.from({ length: 65 }, (_, index) => `10.0.0.${index}`) }, '400 bad_request'],
    [{ expires_in_days: 31 }, '422 validation_error'],
    [{ name: 'x'.repeat(81) }, '422 validation_error'],
    [{ name: '   ' }, '422 validation_error'],
  ])('rejects %j', async (body, expected) => {
    const { client } = await signedInPerson(world);
    expect(outcome(await client.post('/tokens', { name: 'bot', ...body }))).toBe(expected);
    expect((await client.get('/tokens')).body).toEqual([]);
  });
});

describe('token change', () => {
  it('applies a new allowlist to the next request', async () => {
    const { client } = await signedInPerson(world);
    const { id, token } = await createToken(client);
    for (const fetch of [world.fetch, otherIsolate]) expect((await useToken(token, { fetch })).status).toBe(200);
    const edit = (body: object) => client.send('PATCH', `/tokens/${id}`, body);
    expect((await edit({ allowed_ips: ['192.0.2.0/24'] })).body).toMatchObject({ allowed_ip_count: 1, name: 'bot' });
    for (const fetch of [otherIsolate, world.fetch]) expect((await useToken(token, { fetch })).status).toBe(403);
    expect((await edit({ name: 'other', allowed_ips: null })).body).toMatchObject({ allowed_ip_count: 1, name: 'other' });
    expect((await useToken(token)).status).toBe(403);
    expect((await useToken(token, { address: '192.0.2.9' })).status).toBe(200);
    expect((await edit({ allowed_ips: [] })).body).toMatchObject({ allowed_ip_count: 0 });
    for (const fetch of [otherIsolate, world.fetch]) expect((await useToken(token, { fetch })).status).toBe(200);
    expect(outcome(await edit({ allowed_ips: ['nowhere'] }))).toBe('400 bad_request');
  });

  it('rotates the secret immediately, keeping counts and expiry', async () => {
    const { client, email } = await signedInPerson(world);
    const created = await createToken(client, { scopes: 3, allowed_ips: ['10.0.0.0/8'], expires_in_days: 90 });
    const request = (token: string, fetch = world.fetch) =>
      call('/v1/rotations/server-time', { authorization: bearer(token), now: START, address: '10.1.2.3' }, fetch);
    expect((await request(created.token)).headers.get('X-RateLimit-Remaining')).toBe('119');
    expect((await request(created.token, otherIsolate)).headers.get('X-RateLimit-Remaining')).toBe('118');
    const { token: _, ...before } = created;
    client.now += 5;
    const rotated = (await client.post(`/tokens/${created.id}/rotate`)).body;
    expect(rotated).toEqual({
      ...before,
      prefix: rotated.token.slice(0, 12),
      rotated_at: new Date((START + 5) * 1000).toISOString(),
      token: expect.any(String),
      last_used_at: null,
      request_count: expect.any(Number),
    });
    expect(rotated.token).not.toBe(created.token);
    for (const fetch of [otherIsolate, world.fetch]) expect((await request(created.token, fetch)).status).toBe(401);
    expect((await request(rotated.token, otherIsolate)).headers.get('X-RateLimit-Remaining')).toBe('117');
    expect((await world.mails(email)).at(-1)?.subject).toContain('rotated');
  });

  it('revokes permanently and immediately', async () => {
    const { client } = await signedInPerson(world);
    const { id, token } = await createToken(client);
    for (const fetch of [world.fetch, otherIsolate]) expect((await useToken(token, { fetch })).status).toBe(200);
    const revoke = (reason?: string) => client.post(`/tokens/${id}/revoke`, reason === undefined ? {} : { reason });
    for (const reason of [undefined, '', ' ', 'x'.repeat(201)]) expect(outcome(await revoke(reason))).toBe('422 validation_error');
    const first = (await revoke('no longer used')).body;
    expect(first).toMatchObject({ revoked: true, revoke_reason: 'no longer used', revoked_at: new Date(START * 1000).toISOString() });
    for (const fetch of [otherIsolate, world.fetch]) expect((await useToken(token, { fetch })).status).toBe(401);
    client.now += 60;
    expect((await revoke('another reason')).body).toEqual(first);
    expect(outcome(await client.post(`/tokens/${id}/rotate`))).toBe('400 bad_request');
    expect(outcome(await client.send('PATCH', `/tokens/${id}`, { name: 'x' }))).toBe('400 bad_request');
  });

  it('returns 404 for other accounts', async () => {
    const { client } = await signedInPerson(world);
    const stranger = (await signedInPerson(world)).client;
    const { id, token } = await createToken(client);
    const tries: [string, string, object | undefined][] = [
      ['PATCH', `/tokens/${id}`, { name: 'mine' }],
      ['POST', `/tokens/${id}/rotate`, undefined],
      ['POST', `/tokens/${id}/revoke`, { reason: 'mine' }],
      ['GET', `/tokens/${id}/activity`, undefined],
      ['POST', '/tokens/nonsense/rotate', undefined],
    ];
    for (const [method, path, body] of tries) expect(outcome(await stranger.send(method, path, body))).toBe('404 not_found');
    expect((await stranger.get('/tokens')).body).toEqual([]);
    expect((await useToken(token)).status).toBe(200);
  });

  it('is rejected with an API token', async () => {
    const { client, email } = await signedInPerson(world);
    await db.update(users).set({ isSuperuser: true }).where(eq(users.email, email));
    const { token } = await createToken(client);
    const asToken = world.client();
    asToken.credential = token;
    for (const path of ['/tokens', '/auth/me', '/auth/sessions']) expect(outcome(await asToken.get(path))).toBe('401 not_authenticated');
  });
});

describe('GET /tokens/activity', () => {
  it('returns the remaining rate limits without counting towards them', async () => {
    const { client } = await signedInPerson(world);
    const { id, token } = await createToken(client, { allowed_ips: ['198.51.100.7'] });
    const getRateLimits = async () => (await client.get(`/tokens/${id}/activity`)).body.budgets;
    const [before] = await getRateLimits();
    expect(before).toMatchObject({ name: 'token', remaining: before.limit });
    const requested = { Authorization: `Bearer ${token}`, 'CF-Connecting-IP': '198.51.100.7' };
    expect((await client.send('GET', '/v1/market/items', undefined, requested)).status).toBe(200);
    expect((await getRateLimits())[0]).toMatchObject({ remaining: before.limit - 1 });
    expect((await getRateLimits())[0]).toMatchObject({ remaining: before.limit - 1 });
    await client.post(`/tokens/${id}/revoke`, { reason: 'created by mistake' });
    expect(await getRateLimits()).toEqual([]);
  });

  it('returns requests by day and endpoint, for one token and for all', async () => {
    const { client } = await signedInPerson(world);
    const one = await createToken(client);
    const other = await createToken(client);
    const record = usageRecord({ route: '/v1/x/{id}', path: '/v1/x/1', at: START });
    await storeUsage(one.id, [
      { ...record, status: 200 },
      { ...record, status: 429, durationMilliseconds: 5 },
      { ...record, status: 404 },
    ]);
    await storeUsage(other.id, [{ ...record, status: 200, at: START - 20 * 86_400 }]);
    const summary = (await client.get(`/tokens/${one.id}/activity`)).body;
    expect(summary).toEqual({
      window_days: 7,
      total_requests: 3,
      error_count: 2,
      rate_limited: 1,
      avg_duration_ms: 8.33,
      by_day: [
        { date: new Date(START * 1000).toISOString().slice(0, 10), count: 3, error_count: 2, rate_limited: 1, avg_duration_ms: 8.33 },
      ],
      by_hour: [
        {
          hour: new Date((START - (START % 3600)) * 1000).toISOString(),
          count: 3,
          error_count: 2,
          rate_limited: 1,
          avg_duration_ms: 8.33,
        },
      ],
      by_endpoint: [{ route: '/v1/x/{id}', method: 'GET', count: 3, error_count: 2, rate_limited: 1, avg_duration_ms: 8.33 }],
      budgets: expect.any(Array),
    });
    const today = new Date(START * 1000).toISOString().slice(0, 10);
    const { items } = (await client.get('/tokens/activity/by-token?days=7')).body;
    const daysOf = (id: string) => items.find((item: { token_id: string }) => item.token_id === id).by_day;
    expect(daysOf(one.id)).toMatchObject([{ date: today, count: 3, rate_limited: 1 }]);
    expect(daysOf(other.id)).toEqual([]);
    const { budgets: _, ...counts } = summary;
    expect((await client.get('/tokens/activity')).body).toEqual(counts);
    expect((await client.get('/tokens/activity?days=30')).body).toMatchObject({ window_days: 30, total_requests: 4 });
    expect((await client.get(`/tokens/${other.id}/activity`)).body).toMatchObject({ total_requests: 0, by_day: [], by_endpoint: [] });
    for (const days of ['0', '366', 'x']) expect(outcome(await client.get(`/tokens/activity?days=${days}`))).toBe('422 validation_error');
    expect((await client.get('/tokens')).body.find((token: { id: string }) => token.id === one.id)).toMatchObject({
      request_count: 3,
      last_used_at: new Date(START * 1000).toISOString(),
    });
  });
});

describe('GET /tokens/requests', () => {
  it('pages through the requests of the account with the limit that refused them, and never those of others', async () => {
    const { client } = await signedInPerson(world);
    const { client: stranger } = await signedInPerson(world);
    const { id } = await createToken(client);
    const record = usageRecord({ route: '/v1/x/{id}', path: '/v1/x/1', at: START });
    const refusedBy = {
      name: 'token',
      limit: 120,
      windowSeconds: 60,
      resetAt: START + 30,
      message: 'more than 120 requests in 60 seconds',
    };
    await storeUsage(id, [
      { ...record, status: 200, requestId: 'one' },
      { ...record, status: 429, requestId: 'two', code: 'rate_limited', refusedBy },
    ]);
    const first = (await client.get('/tokens/requests?limit=1')).body;
    expect(first.items).toEqual([
      {
        created_at: new Date(START * 1000).toISOString(),
        token_id: id,
        method: 'GET',
        route: '/v1/x/{id}',
        path: '/v1/x/1',
        status_code: 429,
        code: 'rate_limited',
        duration_ms: 10,
        request_id: 'two',
        count: 1,
        refused_by: {
          name: 'token',
          limit: 120,
          window_seconds: 60,
          reset_at: new Date((START + 30) * 1000).toISOString(),
          message: 'more than 120 requests in 60 seconds',
        },
      },
    ]);
    const second = (await client.get(`/tokens/requests?limit=1&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ items: [{ status_code: 200, request_id: 'one', refused_by: null }], has_more: false });
    expect((await client.get(`/tokens/requests?token_id=${id}&min_status_code=400`)).body.items).toHaveLength(1);
    expect((await stranger.get(`/tokens/requests?token_id=${id}`)).body.items).toEqual([]);
    expect((await stranger.get('/tokens/requests')).body.items).toEqual([]);
    expect(outcome(await client.get('/tokens/requests?cursor=nonsense'))).toBe('400 bad_request');
    expect(outcome(await client.get('/tokens/requests?status_code=x'))).toBe('422 validation_error');
  });
});

describe('GET /config', () => {
  it('is public and contains no secret', async () => {
    const { body, text } = await world.client().get('/config');
    expect(body).toMatchObject({
      app_name: 'Game Data API',
      api_url: 'https://api.test',
      captcha_provider: 'turnstile',
      captcha_sitekey: 'site-key',
      require_verified_for_tokens: true,
      token_creation_daily_limit: 3,
    });
    expect(body.scopes).toHaveLength(15);
    expect(body.scopes[0]).toEqual({ key: 'rotations:read', bit: 1, resource: 'rotations', description: expect.any(String) });
    expect(body.revoke_reasons.length).toBe(4);
    expect(text).not.toContain('captcha-secret');
    expect((await call('/config', {})).text).toContain('"captcha_provider":null');
  });
});

describe('portal paths', () => {
  it('do not appear in the OpenAPI document', async () => {
    const { text } = await call('/openapi.json', {}, world.fetch);
    for (const path of ['/auth', '/tokens', '/admin', '/config', '/portal']) expect(text).not.toContain(`"${path}`);
  });
});
