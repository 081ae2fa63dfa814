import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createUsageStore } from '../../../src/areas/usage/usage.store.ts';
import { mintSecret } from '../../../src/platform/access/tokens/token-format.ts';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { createTokenRegistry } from '../../../src/platform/access/tokens/token-registry.ts';
import { type ApiTokenRow, apiTokens } from '../../../src/platform/access/tokens.tables.ts';
import { MAX_HOUR_ROWS, TokenHistory } from '../../../src/platform/access/usage/token-history.ts';
import { FLUSH_SECONDS, TokenUsage, USAGE_LAG_SECONDS } from '../../../src/platform/access/usage/token-usage.ts';
import { usageDays } from '../../../src/platform/access/usage/usage.tables.ts';
import type { UsageRecord } from '../../../src/platform/access/usage/usage-buffer.ts';
import { bundleOf, createUsageWriter } from '../../../src/platform/access/usage/usage-writer.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { countedObjects } from '../../support/counted-objects.ts';
import { recordingDatabase, scansOf } from '../../support/query-plans.ts';
import { bearer, call, FIRST_INSTANT } from '../../support/requests.ts';
import { createSuperuserToken, createToken, gateOf, readToken, TOKEN_FORMAT } from '../../support/tokens.ts';
import { flushUsage } from '../../support/usage.ts';
import { usageRecord } from '../../support/usage-record.ts';
import { testApp } from './test-app.ts';

const NOW = FIRST_INSTANT;
const PATH = '/v1/rotations/server-time';
const db = createDatabase(env.DB);
const usage = createUsageStore(db, createTokenGate(env.TOKEN_GATES));
const EVERYTHING = { belowId: null };

/** A token with its gate and its stored usage. */
async function newToken(options: Parameters<typeof createToken>[0] = {}) {
  const secret = await createToken(options);
  const { id } = readToken(secret);
  const [row] = await db.select().from(apiTokens).where(eq(apiTokens.id, id));
  const { userId } = row as ApiTokenRow;
  const stub = gateOf(secret);
  return {
    secret,
    id,
    userId,
    stub,
    flush: () => flushUsage(id),
    /** Oldest first. */
    events: async () => (await usage.listEvents({ tokenId: id }, EVERYTHING, 20_000)).reverse(),
    dayRows: () => db.select().from(usageDays).where(eq(usageDays.userId, userId)),
    token: async () => (await db.select().from(apiTokens).where(eq(apiTokens.id, id)))[0] as ApiTokenRow,
    summary: (days = 7, now = NOW) => usage.summarize({ tokenId: id }, { days, now }),
  };
}

