import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { METERS, type Usage } from '../../../src/areas/admin/bill/prices.data.ts';
import { composeApp } from '../../../src/composition.ts';
import { createTraffic } from '../../../src/platform/access/usage/traffic.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { UNIT_COSTS } from '../../scale/unit-costs.data.ts';
import { measure, type Reading } from '../../support/meter.ts';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { CLOSED_VARIABLES, closeUpstreamSettings } from '../../support/upstreams/closed.ts';
import { coordinator, eventually, SHARDS, shard } from '../events/objects.ts';
import { TestStream } from '../events/streams.ts';
import { testApp } from './test-app.ts';

const PATH = '/v1/rotations/server-time';
/** The start of a minute and of an hour. */
const NOW = 1_773_158_400;
const FIRST_SHARD = SHARDS[0] ?? '';
const streams: TestStream[] = [];

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(streams.splice(0).map((stream) => stream.close()));
});

/** Expects at most `count` times the amounts of the model, except of `ignored` meters, and that no timer keeps an object in memory. */
function expectWithin(
  { usage, pendingTimers }: Reading,
  costs: Partial<Usage>,
  count = 1,
  ignored: (keyof Usage)[] = ['log events'],
): void {
  expect(pendingTimers).toEqual([]);
  const above = METERS.filter((meter) => !ignored.includes(meter) && usage[meter] > (costs[meter] ?? 0) * count);
  expect(above.map((meter) => `${meter}: ${usage[meter]} instead of ${(costs[meter] ?? 0) * count}`)).toEqual([]);
}

async function requests(count: number, options: Parameters<typeof call>[1], fetch = testApp({ settings: {} })): Promise<void> {
  for (let number = 0; number < count; number += 1) expect((await call(PATH, options, fetch)).status).toBe(200);
}

async function openStream(headers: Record<string, string> = {}): Promise<TestStream> {
  const stream = await TestStream.open({ query: 'types=stampy', fetch: testApp({ settings: {} }), headers });
  streams.push(stream);
  await stream.message();
  return stream;
}

// First: the streams of the other tests leave alarms behind.
describe('bill at rest', () => {
  it('counts a minute of the cron job in a service without requests', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    // A clock that stands still in the far future: settings are read again after seconds, and objects set alarms for half a minute later,
    // which pass here on a busy machine.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2100) });
    const off = { NEWS_FEED_URL: '', COMMUNITY_EVENTS_URL: '', VIDEOS_B_SEARCH_URL: '', UPDATES_SOURCE_BASE: '' };
    await closeUpstreamSettings(NOW);
    const { ports, scheduler } = composeApp({ ...env, ...CLOSED_VARIABLES, ...off } as Env);
    const jobs = await scheduler.status(NOW);
    // The jobs of an hour and of a day are not due.
    const insert = env.DB.prepare('INSERT OR REPLACE INTO job_runs (name, last_run_at, last_success_at, failures) VALUES (?1, ?2, ?2, 0)');
    await env.DB.batch(jobs.map(({ name }) => insert.bind(name, NOW)));
    const tick = async (now: number) => {
      await ports.checkService(now);
      await scheduler.tick(now);
    };
    await tick(NOW + 60);
    await tick(NOW + 120);
    // Work that the first minute of a new service left to alarms.
    await Promise.all([coordinator(), ...SHARDS.map(shard)].map((object) => runDurableObjectAlarm(object)));
    expectWithin(await measure(() => tick(NOW + 180)), UNIT_COSTS.cronMinute);
  });
});

