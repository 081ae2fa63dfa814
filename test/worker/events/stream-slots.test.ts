import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RateLimitObject } from '../../../src/platform/access/limits/rate-limit.object.ts';
import { SLOT_LEASE_MS } from '../../../src/platform/access/limits/stored-slots.ts';
import { mintSecret } from '../../../src/platform/access/tokens/token-format.ts';
import { TokenGateObject } from '../../../src/platform/access/tokens/token-gate.object.ts';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { createTokenRegistry } from '../../../src/platform/access/tokens/token-registry.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { countedObjects } from '../../support/counted-objects.ts';
import { bearer, call, freshInstant, type TestResponse } from '../../support/requests.ts';
import { changeToken, createToken, gateOf, readToken, TOKEN_FORMAT } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { coordinator, eventually, killShard, SHARDS } from './objects.ts';
import { TestStream } from './streams.ts';

const PATH = '/v1/events/stream?types=stampy';
/** Open streams of an IP address; the default is proven once. */
const MAX = 10;
const withMax = () => testApp({ settings: { eventsStreamsPerAddressMax: MAX } });
/** Each stream is opened in a new rate limit window, so that only slots are limited. */
const fetch = withMax();
const opened: TestStream[] = [];
let callers = 0;

function newAddress(): string {
  callers += 1;
  return `10.88.${callers >> 8}.${callers & 255}`;
}

async function open(address: string, token?: string): Promise<TestStream> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: bearer(token) };
  const stream = await TestStream.open({ query: 'types=stampy', address, headers, fetch });
  opened.push(stream);
  return stream;
}

async function openMany(count: number, address: string, token?: string): Promise<TestStream[]> {
  return Promise.all(Array.from({ length: count }, () => open(address, token)));
}

/** Response to opening another stream, which is closed again if accepted. */
function tryToOpen(address: string, token?: string): Promise<TestResponse> {
  return call(PATH, { address, authorization: token === undefined ? null : bearer(token), now: freshInstant() }, fetch);
}

function expectRefusal(response: TestResponse, limit: number): void {
  expect([response.status, response.headers.get('Content-Type')]).toEqual([429, 'application/json']);
  expect(JSON.parse(response.text).error).toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(
      new RegExp(`^at most ${limit} connections to the event stream may be open at once for each (IP address|token)$`),
    ),
  });
  expect(JSON.parse(response.text).error.details).toEqual({ limit, window_seconds: SLOT_LEASE_MS / 1000 });
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(response.headers.get('X-RateLimit-Limit')).not.toBeNull();
}

const slot = (id: string) => ({ id, shard: 'shard-0' });

const limitObject = (address: string) => env.RATE_LIMITS.getByName(`anon:${address}`);

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((stream) => stream.close()));
});