const record = (more: Partial<UsageRecord> = {}) => usageRecord({ route: PATH, path: PATH, at: NOW, ...more });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('token usage', () => {
  it('is sent to the gate for any status, and stored in the database by the alarm', async () => {
    const fetch = testApp({ bindings: { USAGE_DELAY_SECONDS: '0' } });
    const token = await newToken({ scopes: 1, allowedIps: ['10.0.0.0/8'] });
    const admit = (path: string, address = '10.0.0.1') => call(path, { authorization: bearer(token.secret), now: NOW, address }, fetch);
    await admit(`${PATH}?secret=1`);
    await admit('/v1/rotations/challenge/history?limit=0');
    await admit(PATH, '192.0.2.1');
    await admit('/v1/misc/news-history');
    await admit(PATH);
    await token.flush();
    const events = await token.events();
    expect(events.map(({ method, route, path, statusCode }) => `${method} ${route} ${path} ${statusCode}`)).toEqual([
      `GET ${PATH} ${PATH} 200`,
      'GET /v1/rotations/challenge/history /v1/rotations/challenge/history 422',
      `GET ${PATH} ${PATH} 403`,
      'GET /v1/misc/news-history /v1/misc/news-history 403',
      `GET ${PATH} ${PATH} 200`,
    ]);
    expect(events[0]).toMatchObject({ userId: token.userId, tokenId: token.id, createdAt: NOW });
    expect(await token.token()).toMatchObject({ requestCount: events.length, lastUsedAt: NOW });
  });

  it('is sent with the next request when 20 requests have finished', async () => {
    const { names, counted } = countedObjects(env.TOKEN_GATES);
    const fetch = testApp({ bindings: { TOKEN_GATES: counted } });
    const token = await newToken();
    for (let index = 0; index < 20; index += 1) await call(PATH, { authorization: bearer(token.secret), now: NOW }, fetch);
    expect(await token.events()).toEqual([]);
    await call(PATH, { authorization: bearer(token.secret), now: NOW }, fetch);
    expect(names).toHaveLength(21);
    expect(await token.events()).toHaveLength(20);
  });

  it('is sent before the requests of the token are listed', async () => {
    const fetch = testApp();
    const token = await newToken();
    const authorization = bearer(token.secret);
    await call(PATH, { authorization, now: NOW }, fetch);
    expect(await token.events()).toEqual([]);
    const list = async () => JSON.parse((await call('/v1/token/requests', { authorization, now: NOW }, fetch)).text).items;
    expect(await list()).toMatchObject([{ path: PATH, status_code: 200 }]);
    expect(await list(), 'without requests for the list').toHaveLength(1);
  });

  it('is sent without a further request after a pause', async () => {
    const fetch = testApp({ bindings: { USAGE_DELAY_SECONDS: '0' } });
    const token = await newToken();
    await call(PATH, { authorization: bearer(token.secret), now: NOW }, fetch);
    await token.flush();
    expect(await token.events()).toHaveLength(1);
  });

  it('includes requests that are refused from memory', async () => {
    const fetch = testApp({ settings: { apiRateLimitMax: 2 }, bindings: { USAGE_DELAY_SECONDS: '0' } });
    const token = await newToken();
    for (let index = 0; index < 6; index += 1) await call(PATH, { authorization: bearer(token.secret), now: NOW }, fetch);
    await token.flush();
    const { days } = await token.summary();
    expect(days).toMatchObject([{ requestCount: 6, errorCount: 4, rateLimited: 4 }]);
  });

  it('stores request id, error code and the limit that refused a request, also from memory', async () => {
    const fetch = testApp({ settings: { apiRateLimitMax: 2 }, bindings: { USAGE_DELAY_SECONDS: '0' } });
    const token = await newToken();
    const authorization = bearer(token.secret);
    await call('/v1/market/listings?limit=0&q=mine', { authorization, now: NOW, headers: { 'X-Request-ID': 'first' } }, fetch);
    for (let index = 0; index < 3; index += 1) await call(PATH, { authorization, now: NOW + index }, fetch);
    await token.flush();
    const [first, second, refused, fromMemory] = await token.events();
    expect(first).toMatchObject({ requestId: 'first', code: 'validation_error', refusedBy: null, path: '/v1/market/listings' });
    expect(second).toMatchObject({ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), code: null, count: 1 });
    const resetAt = Math.floor(NOW / 60) * 60 + 60;
    const refusedBy = { name: 'token', limit: 2, windowSeconds: 60, resetAt, message: 'more than 2 requests in 60 seconds' };
    for (const request of [refused, fromMemory]) expect(request).toMatchObject({ statusCode: 429, code: 'rate_limited', refusedBy });
    const { items } = JSON.parse((await call('/v1/token/requests?status_code=429&limit=1', { authorization, now: NOW + 9 }, fetch)).text);
    expect(items).toMatchObject([{ token_id: token.id, refused_by: { name: 'token', reset_at: new Date(resetAt * 1000).toISOString() } }]);
    const errors = await usage.listEvents({ tokenId: token.id }, { minStatusCode: 400, belowId: null }, 10);
    expect(errors.map(({ statusCode }) => statusCode)).toEqual([429, 429, 422]);
  });

  it('reads requests that an older version stored', async () => {
    const token = await newToken();
    await runInDurableObject(token.stub, (_, { storage }) => {
      new TokenHistory(storage.sql).add([record()], 1, NOW);
      const old = JSON.stringify([[NOW * 1_000_000, 'GET', PATH, PATH, 200, 10]]);
      storage.sql.exec('UPDATE request_chunks SET requests = ?', old);
      expect(new TokenHistory(storage.sql).listRequests(EVERYTHING, 1)).toEqual([
        {
          id: NOW * 1_000_000,
          method: 'GET',
          route: PATH,
          path: PATH,
          statusCode: 200,
          durationMs: 10,
          createdAt: NOW,
          requestId: null,
          code: null,
          refusedBy: null,
          count: 1,
        },
      ]);
    });
  });

  it('excludes requests on which the token has no effect or is invalid', async () => {
    const fetch = testApp({ bindings: { USAGE_DELAY_SECONDS: '0' } });
    const withoutScope = await newToken({ scopes: 2 });
    await call(PATH, { authorization: bearer(withoutScope.secret), now: NOW }, fetch);
    const revoked = await newToken({ row: { revoked: true } });
    await call(PATH, { authorization: bearer(revoked.secret), now: NOW }, fetch);
    for (const token of [withoutScope, revoked]) {
      await token.flush();
      expect(await token.events()).toEqual([]);
    }
  });

  it('stores the newest 10,000 requests per token and counts all requests in the sums', async () => {
    const token = await newToken();
    const otherToken = await newToken({ userId: token.userId });
    await otherToken.stub.recordUsage([record()]);
    for (let bundle = 0; bundle < 121; bundle += 1) {
      const records = Array.from({ length: 100 }, (_, index) =>
        record({ at: NOW + bundle * 100 + index, status: index === 7 ? 429 : 200 }),
      );
      await token.stub.recordUsage(records);
    }
    const events = await token.events();
    expect(events).toHaveLength(10_000);
    expect([events[0]?.createdAt, events.at(-1)?.createdAt]).toEqual([NOW + 2100, NOW + 12_099]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(10_000);
    expect(await otherToken.events()).toHaveLength(1);
    expect((await token.summary(7, NOW + 12_099)).days.reduce((sum, { requestCount }) => sum + requestCount, 0)).toBe(12_100);
    expect(await usage.listEvents({ tokenId: token.id }, { statusCode: 429, belowId: null }, 500)).toHaveLength(100);
    const [first, second] = await usage.listEvents({ userId: token.userId }, EVERYTHING, 2);
    expect([first?.createdAt, second?.createdAt]).toEqual([NOW + 12_099, NOW + 12_098]);
    expect(await usage.listEvents({ userId: token.userId }, { belowId: second?.id ?? 0 }, 1)).toMatchObject([{ createdAt: NOW + 12_097 }]);
    // The alarm writes one database row for all requests of the account and day.
    await token.flush();
    expect(await token.dayRows()).toMatchObject([{ requestCount: 12_100, rateLimited: 121 }]);
  });

  it('survives the eviction of the object', async () => {
    const token = await newToken();
    await token.stub.recordUsage([record(), record({ status: 500 })]);
    await evictDurableObject(token.stub);
    await token.flush();
    expect(await token.events()).toHaveLength(2);
  });

  it('is stored once after the database was unavailable', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const token = await newToken();
    await token.stub.recordUsage([record()]);
    await env.DB.prepare('ALTER TABLE usage_days RENAME TO usage_days_away').run();
    await token.flush();
    await env.DB.prepare('ALTER TABLE usage_days_away RENAME TO usage_days').run();
    expect(await token.dayRows()).toEqual([]);
    expect(await token.events()).toHaveLength(1);
    await token.stub.recordUsage([record({ at: NOW + 1 })]);
    await token.flush();
    expect(await token.dayRows()).toMatchObject([{ requestCount: 2 }]);
    expect((await token.events()).map(({ createdAt }) => createdAt).sort()).toEqual([NOW, NOW + 1]);
    expect(await token.token()).toMatchObject({ requestCount: 2, lastUsedAt: NOW + 1 });
  });

  it('sums a flood of requests without growing in storage', async () => {
    const gate = createTokenGate(env.TOKEN_GATES);
    const token = await newToken();
    for (let index = 0; index < 1000; index += 1) gate.recordRequest(token.id, record({ status: 429 }), () => {});
    await gate.admit(readToken(token.secret), {
      demand: { kind: 'any' },
      callerAddress: null,
      now: NOW,
      counter: 'token',
      limit: 1,
      windowSeconds: 60,
    });
    await token.flush();
    const events = await token.events();
    expect(events.length).toBeLessThanOrEqual(200);
    expect(events.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(1000);
    const { days } = await token.summary();
    expect(days).toMatchObject([{ requestCount: 1000, rateLimited: 1000 }]);
  });
});

