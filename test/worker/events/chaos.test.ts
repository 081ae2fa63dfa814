import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventLog } from '../../../src/areas/events/event-log.store.ts';
import { MAX_QUEUED_EVENTS } from '../../../src/areas/events/events.data.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';
import { ChaosClient, type ClientBehavior } from './chaos-client.ts';
import { announceReleases, coordinator, eventually, killShard, liveCount, pause, SHARDS, shard, startClock } from './objects.ts';
import { TestStream } from './streams.ts';

/** 2026-03-18 09:05 UTC, a Wednesday. */
const NOW = 1_773_824_700;
const EVENTS = 90;

beforeAll(() => startClock(NOW));

afterEach(() => {
  vi.restoreAllMocks();
});

/** Pseudorandom numbers, the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('stream client under random failures', () => {
  it('receives every event exactly once over reconnects and object restarts', async () => {
    const random = randomNumbers(7);
    const polite: ClientBehavior = { bytesAtOnce: 4096, leavesAfterBytes: Number.POSITIVE_INFINITY, readDelayMs: 0 };
    const ways: (() => ClientBehavior)[] = [
      () => polite,
      () => ({ ...polite, bytesAtOnce: 16 }),
      // Resets within an event, at first within the snapshot.
      () => ({ ...polite, leavesAfterBytes: 1 + random(3000) }),
      () => ({ ...polite, leavesAfterBytes: 500 + random(3000), bytesAtOnce: 1 + random(64) }),
      // Does not read until its queue is full.
      () => ({ ...polite, readDelayMs: 100 + random(200) }),
    ];
    const first = (await coordinator().join()).id;
    const clients = Array.from({ length: 10 }, () => new ChaosClient(NOW, first));
    const done = Promise.all(
      clients.map((client, index) => client.run(ways[index % ways.length] ?? (() => polite), (one) => one.releases.includes(EVENTS - 1))),
    );
    await eventually(async () => (await liveCount()) > 0);
    for (let number = 0; number < EVENTS; number += 1) {
      await announceReleases(1, { first: number, now: NOW });
      if (number % 40 === 20) await evictDurableObject(coordinator()).catch(() => {});
      if (number % 40 === 10) await Promise.all(SHARDS.map(killShard));
      if (number % 40 === 30) await killShard(SHARDS[0] ?? '');
      if (number % 20 === 5) await pause(5);
    }
    await done;
    const expected = Array.from({ length: EVENTS }, (_, number) => number);
    for (const { releases, ids } of clients) {
      expect(releases).toEqual(expected);
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(Math.max(...clients.map(({ connections }) => connections))).toBeGreaterThan(4);
    expect((await coordinator().join()).id).toBe(first + EVENTS);
    await eventually(async () => (await liveCount()) === 0);
  });

  it('leaves no stream or slot behind', async () => {
    const streams = await Promise.all(Array.from({ length: 24 }, () => TestStream.open({ now: NOW })));
    expect(await liveCount()).toBe(24);
    await Promise.all(streams.map((stream) => stream.close()));
    await eventually(async () => (await liveCount()) === 0);
  });

  it('is disconnected when its queue is full', async () => {
    const deaf = await TestStream.open({ now: NOW, query: 'types=mod_release' });
    const publishMany = async (count: number) => {
      await runInDurableObject(coordinator(), (_, state) => {
        const log = new EventLog(state.storage.sql);
        for (let event = 0; event < count; event += 1) log.append('mod_release', '{}', NOW);
      });
      const { id } = await coordinator().join();
      await Promise.all(SHARDS.map((name) => shard(name).catchUp(id)));
      await pause(20);
    };
    await publishMany(MAX_QUEUED_EVENTS);
    expect(await liveCount()).toBe(1);
    // More than one more event, because some are already in transit and not queued.
    await publishMany(5);
    await eventually(async () => (await liveCount()) === 0);
    await deaf.close();
  });
});

describe('client that changes shards', () => {
  it('does not receive an event twice that the previous shard sent', async () => {
    await TestStream.open({ now: NOW }).then((stream) => stream.close());
    await announceReleases(1, { first: 2000, now: NOW });
    const { id } = await coordinator().join();
    // All shards are one event behind, as before they receive an event.
    for (const name of SHARDS) {
      await runInDurableObject(shard(name), (_, state) => state.storage.kv.put('newest', { id: id - 1, at: NOW }));
    }
    const stream = await TestStream.open({ now: NOW, query: 'types=stampy,mod_release', headers: { 'Last-Event-ID': String(id) } });
    expect(await stream.message()).toMatchObject({ event: 'stampy', id });
    await announceReleases(1, { first: 2001, now: NOW });
    expect(await stream.message()).toMatchObject({ event: 'mod_release', id: id + 1 });
    await stream.close();
  });
});

describe('stream capacity', () => {
  const usual = env.EVENTS_MAX_CONNECTIONS_PER_SHARD;

  /** Sets the maximum number of streams per shard. */
  async function limitTo(places: string | undefined): Promise<void> {
    await runInDurableObject(shard(SHARDS[0] ?? ''), (instance) => {
      Object.assign((instance as unknown as { env: Env }).env, { EVENTS_MAX_CONNECTIONS_PER_SHARD: places });
    });
  }

  it('is the sum of all shards, and further requests return 503', async () => {
    await limitTo('2');
    const streams = await Promise.all(Array.from({ length: 2 * SHARDS.length }, () => TestStream.open({ now: NOW })));
    const response = await call('/v1/events/stream');
    expect(response.status).toBe(503);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Retry-After')).toBe('30');
    expect(response.headers.get('X-RateLimit-Remaining')).toBe('29');
    expect(JSON.parse(response.text).error).toMatchObject({
      code: 'service_unavailable',
      message: 'the event stream is at capacity',
    });
    expect(await liveCount()).toBe(2 * SHARDS.length);
    // A freed slot is available again.
    await streams.pop()?.close();
    await eventually(async () => (await liveCount()) === 2 * SHARDS.length - 1);
    streams.push(await TestStream.open({ now: NOW, fetch: testApp() }));
    expect((await call('/v1/events/stream', {}, testApp())).status).toBe(503);
    await Promise.all(streams.map((stream) => stream.close()));
    await limitTo(usual);
  });

  it('is found with few calls when most of many shards are full, and with one call afterwards', async () => {
    await limitTo('1');
    const names = Array.from({ length: 64 }, (_, index) => `shard-${index}`);
    const calls: string[] = [];
    const counted = {
      getByName: (name: string) => {
        calls.push(name);
        return env.EVENT_SHARDS.getByName(name);
      },
    } as unknown as Env['EVENT_SHARDS'];
    const many = () => testApp({ bindings: { EVENTS_SHARDS: '64', EVENT_SHARDS: counted } });
    const filling = many();
    const streams: TestStream[] = [];
    for (let count = 0; count < 20; count += 1) streams.push(await TestStream.open({ now: NOW, fetch: filling }));
    expect(calls).toHaveLength(20 + 19);
    expect(await Promise.all(names.slice(0, 21).map((name) => shard(name).connections()))).toEqual([...Array(20).fill(1), 0]);

    const cold = many();
    calls.length = 0;
    streams.push(await TestStream.open({ now: NOW, fetch: cold }));
    expect(calls).toEqual([0, 1, 2, 4, 8, 16, 32].map((step) => names[step]));
    await Promise.all(streams.map((stream) => stream.close()));
    await eventually(async () => (await liveCount()) === 0);
    await limitTo(usual);
  });

  it('is not reduced by unreachable shards, which are skipped for a while', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const fetch = vi.fn(() => Promise.reject(new Error('out of reach')));
    const all = { getByName: () => ({ fetch }) } as unknown as Env['EVENT_SHARDS'];
    const closed = testApp({ bindings: { EVENT_SHARDS: all } });
    for (let count = 0; count < 5; count += 1) expect((await call('/v1/events/stream', {}, closed)).status).toBe(503);
    expect(fetch).toHaveBeenCalledTimes(SHARDS.length);

    const some = { getByName: (name: string) => (name === SHARDS[5] ? env.EVENT_SHARDS.getByName(name) : { fetch }) };
    const halfOpen = testApp({ bindings: { EVENT_SHARDS: some as unknown as Env['EVENT_SHARDS'] } });
    await (await TestStream.open({ now: NOW, fetch: halfOpen })).close();
  });
});
