import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../../src/areas/admin/config.routes.ts';
import { createIngestLog } from '../../../src/areas/ingest/ingest.store.ts';
import { apiTokens, users } from '../../../src/platform/access/tokens.tables.ts';
import { USAGE_LAG_SECONDS } from '../../../src/platform/access/usage/token-usage.ts';
import { toIso } from '../../../src/platform/kit/time/clock.ts';
import { settingChanges, settingOverrides } from '../../../src/platform/settings/settings.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { SETTINGS } from '../../support/declarations.ts';
import { bearer, call } from '../../support/requests.ts';
import { createAccount, createToken } from '../../support/tokens.ts';
import { storeUsage } from '../../support/usage.ts';
import { usageRecord } from '../../support/usage-record.ts';
import { outcome, portalWorld, START, signedInPerson } from '../accounts/world.ts';

const db = createDatabase(env.DB);
const world = portalWorld();
const ISO = new Date(START * 1000).toISOString();
const NO_REQUESTS = { count: 0, error_count: 0, rate_limited: 0, avg_duration_ms: 0, p50_ms: null, p95_ms: null };

/** Session of a superuser. */
async function superuser() {
  const { client, email } = await signedInPerson(world);
  const [row] = await db.update(users).set({ isSuperuser: true }).where(eq(users.email, email)).returning();
  return { client, id: row?.id ?? '' };
}

async function tokenRow(userId: string, statuses: number[], at = START) {
  await createToken({ userId });
  const rows = await db.select().from(apiTokens).where(eq(apiTokens.userId, userId));
  const row = rows[rows.length - 1];
  await storeUsage(
    row?.id ?? '',
    statuses.map((status) => usageRecord({ status, at })),
  );
  return row?.id ?? '';
}

describe('/admin/*', () => {
  it('accepts a superuser session and a superuser token with every scope', async () => {
    const { client, id } = await superuser();
    const paths = [
      '/admin/overview',
      '/admin/users',
      '/admin/events?user_id=nobody',
      '/admin/activity',
      '/admin/config',
      '/admin/ingest/log',
      '/admin/jobs',
      '/admin/leaderboards/dumps',
      '/admin/codexes/failures',
    ];
    const ordinary = (await signedInPerson(world)).client;
    const token = bearer(await createToken({ userId: id }));
    const narrow = bearer(await createToken({ userId: id, scopes: 1 }));
    for (const path of paths) {
      expect(outcome(await client.get(path))).toBe('200');
      expect(outcome(await ordinary.get(path))).toBe('403 forbidden');
      expect(outcome(await world.client().get(path))).toBe('401 not_authenticated');
      expect((await call(path, { authorization: token, now: START }, world.fetch)).status).toBe(200);
      expect((await call(path, { authorization: narrow, now: START }, world.fetch)).status).toBe(403);
    }
  });

  it('is rejected immediately after the account loses superuser rights', async () => {
    const { client, id } = await superuser();
    await db.update(users).set({ isSuperuser: false }).where(eq(users.id, id));
    expect(outcome(await client.get('/admin/users'))).toBe('403 forbidden');
  });
});

describe('GET /admin/users', () => {
  it('lists accounts newest first with their usage, filtered by a part of the email address', async () => {
    const { client } = await superuser();
    const userId = await createAccount({ row: { createdAt: START + 1_000_000 } });
    await tokenRow(userId, [200, 429, 500]);
    await tokenRow(userId, [200], START - 40 * 86_400);
    const { body } = await client.get('/admin/users?limit=1');
    expect(body).toMatchObject({ count: 1, total: expect.any(Number) });
    expect(body.items[0]).toMatchObject({
      id: userId,
      email: `${userId}@example.com`,
      token_count: 2,
      rate_limited: 1,
      last_used_at: ISO,
      roles: [],
    });
    expect(body.items[0].total_requests).toBe(3);
    expect((await client.get('/admin/users?limit=1&days=365')).body.items[0].total_requests).toBe(4);
    expect((await client.get(`/admin/users?q=${userId.slice(0, 13).toUpperCase()}`)).body).toMatchObject({
      count: 1,
      total: 1,
      items: [{ id: userId }],
    });
    expect((await client.get('/admin/users?q=%25')).body.items).toEqual([]);
    expect((await client.get('/admin/users?offset=100000')).body.items).toEqual([]);
    expect((await client.get(`/admin/users/${userId}`)).body).toEqual(body.items[0]);
    expect(outcome(await client.get('/admin/users/nobody'))).toBe('404 not_found');
    expect(JSON.stringify(body)).not.toContain('scrypt');
  });

  it('lists the tokens of an account, which can be revoked individually or all at once', async () => {
    const { client } = await superuser();
    const userId = await createAccount();
    const secrets = [await createToken({ userId }), await createToken({ userId }), await createToken({ userId })];
    const status = async (secret: string) => (await call('/v1/token', { authorization: bearer(secret), now: START }, world.fetch)).status;
    for (const secret of secrets) expect(await status(secret)).toBe(200);
    const list = (await client.get(`/admin/users/${userId}/tokens`)).body;
    expect(list).toHaveLength(3);
    expect(list[0]).toMatchObject({ user_id: userId, revoked: false });
    const one = await client.post(`/admin/tokens/${list[0].id}/revoke`, { reason: 'abuse' });
    expect(one.body).toMatchObject({ id: list[0].id, revoked: true, revoke_reason: 'abuse', revoked_at: ISO });
    expect((await client.post(`/admin/tokens/${list[0].id}/revoke`)).body).toEqual(one.body);
    expect((await client.send('DELETE', `/admin/users/${userId}/tokens`)).body).toEqual({ revoked: 2 });
    expect((await client.send('DELETE', `/admin/users/${userId}/tokens`)).body).toEqual({ revoked: 0 });
    for (const secret of secrets) expect(await status(secret)).toBe(401);
    expect(outcome(await client.post('/admin/tokens/nothing/revoke'))).toBe('404 not_found');
  });
});