describe('TokenUsage', () => {
  const owner = { tokenId: 'id', userId: 'user' };

  it('overwrites one row per delivery and sets one alarm until its sums are in the database', async () => {
    await runInDurableObject(env.TOKEN_GATES.getByName(crypto.randomUUID()), async (_, { storage }) => {
      const counted = { puts: 0, alarms: [] as number[] };
      const kv = { get: (key: string) => storage.kv.get(key), put: (key: string, value: unknown) => storage.kv.put(key, value) };
      const put = async (key: string, value: unknown) => {
        counted.puts += 1;
        await storage.put(key, value);
      };
      const transactionSync = <Result>(work: () => Result) => storage.transactionSync(work);
      const proxy = { kv, put, transactionSync, sql: storage.sql } as unknown as DurableObjectStorage;
      const usage = () => new TokenUsage(proxy, createUsageWriter(env.DB), (at) => counted.alarms.push(at));
      const timers = vi.spyOn(globalThis, 'setTimeout');
      const before = Date.now();
      for (let delivery = 0; delivery < 4; delivery += 1) {
        // Another instance: the object was evicted between two deliveries.
        usage().add(
          Array.from({ length: 20 }, () => record()),
          owner,
        );
      }
      expect([counted.puts, counted.alarms.length, timers.mock.calls.length]).toEqual([4, 1, 0]);
      expect(counted.alarms[0]).toBeGreaterThanOrEqual(before + FLUSH_SECONDS * 1000);
      expect(FLUSH_SECONDS).toBeLessThan(86_400);
      expect((await storage.list()).size).toBe(1);
      usage().add(
        Array.from({ length: 20 }, () => record()),
        owner,
      );
      expect(storage.sql.exec('SELECT number FROM request_chunks').toArray()).toEqual([{ number: 100 }]);
      expect(usage().totals).toEqual({ requestCount: 100, lastUsedAt: NOW });
      expect([counted.puts, counted.alarms.length]).toEqual([4, 1]);
    });
  });
});

