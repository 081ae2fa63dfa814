import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventClient, createWatchJob } from '../../../src/areas/events/index.ts';
import { challenge } from '../../../src/areas/rotations/reports/challenge.resource.ts';
import { createReportsStore } from '../../../src/areas/rotations/reports/reports.store.ts';
import { corruxionAt, corruxionNextChangeAt } from '../../../src/areas/rotations/schedules/computed.domain.ts';
import { corruxionRules } from '../../../src/areas/rotations/schedules/schedules.data.ts';
import { composeApp } from '../../../src/composition.ts';
import { EventShardObject } from '../../../src/index.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS, EVENTS } from '../../support/declarations.ts';
import { call } from '../../support/requests.ts';
import { COMPUTED_ROTATIONS } from '../../support/rotations.ts';
import { testApp } from '../platform/test-app.ts';
import { coordinator, eventually, liveCount, pause, reporter, SHARDS, setClock } from './objects.ts';
import { type StreamMessage, TestStream } from './streams.ts';

const HOUR = 3600;
/** 2026-03-16 12:05 UTC, a Monday: in an open challenge window. Each test starts a day later. */
const FIRST = 1_773_662_700;
/** Endpoints of the sources that change at the same time. */
const ROUTES = new Map([challenge, ...COMPUTED_ROTATIONS].map(({ event, path }): [string | undefined, string] => [event?.type, path]));
let now = FIRST;
let tests = 0;

/** A client with the sources of the service. */
function clientOf(coordinators: Env['EVENT_COORDINATOR']) {
  const { service, settings } = composeApp(env);
  const freshness = { catchUp: async () => null };
  const sources = service.eventSources;
  return createEventClient({ coordinators, shards: env.EVENT_SHARDS, shardNames: SHARDS, maxPerShard: 10, sources, settings, freshness });
}

const open: TestStream[] = [];

/** A stream after its snapshot, which contains all sources except `game_update` (empty archive). */
async function primed(query = '', at = now): Promise<TestStream> {
  const stream = await TestStream.open({ now: at, query });
  open.push(stream);
  if (query === '') await stream.messages(EVENTS.all.filter(({ isDiscrete, isOnRequest }) => !isDiscrete && !isOnRequest).length - 1);
  return stream;
}

beforeEach(async () => {
  tests += 1;
  now = FIRST + tests * 24 * HOUR;
  await setClock(now);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((stream) => stream.close()));
  await eventually(async () => (await liveCount()) === 0);
  // Waits for the release of the last slots.
  await pause(20);
});

