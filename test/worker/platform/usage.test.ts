import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { hashToken } from '../../../src/platform/access/tokens/token-hash.ts';
import { createTokensRepository } from '../../../src/platform/access/tokens/tokens.repository.ts';
import { type ApiTokenRow, apiTokens } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createUsageRepository } from '../../../src/platform/usage/usage.repository.ts';
import { usageDays, usageEvents, usageHours } from '../../../src/platform/usage/usage.tables.ts';
import type { UsageRecord } from '../../../src/platform/usage/usage-record.ts';
import { createUsageWriter } from '../../../src/platform/usage/usage-writer.ts';
import { bearer, call, FIRST_INSTANT } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

const NOW = FIRST_INSTANT;
const HOUR = Math.floor(NOW / 3600) * 3600;
const PATH = '/v1/rotations/server-time';
const db = createDatabase(env.DB);
const usage = createUsageRepository(db);

/** A token with its gate and what is stored of its use. */
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
    /** Lets the object store what it has, as its alarm does a minute later. */
    async flush() {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
      await runDurableObjectAlarm(stub);
      vi.useRealTimers();
    },
    events: () => db.select().from(usageEvents).where(eq(usageEvents.tokenId, id)),
    token: async () => (await db.select().from(apiTokens).where(eq(apiTokens.id, id)))[0] as ApiTokenRow,
    summary: (days = 7, now = NOW) => usage.summary({ tokenId: id }, { days, now }),
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