describe('GET /v1/events/stream without a token', () => {
  it('refuses the 51st open stream of an IP address before it starts', async () => {
    const address = newAddress();
    const app = testApp();
    const streams = Array.from({ length: 50 }, () => TestStream.open({ query: 'types=stampy', address, fetch: app }));
    opened.push(...(await Promise.all(streams)));
    expectRefusal(await call(PATH, { address, now: freshInstant() }, app), 50);
    expect((await tryToOpen(newAddress())).status).toBe(200);
  });

  it('opens exactly 10 streams for 20 concurrent requests of an IP address', async () => {
    const address = newAddress();
    const results = await Promise.allSettled(Array.from({ length: 2 * MAX }, () => open(address)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX);
  });

  it('releases the slot as soon as the client disconnects', async () => {
    const address = newAddress();
    const [first] = await openMany(MAX, address);
    await first?.close();
    await eventually(async () => (await tryToOpen(address)).status === 200);
  });

  it('limits the streams of an IPv6 client by its /64, and at 20 times the limit by its /48', async () => {
    const limited = testApp({ settings: { eventsStreamsPerAddressMax: 1, publicAnonRateLimitMax: 1000 } });
    const openFrom = async (address: string) => {
      const stream = await TestStream.open({ query: 'types=stampy', address, fetch: limited });
      opened.push(stream);
    };
    await openFrom('2001:db8:8:1::1');
    await expect(openFrom('2001:db8:8:1::2')).rejects.toThrow('429');
    for (let network = 2; network <= 20; network += 1) await openFrom(`2001:db8:8:${network.toString(16)}::1`);
    await expect(openFrom('2001:db8:8:ffff::1')).rejects.toThrow('429');
    await openFrom('2001:db8:9:1::1');
  });

  it('uses the limit of the setting', async () => {
    const limited = testApp({ settings: { eventsStreamsPerAddressMax: 2 } });
    const address = newAddress();
    for (let count = 0; count < 2; count += 1) opened.push(await TestStream.open({ query: 'types=stampy', address, fetch: limited }));
    expectRefusal(await call(PATH, { address }, limited), 2);
  });

  it('keeps the slots of open streams after the counting object is evicted', async () => {
    const address = newAddress();
    await openMany(MAX, address);
    await evictDurableObject(limitObject(address));
    expectRefusal(await tryToOpen(address), MAX);
  });

  it('releases the slots of a crashed shard, so clients can reconnect at once', async () => {
    const address = newAddress();
    await openMany(MAX, address);
    await Promise.all(SHARDS.map(killShard));
    const isolate = withMax();
    const reopen = async () => opened.push(await TestStream.open({ query: 'types=stampy', address, fetch: isolate }));
    await Promise.all(Array.from({ length: MAX }, reopen));
    expectRefusal(await tryToOpen(address), MAX);
  });

  it('uses no slot when the stream cannot start', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const full = { getByName: () => ({ fetch: async () => new Response(null, { status: 503 }) }) } as unknown as Env['EVENT_SHARDS'];
    const closed = testApp({ bindings: { EVENT_SHARDS: full } });
    const address = newAddress();
    for (let count = 0; count < 12; count += 1) expect((await call(PATH, { address }, closed)).status).toBe(503);
    await openMany(MAX, address);
  });

  it('uses no slot when the request is invalid', async () => {
    const address = newAddress();
    for (let count = 0; count < 12; count += 1) {
      expect((await call('/v1/events/stream?types=nothing', { address }, fetch)).status).toBe(422);
    }
    await openMany(MAX, address);
  });

  it('is counted by the object of the IP address, beside the request in a shared object', async () => {
    const { names, counted } = countedObjects(env.RATE_LIMITS);
    const address = newAddress();
    opened.push(await TestStream.open({ query: 'types=stampy', address, fetch: testApp({ bindings: { RATE_LIMITS: counted } }) }));
    expect([...new Set(names)]).toEqual([expect.stringMatching(/^anon:none:\d$/)]);
    // The shard acquires the slot.
    const slots = await runInDurableObject(limitObject(address), (_, state) => [...state.storage.kv.list({ prefix: 'slot:' })]);
    expect(slots).toEqual([[expect.any(String), expect.objectContaining({ shard: SHARDS[0] })]]);
  });
});