describe('GET /admin/usage', () => {
  it('returns totals and the accounts with the most requests', async () => {
    const far = START + 20 * 86_400;
    const [busy, calm] = [await createAccount(), await createAccount()];
    await tokenRow(busy, [200, 200, 429, 404], far);
    await tokenRow(calm, [200], far);
    const { client } = await superuser();
    client.now = far;
    await client.refresh();
    const { body } = await client.get('/admin/activity?days=1&top=1');
    expect(body).toEqual({
      window_days: 1,
      as_of: toIso(far - USAGE_LAG_SECONDS),
      total_requests: 5,
      error_count: 2,
      rate_limited: 1,
      avg_duration_ms: 10,
      top_users: [{ user_id: busy, email: `${busy}@example.com`, count: 4, error_count: 2, rate_limited: 1 }],
      traffic: { period_seconds: 3600, periods: [], with_token: NO_REQUESTS, without_token: NO_REQUESTS },
    });
    expect((await client.get(`/admin/users/${busy}/activity?days=1`)).body).toMatchObject({
      total_requests: 4,
      by_endpoint: [{ route: '/v1/x' }],
    });
  });

  it('pages through single requests', async () => {
    const { client } = await superuser();
    const userId = await createAccount();
    const tokenId = await tokenRow(userId, [200, 201, 429, 200, 404]);
    const read = async (query: string) => (await client.get(`/admin/events?user_id=${userId}&${query}`)).body;
    const first = await read('limit=2');
    expect(first.items.map(({ status_code }: { status_code: number }) => status_code)).toEqual([404, 200]);
    expect(first.items[0]).toEqual({
      id: expect.any(Number),
      user_id: userId,
      token_id: tokenId,
      method: 'GET',
      route: '/v1/x',
      path: '/v1/x',
      status_code: 404,
      duration_ms: 10,
      created_at: ISO,
    });
    expect(first.has_more).toBe(true);
    const second = await read(`limit=2&cursor=${first.next_cursor}`);
    const third = await read(`limit=2&cursor=${second.next_cursor}`);
    expect([...second.items, ...third.items].map(({ status_code }: { status_code: number }) => status_code)).toEqual([429, 201, 200]);
    expect([third.has_more, third.next_cursor]).toEqual([false, null]);
    expect((await read('status_code=429')).items).toHaveLength(1);
    expect((await read('status_code=200')).items).toHaveLength(2);
    expect((await client.get(`/admin/events?token_id=${tokenId}`)).body.items).toHaveLength(5);
    expect(outcome(await client.get(`/admin/events?user_id=${userId}&cursor=nonsense`))).toBe('400 bad_request');
    expect(outcome(await client.get(`/admin/events?user_id=${userId}&limit=201`))).toBe('422 validation_error');
    for (const query of ['', 'status_code=429']) {
      const rejected = await client.get(`/admin/events?${query}`);
      expect(outcome(rejected)).toBe('422 validation_error');
      expect(rejected.body.error.details).toMatchObject([{ loc: ['query', 'user_id'], msg: 'user_id or token_id is required' }]);
    }
    expect((await client.get(`/admin/events?user_id=${userId}&token_id=${tokenId}`)).body.items).toHaveLength(5);
    expect((await client.get(`/admin/events?user_id=nobody&token_id=${tokenId}`)).body.items).toEqual([]);
  });
});