describe('number of requests and last use', () => {
  it('are those of the object of the token in every list and report of an account', async () => {
    const admin = bearer(await createSuperuserToken());
    const token = await newToken();
    const unused = await newToken({ userId: token.userId });
    await token.stub.recordUsage([record(), record({ at: NOW + 5, status: 429 })]);
    expect(await token.token()).toMatchObject({ requestCount: 0, lastUsedAt: null });
    const get = async (path: string) => JSON.parse((await call(path, { authorization: admin, now: NOW + 10 })).text);
    const lastUsed = new Date((NOW + 5) * 1000).toISOString();
    const tokens = (await get(`/admin/users/${token.userId}/tokens`)) as { id: string; request_count: number; last_used_at: string }[];
    expect(new Map(tokens.map(({ id, ...use }) => [id, [use.request_count, use.last_used_at]]))).toEqual(
      new Map([
        [token.id, [2, lastUsed]],
        [unused.id, [0, null]],
      ]),
    );
    expect(await get(`/admin/users/${token.userId}`)).toMatchObject({ total_requests: 2, rate_limited: 1, last_used_at: lastUsed });
    expect(await get(`/admin/users/${token.userId}/activity`)).toMatchObject({ total_requests: 2, rate_limited: 1 });
    for (const path of ['/admin/activity', '/admin/users']) {
      expect(await get(path)).toMatchObject({ as_of: new Date((NOW + 10 - USAGE_LAG_SECONDS) * 1000).toISOString() });
    }
  });

  it('do not count a use before the last rotation as use', async () => {
    const token = await newToken({ row: { rotatedAt: NOW + 1 } });
    await token.stub.recordUsage([record()]);
    expect(await usage.withTotals([{ ...(await token.token()) }])).toMatchObject([{ requestCount: 1, lastUsedAt: null }]);
  });
});

describe('usage bundle', () => {
  const writer = createUsageWriter(env.DB);

  it('is stored once when it is written several times', async () => {
    const token = await newToken();
    const bundle = bundleOf({ tokenId: token.id, userId: token.userId }, 5, [record(), record({ at: NOW - 7200 })]);
    for (let index = 0; index < 3; index += 1) await writer.write(bundle);
    await writer.write({ ...bundle, sequence: 4 });
    expect(await token.dayRows()).toMatchObject([{ requestCount: 2 }]);
    expect(await token.token()).toMatchObject({ requestCount: 2, usageSequence: 5 });
    await writer.write({ ...bundle, sequence: 6 });
    expect(await token.token()).toMatchObject({ requestCount: 4 });
  });

  it('is dropped when its token is deleted', async () => {
    await writer.write(bundleOf({ tokenId: 'nobody', userId: 'nobody' }, 1, [record()]));
    expect(await db.select().from(usageDays).where(eq(usageDays.userId, 'nobody'))).toEqual([]);
  });

  it('does not mark a rotated token as used', async () => {
    const token = await newToken({ row: { rotatedAt: NOW + 1 } });
    await writer.write(bundleOf({ tokenId: token.id, userId: token.userId }, 1, [record()]));
    expect(await token.token()).toMatchObject({ requestCount: 1, lastUsedAt: null });
  });
});