describe('requests of a token', () => {
  it('ride on its next call, whatever they were answered, and are stored by its alarm', async () => {
    const fetch = testApp();
    const token = await newToken({ scopes: 1, allowedIps: ['10.0.0.0/8'] });
    const ask = (path: string, address = '10.0.0.1') => call(path, { authorization: bearer(token.secret), now: NOW, address }, fetch);
    await ask(`${PATH}?secret=1`);
    await ask('/v1/rotations/challenge/history?limit=0');
    await ask(PATH, '192.0.2.1');
    await ask('/v1/misc/news-history');
    await ask(PATH);
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

  it('go by themselves when no further call comes', async () => {
    const fetch = testApp({ bindings: { USAGE_DELAY_SECONDS: '0' } });
    const token = await newToken();
    await call(PATH, { authorization: bearer(token.secret), now: NOW }, fetch);
    await token.flush();
    expect(await token.events()).toHaveLength(1);
  });

  it('count when they are refused from memory', async () => {
    const fetch = testApp({ settings: { apiRateLimitMax: 2 }, bindings: { USAGE_DELAY_SECONDS: '0' } });
    const token = await newToken();
    for (let made = 0; made < 6; made += 1) await call(PATH, { authorization: bearer(token.secret), now: NOW }, fetch);
    await token.flush();
    const { days } = await token.summary();
    expect(days).toMatchObject([{ requestCount: 6, errorCount: 4, rateLimited: 4 }]);
  });

  it('do not count when the token plays no part, or is none', async () => {
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

  it('are kept singly up to about 10,000 of an account, its newest, while the sums count them all', async () => {
    const one = await newToken();
    const other = await newToken({ userId: one.userId });
    const stranger = await newToken();
    const writer = createUsageWriter(env.DB);
    const write = ({ id, userId }: typeof one, sequence: number, from: number) =>
      writer.write({ tokenId: id, userId, sequence, records: Array.from({ length: 500 }, (_, index) => record({ at: from + index })) });
    await write(stranger, 1, NOW);
    for (let bundle = 1; bundle <= 24; bundle += 1) {
      await write(one, bundle, NOW + bundle * 1000);
      if (bundle % 8 === 0) await write(other, bundle, NOW + bundle * 1000 + 500);
    }
    const events = [...(await one.events()), ...(await other.events())];
    expect(events.length).toBeGreaterThanOrEqual(10_000);
    expect(events.length).toBeLessThan(10_000 + 2 * 1000);
    expect(Math.min(...events.map(({ createdAt }) => createdAt))).toBeGreaterThan(NOW + 5000);
    expect(await stranger.events()).toHaveLength(500);
    expect([(await one.token()).requestCount, (await other.token()).requestCount]).toEqual([12_000, 1500]);
    expect((await one.summary()).days).toMatchObject([{ requestCount: 12_000 }]);
    // A repeated bundle trims nothing either.
    await write(one, 24, NOW);
    expect([...(await one.events()), ...(await other.events())]).toHaveLength(events.length);
    // The sweep of other tests reads the oldest rows first.
    await db.delete(usageEvents);
  });

  it('survive the loss of memory of the object', async () => {
    const token = await newToken();
    await token.stub.report(token.hash, [record(), record({ status: 500 })]);
    // The eviction lets the timers run first, as the runtime does.
    await evictDurableObject(token.stub);
    await token.flush();
    expect(await token.events()).toHaveLength(2);
  });

  it('are stored later when the database is out of reach, and once', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const token = await newToken();
    await token.stub.report(token.hash, [record()]);
    await env.DB.prepare('ALTER TABLE usage_days RENAME TO usage_days_away').run();
    await token.flush();
    await env.DB.prepare('ALTER TABLE usage_days_away RENAME TO usage_days').run();
    expect(await token.events()).toEqual([]);
    await token.stub.report(token.hash, [record({ at: NOW + 1 })]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await token.flush();
    expect((await token.events()).map(({ createdAt }) => createdAt).sort()).toEqual([NOW, NOW + 1]);
    expect(await token.token()).toMatchObject({ requestCount: 2, lastUsedAt: NOW + 1 });
  });

  it('of a flood are summed, and take no room', async () => {
    const gate = createTokenGate(env.TOKEN_GATES, createTokensRepository(db), null);
    const token = await newToken();
    for (let made = 0; made < 1000; made += 1) gate.finished(token.hash, record({ status: 429 }), () => {});
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

describe('a bundle', () => {
  const writer = createUsageWriter(env.DB);

  it('is stored once, however often it is written', async () => {
    const token = await newToken();
    const bundle = { tokenId: token.id, userId: token.userId, sequence: 5, records: [record(), record({ at: NOW - 7200 })] };
    for (let made = 0; made < 3; made += 1) await writer.write(bundle);
    await writer.write({ ...bundle, sequence: 4 });
    expect(await token.events()).toHaveLength(2);
    expect(await token.token()).toMatchObject({ requestCount: 2, usageSequence: 5 });
    await writer.write({ ...bundle, sequence: 6 });
    expect(await token.token()).toMatchObject({ requestCount: 4 });
  });

  it('of a token that is gone is dropped', async () => {
    await writer.write({ tokenId: 'nobody', userId: 'nobody', sequence: 1, records: [record()] });
    for (const table of [usageEvents, usageHours, usageDays])
      expect(await db.select().from(table).where(eq(table.userId, 'nobody'))).toEqual([]);
  });

  it('does not make a rotated token look used', async () => {
    const token = await newToken({ row: { rotatedAt: NOW + 1 } });
    await writer.write({ tokenId: token.id, userId: token.userId, sequence: 1, records: [record()] });
    expect(await token.token()).toMatchObject({ requestCount: 1, lastUsedAt: null });
  });
});

describe('sums', () => {
  const writer = createUsageWriter(env.DB);

  it('are told by day and by endpoint, beyond the life of single requests', async () => {
    const token = await newToken();
    const records = [
      record({ durationMilliseconds: 10 }),
      record({ durationMilliseconds: 21, status: 404 }),
      record({ method: 'POST', route: '/v1/mods/read', durationMilliseconds: 100, status: 429 }),
      record({ at: NOW - 3 * 86_400, durationMilliseconds: 7 }),
      record({ at: NOW - 100 * 86_400 }),
    ];
    await writer.write({ tokenId: token.id, userId: token.userId, sequence: 1, records });
    await usage.prune(NOW);
    expect(await token.events()).toHaveLength(4);
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
    expect((await usage.summary({ userId: token.userId }, { days: 365, now: NOW })).days).toHaveLength(3);
    await usage.prune(NOW + 401 * 86_400);
    expect((await token.summary(365)).days).toEqual([]);
  });

  it('look up few rows', async () => {
    const plans = await Promise.all(
      [
        `SELECT * FROM usage_hours WHERE token_id = 'x' AND hour >= ${HOUR}`,
        `SELECT * FROM usage_hours WHERE user_id = 'x' AND hour >= ${HOUR}`,
        `SELECT * FROM usage_days WHERE day >= ${HOUR} GROUP BY +user_id`,
        `SELECT * FROM usage_events WHERE user_id = 'x' ORDER BY id DESC LIMIT 50`,
        `SELECT * FROM usage_events WHERE status_code = 429 AND status_code >= 400 ORDER BY id DESC LIMIT 50`,
        'SELECT * FROM usage_events WHERE id < 100 ORDER BY id DESC LIMIT 50',
      ].map((query) => env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`).all<{ detail: string }>()),
    );
    for (const { results } of plans) expect(results[0]?.detail).toMatch(/^SEARCH/);
  });

  it('go with their account', async () => {
    const token = await newToken();
    await writer.write({ tokenId: token.id, userId: token.userId, sequence: 1, records: [record()] });
    await usage.removeOwner(token.userId);
    expect(await token.events()).toEqual([]);
    expect((await token.summary(365)).days).toEqual([]);
  });
});

describe('a rotated token', () => {
  it('goes on with its counts and its records under its new secret', async () => {
    const token = await newToken();
    const gate = createTokenGate(env.TOKEN_GATES, createTokensRepository(db), null);
    const ask = (hashedToken: string) =>
      gate.admit({
        ...{ hashedToken, demand: { kind: 'any' as const }, callerAddress: null, now: NOW },
        ...{ counter: 'token' as const, limit: 3, windowSeconds: 60, requests: 1 },
      });
    expect(await ask(token.hash)).toMatchObject({ used: 1 });
    expect(await ask(token.hash)).toMatchObject({ used: 2 });
    await token.stub.report(token.hash, [record()]);
    const newHash = hashToken('another secret');
    await db.update(apiTokens).set({ hashedToken: newHash }).where(eq(apiTokens.id, token.id));
    await gate.rotated(token.hash, newHash, NOW);
    expect(await ask(token.hash)).toEqual({ outcome: 'unauthenticated' });
    expect(await ask(newHash)).toMatchObject({ outcome: 'admitted', used: 3 });
    expect(await ask(newHash)).toMatchObject({ outcome: 'rate_limited' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await runDurableObjectAlarm(env.TOKEN_GATES.getByName(newHash));
    expect(await token.events()).toHaveLength(1);
    await runInDurableObject(token.stub, async (_, state) => {
      expect(await state.storage.get('usage')).toBeUndefined();
    });
  });
});