describe('GET /v1/events/stream with a token', () => {
  it('limits the streams of a token to 20 over all IP addresses and uses no slot of an IP address', async () => {
    const token = await createToken();
    const address = newAddress();
    await openMany(15, address, token);
    await openMany(5, newAddress(), token);
    expectRefusal(await tryToOpen(address, token), 20);
    expect((await tryToOpen(address)).status).toBe(200);
    expect((await tryToOpen(address, await createToken())).status).toBe(200);
  });

  it('counts the stream for the IP address when the token lacks the scope', async () => {
    const token = await createToken({ scopes: 1 });
    const address = newAddress();
    await openMany(MAX, address, token);
    expectRefusal(await tryToOpen(address, token), MAX);
  });

  it('releases the slot as soon as the client disconnects', async () => {
    const token = await createToken();
    const [first] = await openMany(20, newAddress(), token);
    await first?.close();
    await eventually(async () => (await tryToOpen(newAddress(), token)).status === 200);
  });

  it('keeps open streams and their slots after the gate is evicted or the token is rotated', async () => {
    const token = await createToken();
    const streams = await openMany(20, newAddress(), token);
    const gate = gateOf(token);
    await evictDurableObject(gate);
    expectRefusal(await tryToOpen(newAddress(), token), 20);

    const db = createDatabase(env.DB);
    const tokens = createTokenRegistry(db, createTokenGate(env.TOKEN_GATES));
    const { id, hash: hashedToken } = readToken(token);
    const { secret, ...rotation } = mintSecret(id, TOKEN_FORMAT);
    const rotated = await tokens.rotate({ id, hashedToken }, { ...rotation, previousUntil: null }, freshInstant());
    expect(rotated).toEqual({ isStored: true, isConfirmed: true });
    expectRefusal(await tryToOpen(newAddress(), secret), 20);
    await coordinator().announce('stampy', 'after the rotation', '{"after":"rotation"}', freshInstant());
    await Promise.all(streams.map((stream) => stream.until(({ body }) => body === '{"after":"rotation"}')));
  });
});

describe('an open stream of a token', () => {
  const isOver = async (stream: TestStream) => {
    for (let frame = await stream.next(); frame; frame = await stream.next()) expect(frame.text).not.toContain('event: mod_release');
  };

  it('ends at once when the token is revoked, and the others stay open', async () => {
    const token = await createToken();
    const [first, second] = await openMany(2, newAddress(), token);
    const other = await open(newAddress(), await createToken());
    const db = createDatabase(env.DB);
    const tokens = createTokenRegistry(db, createTokenGate(env.TOKEN_GATES));
    await tokens.revoke(readToken(token), 'leaked', freshInstant());
    await Promise.all([first, second].map((stream) => stream && isOver(stream)));
    expect(await env.EVENT_SHARDS.getByName(SHARDS[0] ?? '').connections()).toBe(1);
    await other.close();
  });

  it('is refused when the token is revoked while the stream is opened', async () => {
    const token = await createToken();
    const acquireSlot = TokenGateObject.prototype.acquireSlot;
    vi.spyOn(TokenGateObject.prototype, 'acquireSlot').mockImplementation(async function (this: TokenGateObject, ...args) {
      const result = await acquireSlot.apply(this, args);
      await this.endStreams();
      return result;
    });
    const response = await tryToOpen(newAddress(), token);
    expect([response.status, JSON.parse(response.text).error.code]).toEqual([401, 'not_authenticated']);
    vi.restoreAllMocks();
    await openMany(20, newAddress(), token);
  });

  it('ends when the token expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const expiresAt = Math.floor(Date.now() / 1000) + 300;
    const token = await createToken({ expiresAt });
    const headers = { Authorization: bearer(token) };
    const stream = await TestStream.open({ query: 'types=stampy', headers, fetch, now: expiresAt - 1 });
    opened.push(stream);
    const shard = env.EVENT_SHARDS.getByName(SHARDS[0] ?? '');
    const alarmAt = await runInDurableObject(shard, (_, state) => state.storage.getAlarm());
    expect(Math.abs((alarmAt ?? 0) - Date.now())).toBeLessThan(5000);
    vi.setSystemTime(Date.now() + 3000);
    await runDurableObjectAlarm(shard);
    await isOver(stream);
  });
});