describe('usage sums', () => {
  it('groups by day and by endpoint', async () => {
    const token = await newToken();
    await token.stub.recordUsage([
      record({ durationMilliseconds: 10 }),
      record({ durationMilliseconds: 21, status: 404 }),
      record({ method: 'POST', route: '/v1/mods/read', durationMilliseconds: 100, status: 429 }),
      record({ at: NOW - 3 * 86_400, durationMilliseconds: 7 }),
      record({ at: NOW - 100 * 86_400 }),
    ]);
    const { days, routes } = await token.summary();
    expect(days).toEqual([
      { day: Math.floor((NOW - 3 * 86_400) / 86_400) * 86_400, requestCount: 1, errorCount: 0, rateLimited: 0, durationMs: 7 },
      { day: Math.floor(NOW / 86_400) * 86_400, requestCount: 3, errorCount: 2, rateLimited: 1, durationMs: 131 },
    ]);
    expect(routes.map(({ method, route, requestCount }) => [method, route, requestCount])).toEqual([
      ['GET', PATH, 3],
      ['POST', '/v1/mods/read', 1],
    ]);
    expect((await token.summary(365)).days).toHaveLength(3);
  });

  it('adds up the tokens of an account', async () => {
    const one = await newToken();
    const other = await newToken({ userId: one.userId });
    await one.stub.recordUsage([record(), record({ route: '/v1/x', path: '/v1/x' })]);
    await other.stub.recordUsage([record(), record({ at: NOW - 86_400 })]);
    const { days, routes } = await usage.summarize({ userId: one.userId }, { days: 7, now: NOW });
    expect(days.map(({ requestCount }) => requestCount)).toEqual([1, 3]);
    expect(routes.map(({ route, requestCount }) => [route, requestCount])).toEqual([
      [PATH, 3],
      ['/v1/x', 1],
    ]);
  });

  it('is one number for an account on its pages, on the page of its tokens and on that of administrators', async () => {
    const token = await newToken();
    const firstDay = Math.floor((NOW - 7 * 86_400) / 86_400) * 86_400;
    // Before the hour in which the window of seven days starts, on its first day; and the day before.
    await token.stub.recordUsage([record({ at: firstDay + 1 }), record({ at: firstDay - 1 }), record({ at: NOW - 86_400 }), record()]);
    await token.flush();
    const ofDays = (days: readonly { requestCount: number }[]) => days.reduce((sum, { requestCount }) => sum + requestCount, 0);
    const window = { days: 7, now: NOW };
    const [account, byToken, counts] = await Promise.all([
      usage.summarize({ userId: token.userId }, window),
      usage.summarizeByToken(token.userId, window),
      usage.countByAccounts([token.userId], window),
    ]);
    expect(ofDays(account.days)).toBe(3);
    expect(account.routes.map(({ requestCount }) => requestCount)).toEqual([3]);
    expect(ofDays(byToken.flatMap(({ days }) => days))).toBe(3);
    expect(counts.get(token.userId)?.requestCount).toBe(3);
  });

  it('never scans a table', async () => {
    const { database, statements } = recordingDatabase();
    const repository = createUsageStore(createDatabase(database), createTokenGate(env.TOKEN_GATES));
    await repository.summarizeAllAccounts({ days: 7, now: NOW }, 10);
    await repository.countByAccounts(['x'], { days: 7, now: NOW });
    await repository.listRateLimited(NOW, 10);
    await repository.deleteByAccount('x');
    await repository.deleteExpired(NOW);
    expect([...statements].length).toBeGreaterThan(5);
    expect(await scansOf(statements, ['usage_days', 'api_tokens'])).toEqual([]);
  });

  it('deletes sums per account and day after 400 days, or with the account', async () => {
    const token = await newToken();
    await createUsageWriter(env.DB).write(bundleOf({ tokenId: token.id, userId: token.userId }, 1, [record()]));
    await usage.deleteExpired(NOW + 399 * 86_400);
    expect(await token.dayRows()).toHaveLength(1);
    await usage.deleteByAccount(token.userId);
    expect(await token.dayRows()).toEqual([]);
  });
});

