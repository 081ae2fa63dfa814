import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createUsageStore } from '../../../src/areas/usage/usage.store.ts';
import { BUSY_PAUSE_MS, BUSY_REQUESTS, createTraffic, selectTrafficHours } from '../../../src/platform/access/usage/traffic.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

const db = createDatabase(env.DB);
const HOUR = 1_773_158_400;
const PATH = '/v1/rotations/server-time';
const noWait = () => {};

beforeEach(async () => {
  await env.DB.exec('DELETE FROM usage_hours');
});

const rows = () => selectTrafficHours(db, 0);
const request = (more: object = {}) => ({ hasToken: true, status: 200, durationMs: 12, at: HOUR + 5, ...more });

describe('traffic', () => {
  it('counts requests with a token one by one, by hour, result and duration', async () => {
    const traffic = createTraffic(db, null, () => 0.99);
    for (const status of [200, 304, 404, 429, 500]) traffic.record(request({ status }), noWait);
    traffic.record(request({ durationMs: 700, at: HOUR + 3600 }), noWait);
    await traffic.flush();
    expect(await rows()).toMatchObject([
      { hour: HOUR, kind: 'token', requestCount: 5, errorCount: 3, rateLimited: 1, durationMs: 60, d2: 5, d11: 0 },
      { hour: HOUR + 3600, kind: 'token', requestCount: 1, errorCount: 0, d2: 0, d11: 1 },
    ]);
  });

  it('adds to the rows of other isolates', async () => {
    for (const traffic of [createTraffic(db, null, () => 0), createTraffic(db, null, () => 0)]) {
      traffic.record(request(), noWait);
      await traffic.flush();
      await traffic.flush();
    }
    expect(await rows()).toMatchObject([{ requestCount: 2, durationMs: 24, d2: 2 }]);
  });

  it('counts one of ten requests without a token as ten, and each failure of the service', async () => {
    let drawn = 0;
    const traffic = createTraffic(db, null, () => (drawn++ % 10) / 10);
    for (let count = 0; count < 200; count += 1) traffic.record(request({ hasToken: false }), noWait);
    for (let count = 0; count < 3; count += 1) traffic.record(request({ hasToken: false, status: 503 }), noWait);
    await traffic.flush();
    expect(await rows()).toMatchObject([{ kind: 'other', requestCount: 203, errorCount: 3, durationMs: 203 * 12 }]);
  });

  it('waits once per pause beyond a response, and stores everything counted by then', async () => {
    const traffic = createTraffic(db, 0, () => 0);
    const waits: Promise<unknown>[] = [];
    for (let count = 0; count < 50; count += 1) traffic.record(request(), (work) => waits.push(work));
    expect(waits).toHaveLength(1);
    await Promise.all(waits);
    expect(await rows()).toMatchObject([{ requestCount: 50 }]);
    traffic.record(request(), (work) => waits.push(work));
    expect(waits).toHaveLength(2);
    await Promise.all(waits);
  });

  it('waits less often in a busy isolate', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const traffic = createTraffic(db, 0, () => 0);
    const waits: Promise<unknown>[] = [];
    const record = () => traffic.record(request(), (work) => waits.push(work));
    for (let count = 0; count < BUSY_REQUESTS; count += 1) record();
    await Promise.all(waits);
    record();
    expect(waits).toHaveLength(1);
    vi.setSystemTime(Date.now() + BUSY_PAUSE_MS);
    record();
    expect(waits).toHaveLength(2);
    await Promise.all(waits);
    expect(await rows()).toMatchObject([{ requestCount: BUSY_REQUESTS + 2 }]);
    vi.useRealTimers();
  });

  it('keeps its counts while the database fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    let isDown = true;
    const $client = {
      ...db.$client,
      prepare: (text: string) => {
        if (isDown) throw new Error('no database');
        return db.$client.prepare(text);
      },
    };
    const traffic = createTraffic({ $client }, null, () => 0);
    traffic.record(request(), noWait);
    await traffic.flush();
    isDown = false;
    traffic.record(request(), noWait);
    await traffic.flush();
    expect(await rows()).toMatchObject([{ requestCount: 2 }]);
    vi.restoreAllMocks();
  });

  it('counts the requests of the service with and without a token, also for unknown paths', async () => {
    const fetch = testApp({ deps: { traffic: createTraffic(db, 0, () => 0) } });
    const authorization = bearer(await createToken());
    await call(PATH, { authorization, now: HOUR }, fetch);
    await call('/v1/rotations/nonsense', { now: HOUR }, fetch);
    const found = await rows();
    expect(found.map(({ kind, errorCount }) => [kind, errorCount])).toEqual([
      ['other', 10],
      ['token', 0],
    ]);
  });

  it('sums by day for a window of more than two days, and deletes expired rows', async () => {
    const traffic = createTraffic(db, null, () => 0);
    const day = HOUR - (HOUR % 86_400);
    for (const at of [day - 500 * 86_400, day - 86_400, day, day + 3600]) traffic.record(request({ at }), noWait);
    await traffic.flush();
    const usage = createUsageStore(db, {} as never);
    const { rows: days, periodSeconds } = await usage.listTraffic({ days: 7, now: HOUR });
    expect([days.map(({ hour, requestCount, d2 }) => [hour - day, requestCount, d2]), periodSeconds]).toEqual([
      [
        [-86_400, 1, 1],
        [0, 2, 2],
      ],
      86_400,
    ]);
    const hours = await usage.listTraffic({ days: 1, now: day + 7200 });
    expect([hours.rows.map(({ hour }) => hour - day), hours.periodSeconds]).toEqual([[0, 3600], 3600]);
    await usage.deleteExpired(HOUR);
    expect(await rows()).toHaveLength(3);
  });
});