describe('bill of requests', () => {
  it('has one object request and no row for each request without a token', async () => {
    const fetch = testApp({ settings: {} });
    await call(PATH, { address: '203.0.113.8', now: NOW }, fetch);
    const reading = await measure(() => requests(30, { address: '203.0.113.9', now: NOW }, fetch));
    expectWithin(reading, UNIT_COSTS.anonymousRequest, 30, ['log events', 'object rows read']);
    expect(reading.usage['object requests']).toBe(30);
  });

  it('has one object request for each request with a token, and a row for an eighth of the limit and for 20 usage records', async () => {
    const fetch = testApp({ settings: {} });
    const authorization = bearer(await createToken());
    await requests(1, { authorization, now: NOW - 60 }, fetch);
    const reading = await measure(() => requests(120, { authorization, now: NOW }, fetch));
    const rows = { 'object rows written': 0.2 };
    expectWithin(reading, { ...UNIT_COSTS.tokenRequest, ...rows }, 120, ['log events', 'object rows read']);
    expect(reading.usage['object requests']).toBe(120);
  });

  it('has one look-up in the database for the first use of a token', async () => {
    const fetch = testApp({ settings: {} });
    const authorization = bearer(await createToken());
    const reading = await measure(() => requests(1, { authorization, now: NOW }, fetch));
    const { tokenLookup, tokenRequest } = UNIT_COSTS;
    expectWithin(reading, { ...tokenLookup, ...tokenRequest }, 1);
  });

  it('has no object request and no row for refusals that the isolate remembers', async () => {
    const fetch = testApp({ settings: { publicAnonRateLimitMax: 1 } });
    const ask = () => call(PATH, { address: '203.0.113.10', now: NOW }, fetch);
    for (let count = 0; count < 3; count += 1) await ask();
    const reading = await measure(async () => {
      for (let count = 0; count < 20; count += 1) expect((await ask()).status).toBe(429);
    });
    expectWithin(reading, {});
  });
});

describe('bill of the counts of requests', () => {
  it('has a row for requests with a token and one for others', async () => {
    const traffic = createTraffic(createDatabase(env.DB), null, () => 0);
    const record = (hasToken: boolean) => traffic.record({ hasToken, status: 200, durationMs: 5, at: NOW }, () => {});
    const flush = async () => {
      for (let count = 0; count < 100; count += 1) record(count % 2 === 0);
      await traffic.flush();
    };
    await flush();
    expectWithin(await measure(flush), UNIT_COSTS.trafficFlush);
  });
});

describe('bill of streams', () => {
  it('counts the opening and the end of a stream', async () => {
    await openStream();
    const opening = await measure(() => openStream());
    expectWithin(opening, UNIT_COSTS.streamOpen);
    const shardObject = shard(FIRST_SHARD);
    await measure(async () => {
      await streams.pop()?.close();
      await eventually(async () => (await shardObject.connections()) === 1);
    }).then(({ usage, pendingTimers }) => {
      expect(usage['object rows written']).toBeLessThanOrEqual(UNIT_COSTS.streamClose['object rows written']);
      expect(pendingTimers).toEqual([]);
    });
  });

  it('has one row for each heartbeat of a shard, and one row and object request for each renewal', async () => {
    const stream = await openStream();
    await runDurableObjectAlarm(shard(FIRST_SHARD));
    const { shardHeartbeat, slotRenewal } = UNIT_COSTS;
    const heartbeats = 90;
    const reading = await measure(async () => {
      for (let heartbeat = 0; heartbeat < heartbeats; heartbeat += 1) {
        await runDurableObjectAlarm(shard(FIRST_SHARD));
        await stream.next();
      }
    });
    // The test deletes each alarm that it runs early: a row of its own.
    const perHeartbeat = shardHeartbeat['object rows written'] + 1;
    expect(reading.pendingTimers).toEqual([]);
    expect(reading.usage['object rows written']).toBeLessThanOrEqual(heartbeats * perHeartbeat + 2 * slotRenewal['object rows written']);
    expect(reading.usage['object requests']).toBeLessThanOrEqual(heartbeats * shardHeartbeat['object requests'] + 2);
    expect(reading.usage['object requests']).toBe(heartbeats + 2);
  });

  it('counts a message to the shards with streams', async () => {
    await openStream();
    await Promise.all(SHARDS.map((name) => shard(name).catchUp(0)));
    await coordinator().announce('mod_release', 'first', '{}', NOW);
    const reading = await measure(() => coordinator().announce('mod_release', 'second', '{}', NOW));
    expectWithin(reading, UNIT_COSTS.streamMessage);
    expect(reading.usage['object requests']).toBe(2);
  });

  it('counts a check of the coordinator', async () => {
    await coordinator().join();
    await runDurableObjectAlarm(coordinator());
    const reading = await measure(() => runDurableObjectAlarm(coordinator()));
    const { coordinatorCheck } = UNIT_COSTS;
    expectWithin(reading, { ...coordinatorCheck, 'object rows written': coordinatorCheck['object rows written'] + 1 });
  });
});