describe('event of an insert', () => {
  it('reaches every stream of every shard before the insert returns, with the body of the endpoint', async () => {
    const report = reporter();
    const streams = await Promise.all(Array.from({ length: 20 }, () => primed()));
    const [filtered] = await Promise.all([primed('types=chaos')]);
    await filtered?.message();
    expect((await report('challenge', 'Racing Challenge', now)).status).toBe(200);
    const published = await coordinator().join();
    const body = (await call('/v1/rotations/challenge/current', { now: published.at })).text;
    for (const stream of streams) {
      expect(await stream.message()).toMatchObject({ event: 'challenge', id: published.id, ts: published.at, body });
    }
    expect(JSON.parse(body)).toMatchObject({ name: 'Racing Challenge', type: 'racing' });

    expect((await report('chaos-chest', 'Some Wings', now)).status).toBe(200);
    expect(await filtered?.message()).toMatchObject({ event: 'chaos', id: published.id + 1 });
    expect(await streams[0]?.message()).toMatchObject({ event: 'chaos', id: published.id + 1 });
  });

  it('is one message per insert that changes data, in the order of acceptance', async () => {
    const stream = await primed();
    const report = reporter();
    const before = (await coordinator().join()).id;
    const names = ['One', 'One', 'Two', 'Two', 'One'];
    for (const name of names) {
      const { status, headers } = await report('challenge', name, now);
      expect([status, headers.get('X-RateLimit-Remaining')]).toEqual([200, expect.any(String)]);
      now += 300;
    }
    now = FIRST + tests * 24 * HOUR;
    const messages = await stream.messages(3);
    expect(messages.map(({ id, body }) => [id - before, JSON.parse(body).name])).toEqual([
      [1, 'One'],
      [2, 'Two'],
      [3, 'One'],
    ]);
  });

  it('is published by the periodic check when the insert cannot publish it', async () => {
    const stream = await primed('types=challenge');
    await stream.message();
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const outOfReach = { getByName: () => ({ publish: () => Promise.reject(new Error('out of reach')) }) };
    const deaf = testApp({ bindings: { EVENT_COORDINATOR: outOfReach as unknown as Env['EVENT_COORDINATOR'] } });
    expect((await reporter(deaf)('challenge', 'Unheard', now)).status).toBe(200);
    expect(log).toHaveBeenCalledOnce();
    expect(await runDurableObjectAlarm(coordinator())).toBe(true);
    expect(JSON.parse((await stream.message()).body)).toMatchObject({ name: 'Unheard' });
  });

  it('does not delay the insert beyond the timeout when the coordinator hangs', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const hanging = { getByName: () => ({ publish: () => new Promise(() => {}) }) } as unknown as Env['EVENT_COORDINATOR'];
    const client = clientOf(hanging);
    const published = client.changed('challenge', now);
    await vi.advanceTimersByTimeAsync(10_000);
    await published;
    vi.useRealTimers();
  });

  it('is published within 30 seconds for writes that bypass the service', async () => {
    const stream = await primed('types=challenge');
    await stream.message();
    const alarmAt = await runInDurableObject(coordinator(), (_, state) => state.storage.getAlarm());
    expect((alarmAt ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThanOrEqual(30_000);
    await createReportsStore(createDatabase(env.DB)).saveChallenge({
      windowAnchorAt: now - (now % HOUR),
      name: 'Silent',
      isFridayWindow: false,
      capturedAt: now,
    });
    await runDurableObjectAlarm(coordinator());
    expect(JSON.parse((await stream.message()).body)).toMatchObject({ name: 'Silent' });
  });
});

describe('event of a boundary', () => {
  it('is published by the alarm in the second of the boundary', async () => {
    const change = corruxionNextChangeAt(now, corruxionRules);
    const arrival = corruxionAt(change, corruxionRules).active ? change : corruxionNextChangeAt(change, corruxionRules);
    // About two seconds before the merchant arrives; no request except the connection.
    await setClock(arrival - 2);
    const stream = await primed('types=corruxion', arrival - 2);
    expect(JSON.parse((await stream.message()).body)).toMatchObject({ active: false });
    const message = await stream.message();
    expect(message.event).toBe('corruxion');
    expect(JSON.parse(message.body)).toMatchObject({ active: true, starts_at: arrival });
    expect(message.body).toBe((await call('/v1/rotations/corruxion', { now: message.ts })).text);
    // The exact second, with a tolerance for busy machines.
    expect(message.ts).toBeGreaterThanOrEqual(arrival);
    expect(message.ts).toBeLessThanOrEqual(arrival + 2);
  });

  it('is one message per source when boundaries coincide', async () => {
    // Monday 2026-06-08 11:00 UTC: a challenge window opens, all biomes and the daily bonus change, stampy leaves.
    const reset = 1_780_916_400;
    await setClock(reset - 60);
    const stream = await primed('', reset - 60);
    await Promise.all([setClock(reset), setClock(reset), coordinator().publish('challenge', null, reset)]);
    const { id } = await coordinator().join();
    const messages: StreamMessage[] = [];
    while (messages.at(-1)?.id !== id) messages.push(await stream.message());
    const changed = composeApp(env)
      .service.eventSources()
      .filter(({ nextChangeAt }) => nextChangeAt?.(reset - 60) === reset);
    const types = changed.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['challenge', 'longshade', 'wild_mana', 'stampy', 'daily_bonuses']));
    expect(messages.map(({ event }) => event)).toEqual(types);
    for (const { event, ts, body } of messages) expect((await call(ROUTES.get(event) ?? '', { now: ts })).text).toBe(body);
  });
});