describe('token history', () => {
  const DAY = 86_400;
  const inObject = <Result>(work: (history: TokenHistory, sql: SqlStorage) => Result) =>
    runInDurableObject(env.TOKEN_GATES.getByName(crypto.randomUUID()), (_, { storage }) =>
      work(new TokenHistory(storage.sql), storage.sql),
    );

  it('stores requests for 30 days and sums for 400 days, and returns the next expiry', async () => {
    await inObject((history) => {
      history.add([record({ at: NOW })], 0, NOW);
      history.add([record({ at: NOW + 10 * DAY })], 0, NOW + 10 * DAY);
      const first = history.expiresAt() ?? 0;
      expect(first).toBeGreaterThan(NOW + 30 * DAY);
      expect(first).toBeLessThanOrEqual(NOW + 31 * DAY);
      expect(history.deleteExpired(first)).toBeGreaterThan(NOW + 40 * DAY);
      expect(history.listRequests({ belowId: null }, 9)).toMatchObject([{ createdAt: NOW + 10 * DAY }]);
      const second = history.deleteExpired(NOW + 42 * DAY);
      expect(history.listRequests({ belowId: null }, 9)).toEqual([]);
      expect(history.summarize(0).days).toHaveLength(2);
      expect(second).toBeGreaterThan(NOW + 400 * DAY);
      expect(history.deleteExpired(NOW + 411 * DAY)).toBeNull();
      expect(history.summarize(0)).toEqual({ days: [], routes: [] });
    });
  });

  it('drops the oldest hours over its limit', async () => {
    await inObject((history, sql) => {
      history.add([record()], 0, NOW);
      sql.exec(
        `INSERT INTO request_hours SELECT 3600 * value, '/x', 'GET', ${NOW}, 1, 0, 0, 1
          FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${MAX_HOUR_ROWS}) SELECT value FROM n)`,
      );
      history.deleteExpired(NOW);
      expect(sql.exec<{ n: number }>('SELECT count(*) AS n FROM request_hours').one().n).toBeLessThan(MAX_HOUR_ROWS);
      expect(history.summarize(NOW - 3600).days).toMatchObject([{ requestCount: 1 }]);
    });
  });

  it('leaves only the row of the token and its totals in the object when all rows have expired', async () => {
    const token = await newToken();
    await token.stub.recordUsage([record()]);
    await token.flush();
    await runInDurableObject(token.stub, async (_, state) => expect((await state.storage.list()).size).toBe(2));
    for (const years of [1, 3]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + years * 366 * DAY * 1000 });
      await runDurableObjectAlarm(token.stub);
      vi.useRealTimers();
    }
    await runInDurableObject(token.stub, async (_, state) => {
      expect([...(await state.storage.list()).keys()]).toEqual(['token', 'token-usage']);
      for (const table of ['request_chunks', 'request_hours']) {
        expect(state.storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one()).toEqual({ n: 0 });
      }
    });
  });

  it('creates no tables for a token that is only read', async () => {
    const token = await newToken();
    expect(await token.events()).toEqual([]);
    expect(await token.summary()).toEqual({ days: [], hours: [], routes: [], lastUsedAt: null });
    await runInDurableObject(token.stub, async (_, state) => {
      expect(state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'request_%'").toArray()).toEqual([]);
    });
  });
});

describe('rotated token', () => {
  it('keeps its counts and its history in the same gate', async () => {
    const token = await newToken();
    const gate = createTokenGate(env.TOKEN_GATES);
    const registry = createTokenRegistry(db, gate);
    const admit = (secret: string) =>
      gate.admit(readToken(secret), {
        demand: { kind: 'any' as const },
        callerAddress: null,
        now: NOW,
        counter: 'token' as const,
        limit: 3,
        windowSeconds: 60,
      });
    expect(await admit(token.secret)).toMatchObject({ used: 1 });
    expect(await admit(token.secret)).toMatchObject({ used: 2 });
    await token.stub.recordUsage([record()]);
    const { secret, ...rotation } = mintSecret(token.id, TOKEN_FORMAT);
    await registry.rotate(await token.token(), { ...rotation, previousUntil: null }, NOW);
    expect(await admit(token.secret)).toEqual({ outcome: 'unauthenticated' });
    expect(await admit(secret)).toMatchObject({ outcome: 'admitted', used: 3 });
    expect(await admit(secret)).toMatchObject({ outcome: 'rate_limited' });
    await token.flush();
    expect(await token.events()).toHaveLength(1);
  });
});
