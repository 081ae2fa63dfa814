import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { hashToken } from '../../../src/platform/access/tokens/token-hash.ts';
import { createTokensRepository } from '../../../src/platform/access/tokens/tokens.repository.ts';
import { type ApiTokenRow, apiTokens } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { MAX_HOUR_ROWS, TokenHistory } from '../../../src/platform/usage/token-history.ts';
import { createUsageRepository } from '../../../src/platform/usage/usage.repository.ts';
import { usageDays } from '../../../src/platform/usage/usage.tables.ts';
import type { UsageRecord } from '../../../src/platform/usage/usage-record.ts';
import { bundleOf, createUsageWriter } from '../../../src/platform/usage/usage-writer.ts';
import { recordingDatabase, scansOf } from '../../support/query-plans.ts';
import { bearer, call, FIRST_INSTANT } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { flushUsage } from '../../support/usage.ts';
import { testApp } from './test-app.ts';

const NOW = FIRST_INSTANT;
const PATH = '/v1/rotations/server-time';
const db = createDatabase(env.DB);
const usage = createUsageRepository(db, createTokenGate(env.TOKEN_GATES, createTokensRepository(db)));
const EVERYTHING = { belowId: null };

/** A token with its gate and its stored usage. */
async function newToken(options: Parameters<typeof createToken>[0] = {}) {
  const secret = await createToken(options);
  const hash = hashToken(secret);
  const [row] = await db.select().from(apiTokens).where(eq(apiTokens.hashedToken, hash));
  const { id, userId } = row as ApiTokenRow;
  const stub = env.TOKEN_GATES.getByName(hash);
  return {
    secret,
    hash,
    id,
    userId,
    stub,
    flush: () => flushUsage(hash),
    /** Oldest first. */
    events: async () => (await usage.listEvents({ tokenId: id }, EVERYTHING, 20_000)).reverse(),
    dayRows: () => db.select().from(usageDays).where(eq(usageDays.userId, userId)),
    token: async () => (await db.select().from(apiTokens).where(eq(apiTokens.id, id)))[0] as ApiTokenRow,
    summary: (days = 7, now = NOW) => usage.summarize({ tokenId: id }, { days, now }),
  };
}