describe('/admin/config', () => {
  it('lists settings with type, bounds and origin, and masks secrets', async () => {
    const { client } = await superuser();
    const { items, count } = (await client.get('/admin/config')).body;
    expect(count).toBe(Object.keys(SETTINGS.all).length);
    const categories: string[] = items.map(({ category }: { category: string }) => category);
    expect(categories.filter((category, index) => category !== categories[index - 1])).toEqual(CATEGORIES);
    const item = (key: string) => items.find((found: { key: string }) => found.key === key);
    expect(item('public_anon_rate_limit_max')).toMatchObject({
      type: 'int',
      default: 30,
      value: 30,
      is_default: true,
      min_value: 1,
      secret: false,
      choices: null,
      updated_at: null,
      updated_by_user_id: null,
    });
    expect(item('feedback.chat_webhook')).toMatchObject({ secret: true, value: '' });
    const hook = 'https://chat.example/api/webhooks/1/very-secret';
    const changed = await client.send('PUT', '/admin/config/feedback.chat_webhook', { value: hook });
    expect(changed.body).toMatchObject({ value: '********', is_default: false });
    expect((await client.get('/admin/config')).text).not.toContain('very-secret');
    await client.send('DELETE', '/admin/config/feedback.chat_webhook');
  });

  it('changes a setting within its bounds, effective immediately, and logs every change', async () => {
    const { client, id } = await superuser();
    const put = (key: string, value: unknown) => client.send('PUT', `/admin/config/${key}`, { value });
    const changed = await put('public_anon_rate_limit_max', 7);
    expect(changed.body).toMatchObject({
      key: 'public_anon_rate_limit_max',
      value: 7,
      default: 30,
      is_default: false,
      updated_at: ISO,
      updated_by_user_id: id,
    });
    const limit = async () => (await call('/v1/rotations/server-time', {}, world.fetch)).headers.get('X-RateLimit-Limit');
    expect(await limit()).toBe('7');
    const reset = await client.send('DELETE', '/admin/config/public_anon_rate_limit_max');
    expect(reset.body).toMatchObject({ value: 30, is_default: true, updated_by_user_id: null });
    expect((await client.send('DELETE', '/admin/config/public_anon_rate_limit_max')).status).toBe(200);
    expect(await limit()).toBe('30');
    const log = await db.select().from(settingChanges).where(eq(settingChanges.key, 'public_anon_rate_limit_max'));
    expect(log.slice(0, 2)).toMatchObject([
      { oldValue: null, newValue: '7', changedByUserId: id, changedAt: START },
      { oldValue: '7', newValue: null, changedByUserId: id },
    ]);
  });

  it.each([
    ['public_anon_rate_limit_max', 0, '400 bad_request'],
    ['public_anon_rate_limit_max', true, '400 bad_request'],
    ['public_anon_rate_limit_max', '7', '400 bad_request'],
    ['public_anon_rate_limit_max', 1.5, '400 bad_request'],
    ['public_anon_rate_limit_max', null, '422 validation_error'],
    ['public_anon_rate_limit_max', { a: 1 }, '422 validation_error'],
    ['feature_market_enabled', 1, '400 bad_request'],
    ['no_such_setting', 1, '404 not_found'],
    ['__proto__', 1, '404 not_found'],
  ])('rejects %s = %j', async (key, value, expected) => {
    const { client } = await superuser();
    expect(outcome(await client.send('PUT', `/admin/config/${key}`, { value }))).toBe(expected);
    expect(await db.select().from(settingOverrides).where(eq(settingOverrides.key, key))).toEqual([]);
  });
});

describe('GET /admin/ingest/log', () => {
  it('lists inserts newest first with their author and method', async () => {
    const { client, id } = await superuser();
    const log = createIngestLog(db);
    const base = { now: START, userId: id, tokenId: null, summary: 'imported', error: null };
    await log.record({ ...base, endpoint: 'challenge' });
    await createToken({ userId: id });
    const [token] = await db.select().from(apiTokens).where(eq(apiTokens.userId, id));
    await log.record({ ...base, endpoint: 'market', tokenId: token?.id ?? null, summary: null, error: 'broken' });
    const { items, count } = (await client.get('/admin/ingest/log?limit=2')).body;
    expect(count).toBe(2);
    expect(items).toEqual([
      {
        endpoint: 'market',
        timestamp: ISO,
        user_email: expect.stringContaining('@'),
        success: false,
        summary: null,
        error: 'broken',
        auth_via: 'api_token',
        receipt_id: null,
        rejected: null,
        token_name: 'test',
      },
      {
        endpoint: 'challenge',
        timestamp: ISO,
        user_email: expect.stringContaining('@'),
        success: true,
        summary: 'imported',
        error: null,
        auth_via: 'session',
        receipt_id: null,
        rejected: null,
        token_name: null,
      },
    ]);
    const rejected = (await client.get('/admin/ingest/log?success=false&endpoint=market&limit=1')).body;
    expect([rejected.items, rejected.count]).toEqual([[items[0]], 1]);
    const newest = (await client.get('/admin/ingest/log?limit=1')).body;
    const next = (await client.get(`/admin/ingest/log?limit=1&cursor=${newest.next_cursor}`)).body;
    expect([newest.items, next.items]).toEqual([[items[0]], [items[1]]]);
    expect(
      (await client.get('/admin/ingest/log?endpoint=challenge')).body.items.every(
        ({ endpoint }: { endpoint: string }) => endpoint === 'challenge',
      ),
    ).toBe(true);
  });
});