describe('a slot of RateLimitObject', () => {
  const START_MS = Date.UTC(2040, 0);
  const limits = { own: 1, network: null };
  const FULL = { limit: 1, shards: ['shard-0'] };
  const slotCount = (stub: DurableObjectStub<RateLimitObject>) =>
    runInDurableObject(stub, async (_, state) => (await state.storage.list({ prefix: 'slot:' })).size);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
  });

  it('is released when its lease expires', async () => {
    const stub = env.RATE_LIMITS.getByName('slot expires');
    expect(await stub.acquireSlot(slot('a'), 'caller', limits)).toBeNull();
    vi.setSystemTime(START_MS + SLOT_LEASE_MS - 1);
    expect(await stub.acquireSlot(slot('b'), 'caller', limits)).toEqual(FULL);
    vi.setSystemTime(START_MS + SLOT_LEASE_MS);
    expect(await stub.acquireSlot(slot('b'), 'caller', limits)).toBeNull();
  });

  it('persists while it is renewed, also across an alarm', async () => {
    const stub = env.RATE_LIMITS.getByName('slot renewed');
    await stub.acquireSlot(slot('a'), 'caller', limits);
    for (let renewal = 1; renewal <= 5; renewal += 1) {
      vi.setSystemTime(START_MS + renewal * (SLOT_LEASE_MS / 2));
      expect(await stub.acquireSlot(slot('a'), 'caller', limits)).toBeNull();
      await runDurableObjectAlarm(stub);
      await evictDurableObject(stub);
      expect(await stub.acquireSlot(slot('b'), 'caller', limits)).toEqual(FULL);
    }
  });

  it('cannot be renewed once another stream has the slot', async () => {
    const stub = env.RATE_LIMITS.getByName('slot lost');
    await stub.acquireSlot(slot('a'), 'caller', limits);
    vi.setSystemTime(START_MS + SLOT_LEASE_MS);
    expect(await stub.acquireSlot(slot('b'), 'caller', limits)).toBeNull();
    expect(await stub.acquireSlot(slot('a'), 'caller', limits)).toEqual(FULL);
  });

  it('is deleted independently of the request counters', async () => {
    const stub = env.RATE_LIMITS.getByName('slot and counters');
    await stub.consume(1, 60, START_MS / 1000);
    await stub.acquireSlot(slot('a'), 'caller', limits);
    vi.setSystemTime(START_MS + 62_000);
    await runDurableObjectAlarm(stub);
    expect(await stub.acquireSlot(slot('b'), 'caller', limits)).toEqual(FULL);
    const day = 86_400;
    await stub.consume(1, day, START_MS / 1000);
    vi.setSystemTime(START_MS + 10 * SLOT_LEASE_MS);
    await runDurableObjectAlarm(stub);
    expect(await slotCount(stub)).toBe(0);
    expect(await stub.consume(1, day, START_MS / 1000)).toBe(2);
  });

  it('leaves no storage once every lease has expired or was released', async () => {
    const stub = env.RATE_LIMITS.getByName('slot deleted');
    await stub.acquireSlot(slot('a'), 'caller', limits);
    await stub.acquireSlot(slot('b'), 'other client', limits);
    await stub.releaseSlot('a');
    expect(await slotCount(stub)).toBe(1);
    vi.setSystemTime(START_MS + SLOT_LEASE_MS + 1);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await runInDurableObject(stub, async (_, state) => (await state.storage.list()).size)).toBe(0);
    expect(await runDurableObjectAlarm(stub)).toBe(false);
  });
});

describe('a slot of TokenGateObject', () => {
  it('is refused for a revoked or expired token', async () => {
    const now = freshInstant();
    const token = await createToken({ expiresAt: now + 60 });
    const stub: DurableObjectStub<TokenGateObject> = gateOf(token);
    expect(await stub.acquireSlot(slot('a'), 20, now)).toEqual({ outcome: 'acquired', expiresAt: now + 60 });
    expect(await stub.acquireSlot(slot('a'), 20, now + 61)).toEqual({ outcome: 'unauthenticated' });
    expect(await stub.acquireSlot(slot('a'), 20, now)).toMatchObject({ outcome: 'acquired' });
    await changeToken(token, 'revoked = 1');
    expect(await stub.acquireSlot(slot('a'), 20, now)).toEqual({ outcome: 'unauthenticated' });
    expect(await runInDurableObject(stub, async (_, state) => (await state.storage.list({ prefix: 'slot:' })).size)).toBe(0);
  });
});