describe('coordinator alarm', () => {
  it('is set by the job that runs every minute when it is missing', async () => {
    await runInDurableObject(coordinator(), (_, state) => state.storage.deleteAlarm());
    const client = clientOf(env.EVENT_COORDINATOR);
    const job = createWatchJob(client);
    expect(job).toMatchObject({ name: 'events-watch', schedule: { everySeconds: 60 } });
    await job.run({ now, settings: DEFAULT_SETTINGS, signal: new AbortController().signal, isManual: false });
    expect(await runInDurableObject(coordinator(), (_, state) => state.storage.getAlarm())).toBeGreaterThan(0);
  });

  it('calls only shards with streams', async () => {
    const publish = EventShardObject.prototype.publish;
    const called: (string | undefined)[] = [];
    vi.spyOn(EventShardObject.prototype, 'publish').mockImplementation(async function (this: EventShardObject, event) {
      called.push(nameOf(this));
      return publish.call(this, event);
    });
    const announce = (key: string) => coordinator().announce('mod_release', `${tests} ${key}`, `"${key}"`, now);
    // Shards whose streams ended reply once that they have none.
    await announce('first');
    called.length = 0;
    await announce('second');
    expect(called).toEqual([]);
    const stream = await primed('types=mod_release');
    await announce('third');
    expect([called, (await stream.message()).body]).toEqual([[SHARDS[0]], '"third"']);
  });

  it('sends missed events to a shard in order and wakes no other shard', async () => {
    const streams = await Promise.all(SHARDS.map(() => primed('types=mod_release')));
    await eventually(async () => (await liveCount()) === SHARDS.length);
    const [deaf] = SHARDS;
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await runInDurableObject(coordinator(), (instance) => {
      const { EVENT_SHARDS } = (instance as unknown as { env: Env }).env;
      const reach = EVENT_SHARDS.getByName.bind(EVENT_SHARDS);
      const outOfReach = { publish: () => Promise.reject(new Error('out of reach')) } as unknown as ReturnType<typeof reach>;
      vi.spyOn(EVENT_SHARDS, 'getByName').mockImplementation((name) => (name === deaf ? outOfReach : reach(name)));
    });
    const catchUp = EventShardObject.prototype.catchUp;
    const told: (string | undefined)[] = [];
    for (const key of ['a', 'b']) await coordinator().announce('mod_release', `${tests} ${key}`, `"${key}"`, now);
    vi.spyOn(EventShardObject.prototype, 'catchUp').mockImplementation(async function (this: EventShardObject, id) {
      told.push(nameOf(this));
      return catchUp.call(this, id);
    });
    const alarmAt = await runInDurableObject(coordinator(), (_, state) => state.storage.getAlarm());
    expect((alarmAt ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThanOrEqual(5000);
    await runInDurableObject(coordinator(), (instance) => {
      vi.mocked((instance as unknown as { env: Env }).env.EVENT_SHARDS.getByName).mockRestore();
    });
    await evictDurableObject(coordinator());
    await runDurableObjectAlarm(coordinator());
    for (const stream of streams) expect((await stream.messages(2)).map(({ body }) => body)).toEqual(['"a"', '"b"']);
    expect(told).toEqual([deaf]);
  });

  it('rejects a clock offset in production', async () => {
    const app = await runInDurableObject(coordinator(), (instance, state) => {
      const production = new (instance.constructor as new (ctx: DurableObjectState, env: Env) => typeof instance)(state, {
        ...env,
        ENVIRONMENT: 'production',
      });
      return production.setTestOffset(5).then(
        () => 'moved',
        (error: Error) => error.message,
      );
    });
    expect(app).toBe('the clock offset is available in development and test only');
  });
});

/** Name of the shard of an instance. One that an alarm or an id without a name started does not know its own. */
function nameOf(instance: EventShardObject): string | undefined {
  const { id } = (instance as unknown as { ctx: DurableObjectState }).ctx;
  return SHARDS.find((name) => env.EVENT_SHARDS.idFromName(name).equals(id));
}
