import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HEARTBEAT_SECONDS } from '../../../src/areas/events/events.data.ts';
import { RateLimitObject } from '../../../src/index.ts';
import { SLOT_RENEWAL_SECONDS } from '../../../src/platform/access/limits/stored-slots.ts';
import { eventually, killShard, liveCount, SHARDS, setClock, shard } from './objects.ts';
import { TestStream } from './streams.ts';

/** 2026-03-18 09:05 UTC, a Wednesday. */
const NOW = 1_773_824_700;
const FIRST = SHARDS[0] ?? '';
const opened: TestStream[] = [];

async function open(): Promise<TestStream> {
  const stream = await TestStream.open({ now: NOW, query: 'types=stampy' });
  opened.push(stream);
  await stream.message();
  return stream;
}

const storedSlots = (name: string) => runInDurableObject(shard(name), (_, state) => [...state.storage.kv.list({ prefix: 'slot:' })].length);

const heartbeat = () => runDurableObjectAlarm(shard(FIRST));
/** Heartbeats of a stream whose client reads every ping. Stops when the stream ends. */
async function readThroughHeartbeats(stream: TestStream, count: number): Promise<void> {
  // A heartbeat during a pending message sends no ping.
  await heartbeat();
  for (let heartbeats = 1; heartbeats < count; heartbeats += 1) {
    await heartbeat();
    if ((await stream.next()) === null) return;
  }
}

/** Heartbeats between two renewals of a slot. */
const RENEWAL_HEARTBEATS = SLOT_RENEWAL_SECONDS / HEARTBEAT_SECONDS;

beforeEach(() => setClock(NOW));

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((stream) => stream.close()));
  await eventually(async () => (await liveCount()) === 0);
});

describe('EventShardObject', () => {
  it('receives all streams in the first shard while it has capacity', async () => {
    for (let count = 0; count < 3; count += 1) await open();
    expect(await shard(FIRST).connections()).toBe(3);
    expect(await liveCount()).toBe(3);
  });

  it('sends a ping with every alarm, and sets the next one', async () => {
    const stream = await open();
    // A heartbeat during a pending message sends no ping.
    await eventually(async () => {
      await heartbeat();
      return true;
    });
    await heartbeat();
    expect((await stream.next())?.text).toBe(': ping\n\n');
    const alarmAt = await runInDurableObject(shard(FIRST), (_, state) => state.storage.getAlarm());
    expect((alarmAt ?? 0) - Date.now()).toBeLessThanOrEqual(HEARTBEAT_SECONDS * 1000);
    expect(alarmAt).not.toBeNull();
  });

  it('sets no alarm without streams, which allows its eviction', async () => {
    const stream = await open();
    await stream.close();
    await eventually(async () => (await liveCount()) === 0);
    await heartbeat();
    expect(await runInDurableObject(shard(FIRST), (_, state) => state.storage.getAlarm())).toBeNull();
    expect(await storedSlots(FIRST)).toBe(0);
  });

  it('renews each slot every 15 minutes', async () => {
    const stream = await open();
    const renewed = vi.spyOn(RateLimitObject.prototype, 'acquireSlot');
    await readThroughHeartbeats(stream, 2 * RENEWAL_HEARTBEATS);
    expect(renewed).toHaveBeenCalledTimes(2);
  });

  it('keeps a stream after a failed renewal and retries with the next heartbeat', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const stream = await open();
    const renewed = vi.spyOn(RateLimitObject.prototype, 'acquireSlot').mockImplementationOnce(() => {
      throw new Error('out of reach');
    });
    for (let count = 0; renewed.mock.calls.length < 2 && count < RENEWAL_HEARTBEATS + 1; count += 1) await readThroughHeartbeats(stream, 2);
    expect(renewed).toHaveBeenCalledTimes(2);
    expect(await liveCount()).toBe(1);
    expect((await stream.next())?.text).toBe(': ping\n\n');
  });

  it('ends a stream whose slot is lost', async () => {
    const stream = await open();
    vi.spyOn(RateLimitObject.prototype, 'acquireSlot').mockReturnValue({ limit: 50, shards: [] });
    await readThroughHeartbeats(stream, RENEWAL_HEARTBEATS + 1);
    expect(await liveCount()).toBe(0);
    for (let frame = await stream.next(); frame; frame = await stream.next()) expect(frame.text).toBe(': ping\n\n');
  });

  it('releases the slots of a crashed instance with its alarm, also without a new client', async () => {
    await open();
    expect(await storedSlots(FIRST)).toBe(1);
    const freed = vi.spyOn(RateLimitObject.prototype, 'releaseSlot');
    await killShard(FIRST);
    await heartbeat();
    expect(freed).toHaveBeenCalledOnce();
    expect(await storedSlots(FIRST)).toBe(0);
  });

  it('releases the slot of a client that disconnects while its stream is opened', async () => {
    const abort = new AbortController();
    const request = new Request('https://api.test/v1/events/stream', {
      signal: abort.signal,
      headers: { 'X-Test-Now': String(NOW), 'CF-Connecting-IP': '10.99.0.1' },
    });
    const { fetchWorker } = await import('../../support/requests.ts');
    const opening = fetchWorker(request).then(
      (response) => response.body?.cancel(),
      () => {},
    );
    abort.abort();
    await opening;
    await eventually(async () => (await liveCount()) === 0 && (await storedSlots(FIRST)) === 0);
    const streamCount = await runInDurableObject(
      env.RATE_LIMITS.getByName('anon:10.99.0.1'),
      (_, state) => [...state.storage.kv.list({ prefix: 'slot:' })].length,
    );
    expect(streamCount).toBe(0);
  });
});