const record = (more: Partial<UsageRecord> = {}): UsageRecord => ({
  ...{ method: 'GET', route: PATH, path: PATH, status: 200, durationMilliseconds: 10, at: NOW, count: 1 },
  ...more,
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('token usage', () => {
  it('is sent with the next request to the gate, for any status, and stored by the alarm', async () => {
    const fetch = testApp();
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
    ]);
    expect(events[0]).toMatchObject({ userId: token.userId, tokenId: token.id, createdAt: NOW });
    expect(await token.token()).toMatchObject({ requestCount: events.length, lastUsedAt: NOW });
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
    await otherToken.stub.recordUsage(otherToken.hash, [record()]);
    for (let bundle = 0; bundle < 121; bundle += 1) {
      const records = Array.from({ length: 100 }, (_, index) =>
        record({ at: NOW + bundle * 100 + index, status: index === 7 ? 429 : 200 }),
      );
      await token.stub.recordUsage(token.hash, records);
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
    await token.stub.recordUsage(token.hash, [record(), record({ status: 500 })]);
    // Timers fire before the eviction.
    await evictDurableObject(token.stub);
    await token.flush();
    expect(await token.events()).toHaveLength(2);
  });

  it('is stored once after the database was unavailable', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const token = await newToken();
    await token.stub.recordUsage(token.hash, [record()]);
    await env.DB.prepare('ALTER TABLE usage_days RENAME TO usage_days_away').run();
    await token.flush();
    await env.DB.prepare('ALTER TABLE usage_days_away RENAME TO usage_days').run();
    expect(await token.dayRows()).toEqual([]);
    expect(await token.events()).toHaveLength(1);
    await token.stub.recordUsage(token.hash, [record({ at: NOW + 1 })]);
    await token.flush();
    expect(await token.dayRows()).toMatchObject([{ requestCount: 2 }]);
    expect((await token.events()).map(({ createdAt }) => createdAt).sort()).toEqual([NOW, NOW + 1]);
    expect(await token.token()).toMatchObject({ requestCount: 2, lastUsedAt: NOW + 1 });
  });

  it('sums a flood of requests without growing in storage', async () => {
    const gate = createTokenGate(env.TOKEN_GATES, createTokensRepository(db), null);
    const token = await newToken();
    for (let index = 0; index < 1000; index += 1) gate.recordRequest(token.hash, record({ status: 429 }), () => {});
    await gate.admit({
      ...{ hashedToken: token.hash, demand: { kind: 'any' }, callerAddress: null, now: NOW },
      ...{ counter: 'token', limit: 1, windowSeconds: 60, requests: 1 },
    });
    await token.flush();
    expect((await token.events()).length).toBeLessThanOrEqual(200);
    const { days } = await token.summary();
    expect(days).toMatchObject([{ requestCount: 1000, rateLimited: 1000 }]);
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
    await token.stub.recordUsage(token.hash, [
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
    await one.stub.recordUsage(one.hash, [record(), record({ route: '/v1/x', path: '/v1/x' })]);
    await other.stub.recordUsage(other.hash, [record(), record({ at: NOW - 86_400 })]);
    const { days, routes } = await usage.summarize({ userId: one.userId }, { days: 7, now: NOW });
    expect(days.map(({ requestCount }) => requestCount)).toEqual([1, 3]);
    expect(routes.map(({ route, requestCount }) => [route, requestCount])).toEqual([
      [PATH, 3],
      ['/v1/x', 1],
    ]);
  });

  it('never scans a table', async () => {
    const { database, statements } = recordingDatabase();
    const repository = createUsageRepository(createDatabase(database), createTokenGate(env.TOKEN_GATES, createTokensRepository(db)));
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

  it('empties the storage of the object when all rows have expired', async () => {
    const token = await newToken();
    await token.stub.recordUsage(token.hash, [record()]);
    await token.flush();
    await runInDurableObject(token.stub, async (_, state) => expect((await state.storage.list()).size).toBe(1));
    for (const years of [1, 3]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + years * 366 * DAY * 1000 });
      await runDurableObjectAlarm(token.stub);
      vi.useRealTimers();
    }
    await runInDurableObject(token.stub, async (_, state) => {
      expect((await state.storage.list()).size).toBe(0);
      expect(state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'request_%'").toArray()).toEqual([]);
    });
  });

  it('creates no tables for a token that is only read', async () => {
    const token = await newToken();
    expect(await token.events()).toEqual([]);
    expect(await token.summary()).toEqual({ days: [], hours: [], routes: [] });
    await runInDurableObject(token.stub, async (_, state) => {
      expect(state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'request_%'").toArray()).toEqual([]);
    });
  });
});

describe('rotated token', () => {
  it('keeps its counts and its history under the new secret', async () => {
    const token = await newToken();
    const gate = createTokenGate(env.TOKEN_GATES, createTokensRepository(db), null);
    const admit = (hashedToken: string) =>
      gate.admit({
        ...{ hashedToken, demand: { kind: 'any' as const }, callerAddress: null, now: NOW },
        ...{ counter: 'token' as const, limit: 3, windowSeconds: 60, requests: 1 },
      });
    expect(await admit(token.hash)).toMatchObject({ used: 1 });
    expect(await admit(token.hash)).toMatchObject({ used: 2 });
    await token.stub.recordUsage(token.hash, [record()]);
    const newHash = hashToken('another secret');
    await db.update(apiTokens).set({ hashedToken: newHash }).where(eq(apiTokens.id, token.id));
    await gate.rotated(token.hash, newHash, NOW);
    expect(await admit(token.hash)).toEqual({ outcome: 'unauthenticated' });
    expect(await admit(newHash)).toMatchObject({ outcome: 'admitted', used: 3 });
    expect(await admit(newHash)).toMatchObject({ outcome: 'rate_limited' });
    await flushUsage(newHash);
    expect(await token.events()).toHaveLength(1);
    await runInDurableObject(token.stub, async (_, state) => {
      expect((await state.storage.list({ prefix: 'token-usage' })).size).toBe(0);
    });
  });

  it('moves its history page by page exactly once, also after a failed page', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const token = await newToken();
    for (let bundle = 0; bundle < 60; bundle += 1) {
      await token.stub.recordUsage(
        token.hash,
        Array.from({ length: 100 }, (_, index) => record({ at: NOW - bundle * 3600, route: `/v1/${index}` })),
      );
    }
    const before = [await token.events(), await token.summary(30)];
    expect(before[0]).toHaveLength(6000);
    const gate = createTokenGate(env.TOKEN_GATES, createTokensRepository(db), null);
    const newHash = hashToken(crypto.randomUUID());
    await db.update(apiTokens).set({ hashedToken: newHash }).where(eq(apiTokens.id, token.id));
    // The first page arrives, but its sender does not receive the confirmation.
    const page = await runInDurableObject(token.stub, (_, { storage }) => new TokenHistory(storage.sql).readPage());
    await env.TOKEN_GATES.getByName(newHash).importHistory({ from: token.hash, hashedToken: newHash, number: 0, page });
    await gate.rotated(token.hash, newHash, NOW);
    const byId = <Row extends { id: number }>(rows: Row[]) => rows.toSorted((one, other) => one.id - other.id);
    expect(byId(await token.events())).toEqual(byId(before[0] as Awaited<ReturnType<typeof token.events>>));
    expect(await token.summary(30)).toEqual(before[1]);
    await runInDurableObject(token.stub, async (_, { storage }) => {
      expect(new TokenHistory(storage.sql).readPage()).toBeNull();
      expect((await storage.list({ prefix: 'moves' })).size).toBe(0);
    });
  });

  it('resumes an interrupted move with the alarm of the old object', async () => {
    const token = await newToken();
    await token.stub.recordUsage(
      token.hash,
      Array.from({ length: 100 }, () => record()),
    );
    const newHash = hashToken(crypto.randomUUID());
    await db.update(apiTokens).set({ hashedToken: newHash }).where(eq(apiTokens.id, token.id));
    const handover = await token.stub.exportState(newHash);
    await env.TOKEN_GATES.getByName(newHash).importState(handover, NOW);
    expect(await token.events()).toEqual([]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    await runDurableObjectAlarm(token.stub);
    vi.useRealTimers();
    expect(await token.events()).toHaveLength(100);
  });
});
