import { evictDurableObject, listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RateLimitObject } from '../../../src/platform/access/limits/rate-limit.object.ts';
import { type AddressKey, createRateLimiter, NETWORK_FACTOR } from '../../../src/platform/access/limits/rate-limiter.ts';
import { isRefused } from '../../../src/platform/access/limits/window.ts';

const NOW = 1_773_156_600;
const HOUR = 3600;
const DAY = 86_400;

const object = (name: string) => env.RATE_LIMITS.getByName(name);

async function storedKeys(name: string): Promise<string[]> {
  return runInDurableObject(object(name), async (_, state) => [...(await state.storage.list()).keys()]);
}

describe('RateLimitObject', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts up to the limit of each window', async () => {
    const stub = object('count');
    expect([
      await stub.consume(2, 60, NOW),
      await stub.consume(2, 60, NOW),
      await stub.consume(2, 60, NOW + 59),
      await stub.consume(2, 60, NOW + 60),
    ]).toEqual([1, 2, 3, 1]);
  });

  it('admits exactly the limit of 100 concurrent requests', async () => {
    const stub = object('flood');
    const used = await Promise.all(Array.from({ length: 100 }, () => stub.consume(30, 60, NOW)));
    expect(used.filter((count) => count <= 30).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(used.filter((count) => count === 31)).toHaveLength(70);
  });

  it('still refuses after an eviction once the limit is used up', async () => {
    const stub = object('exhausted');
    expect(await stub.consume(1, 60, NOW)).toBe(1);
    await evictDurableObject(stub);
    expect(await stub.consume(1, 60, NOW)).toBe(2);
  });

  it('stores hour and day windows without waiting for a pause', async () => {
    for (const windowSeconds of [HOUR, DAY]) {
      const stub = object(`long ${windowSeconds}`);
      await stub.consume(5, windowSeconds, NOW);
      await stub.consume(5, windowSeconds, NOW);
      const counts = await runInDurableObject(stub, async (_, state) => state.storage.get<{ windows: { count: number }[] }>('counters'));
      expect(counts?.windows[0]?.count).toBe(2);
    }
  });

  it('empties its storage once its long windows have closed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW * 1000 });
    const stub = object('purged');
    await stub.consume(1, HOUR, NOW);
    expect(await storedKeys('purged')).toEqual(['counters']);
    vi.setSystemTime((NOW + 59) * 1000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await storedKeys('purged')).toEqual(['counters']);
    vi.setSystemTime((NOW + HOUR + 2) * 1000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await storedKeys('purged')).toEqual([]);
    expect(await runDurableObjectAlarm(stub)).toBe(false);
  });

  it('sets no alarm for windows under an hour', async () => {
    const stub = object('without alarm');
    for (let request = 0; request < 30; request += 1) await stub.consume(30, 60, NOW);
    expect(await runInDurableObject(stub, (_, state) => state.storage.getAlarm())).toBeNull();
    expect(await runDurableObjectAlarm(stub)).toBe(false);
  });

  it('counts each bucket key separately', async () => {
    const before = (await listDurableObjectIds(env.RATE_LIMITS)).length;
    await object('one').consume(1, 60, NOW);
    await object('one').consume(1, 60, NOW);
    await object('other').consume(1, 60, NOW);
    expect((await listDurableObjectIds(env.RATE_LIMITS)).length - before).toBe(2);
  });
});

/** A limiter over the real objects that counts the requests to them. */
function countedLimiter(addressObjects = 4) {
  const calls: string[] = [];
  const counted = {
    getByName(name: string) {
      calls.push(name);
      return env.RATE_LIMITS.getByName(name);
    },
  } as DurableObjectNamespace<RateLimitObject>;
  return { calls, limiter: createRateLimiter(counted, addressObjects) };
}

const rateLimit = { name: 'anon', limit: 2, windowSeconds: 60 };

describe('createRateLimiter', () => {
  it('returns the usage and the window', async () => {
    const { limiter } = countedLimiter();
    expect(await limiter.charge('usage', rateLimit, NOW + 5)).toEqual({ rateLimit, used: 1, resetAt: NOW + 60 });
    expect(await limiter.charge('usage', rateLimit, NOW + 5)).toEqual({ rateLimit, used: 2, resetAt: NOW + 60 });
    expect(await limiter.charge('usage', rateLimit, NOW + 5)).toEqual({ rateLimit, used: 3, resetAt: NOW + 60 });
  });

  it('refuses a blocked key from memory without requests to the object', async () => {
    const { calls, limiter } = countedLimiter();
    for (let request = 0; request < 3; request += 1) await limiter.charge('blocked', rateLimit, NOW);
    expect(calls).toHaveLength(3);
    for (let request = 0; request < 500; request += 1) expect(isRefused(await limiter.charge('blocked', rateLimit, NOW + 30))).toBe(true);
    expect(calls).toHaveLength(3);
    expect(isRefused(await limiter.charge('blocked', rateLimit, NOW + 60))).toBe(false);
    expect(calls).toHaveLength(4);
  });

  it('blocks only the same key, clock and limit', async () => {
    const { limiter } = countedLimiter();
    for (let request = 0; request < 3; request += 1) await limiter.charge('mixed', rateLimit, NOW);
    expect((await limiter.charge('another', rateLimit, NOW)).used).toBe(1);
    expect((await limiter.charge('mixed', rateLimit, NOW - 60)).used).toBe(1);
    expect((await limiter.charge('mixed', { ...rateLimit, limit: 3 }, NOW)).used).toBe(3);
  });
});

const ipv4 = (name: string, location = 'FRA'): AddressKey => ({ name, member: null, location, hash: 5 });

describe('rate limit of an address', () => {
  const wide = { ...rateLimit, limit: 8 };
  const rowsOf = async (names: Iterable<string>) => (await Promise.all([...new Set(names)].map(storedKeys))).flat();

  it('is counted up to half by the shared object of the location, then by the object of the address, in one request each', async () => {
    const { calls, limiter } = countedLimiter();
    for (let used = 1; used <= 8; used += 1) {
      expect(await limiter.charge(ipv4('anon:1'), wide, NOW)).toEqual({ rateLimit: wide, used, resetAt: NOW + 60 });
    }
    expect(isRefused(await limiter.charge(ipv4('anon:1'), wide, NOW))).toBe(true);
    expect(calls).toEqual([...Array.from({ length: 4 }, () => 'anon:FRA:1'), ...Array.from({ length: 5 }, () => 'anon:1')]);
  });

  it('writes no row and sets no alarm', async () => {
    const { calls, limiter } = countedLimiter();
    for (let request = 0; request < 9; request += 1) await limiter.charge(ipv4('anon:2'), wide, NOW);
    expect(await rowsOf(calls)).toEqual([]);
    for (const name of new Set(calls)) expect(await runDurableObjectAlarm(object(name))).toBe(false);
  });

  it('survives evictions of both objects for a client on one isolate', async () => {
    const { limiter } = countedLimiter();
    const used: number[] = [];
    for (let request = 0; request < 9; request += 1) {
      used.push((await limiter.charge(ipv4('anon:3'), wide, NOW)).used);
      // The runtime may have evicted it already.
      for (const name of ['anon:FRA:1', 'anon:3']) await evictDurableObject(object(name)).catch(() => {});
    }
    expect(used).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('admits exactly 30 of 120 concurrent requests of one location', async () => {
    const { limiter } = countedLimiter();
    const charges = await Promise.all(Array.from({ length: 120 }, () => limiter.charge(ipv4('anon:4'), { ...rateLimit, limit: 30 }, NOW)));
    expect(
      charges
        .filter((charge) => !isRefused(charge))
        .map(({ used }) => used)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  it.each([2, 3, 5])('is at most (n + 1) / 2 times the limit over %i locations', async (locations) => {
    const limiters = Array.from({ length: locations }, () => countedLimiter().limiter);
    let admitted = 0;
    for (let round = 0; round < wide.limit; round += 1) {
      for (const [index, limiter] of limiters.entries()) {
        if (!isRefused(await limiter.charge(ipv4(`anon:5:${locations}`, `L${index}`), wide, NOW))) admitted += 1;
      }
    }
    expect(admitted).toBeLessThanOrEqual((wide.limit * (locations + 1)) / 2);
    expect(admitted).toBeGreaterThanOrEqual(wide.limit);
  });

  it('is counted exactly by the object of the address in a window of an hour', async () => {
    const { calls, limiter } = countedLimiter();
    for (const location of ['FRA', 'SIN']) await limiter.charge(ipv4('sign-up:1', location), { ...wide, windowSeconds: HOUR }, NOW);
    expect(calls).toEqual(['sign-up:1', 'sign-up:1']);
    await evictDurableObject(object('sign-up:1'));
    expect((await countedLimiter().limiter.charge(ipv4('sign-up:1'), { ...wide, windowSeconds: HOUR }, NOW)).used).toBe(3);
  });

  it('spreads the addresses of a location over the configured number of objects', async () => {
    const { calls, limiter } = countedLimiter(3);
    for (let hash = 0; hash < 6; hash += 1) await limiter.charge({ ...ipv4(`anon:spread:${hash}`), hash }, wide, NOW);
    expect(calls).toEqual(['anon:FRA:0', 'anon:FRA:1', 'anon:FRA:2', 'anon:FRA:0', 'anon:FRA:1', 'anon:FRA:2']);
  });
});

describe('network rate limit', () => {
  const bucket = (network: string, member: string): AddressKey => ({ name: network, member, location: `at ${network}`, hash: 0 });

  it('is 20 times the limit of a member and is counted together with it', async () => {
    const { limiter } = countedLimiter();
    for (let member = 0; member < 20; member += 1) {
      for (const used of [1, 2]) expect((await limiter.charge(bucket('site', `m${member}`), rateLimit, NOW)).used).toBe(used);
    }
    const refused = await limiter.charge(bucket('site', 'another'), rateLimit, NOW);
    expect(refused).toEqual({ rateLimit: { name: 'anon-network', limit: 40, windowSeconds: 60 }, used: 41, resetAt: NOW + 60 });
    expect((await limiter.charge(bucket('site', 'another'), rateLimit, NOW + 60)).used).toBe(1);
  });

  it('does not affect the limit of a member or of another network', async () => {
    const { limiter } = countedLimiter();
    for (let request = 0; request < 2; request += 1) await limiter.charge(bucket('one', 'm'), rateLimit, NOW);
    expect(await limiter.charge(bucket('one', 'm'), rateLimit, NOW)).toEqual({ rateLimit, used: 3, resetAt: NOW + 60 });
    expect((await limiter.charge(bucket('one', 'n'), rateLimit, NOW)).used).toBe(1);
    expect((await limiter.charge(bucket('other', 'm'), rateLimit, NOW)).used).toBe(1);
  });

  it('refuses any member from memory once the isolate has seen the limit used up', async () => {
    const { calls, limiter } = countedLimiter();
    for (let member = 0; member <= 40; member += 1) await limiter.charge(bucket('flooded', `m${member}`), rateLimit, NOW);
    const before = calls.length;
    for (let member = 0; member < 100; member += 1) {
      expect(isRefused(await limiter.charge(bucket('flooded', `n${member}`), rateLimit, NOW))).toBe(true);
    }
    expect(calls).toHaveLength(before);
  });

  it('keeps the count of each member after an eviction', async () => {
    const { limiter } = countedLimiter();
    const hourly = { ...rateLimit, windowSeconds: HOUR };
    for (let request = 0; request < 2; request += 1) await limiter.charge(bucket('evicted', 'm'), hourly, NOW);
    await limiter.charge(bucket('evicted', 'n'), hourly, NOW);
    await evictDurableObject(object('evicted'));
    expect(isRefused((await limiter.reserve(bucket('evicted', 'm'), hourly, NOW)).charge)).toBe(true);
    expect((await limiter.reserve(bucket('evicted', 'n'), hourly, NOW)).charge.used).toBe(2);
  });

  it('stores reservations per member and counts settled ones for the member and the network', async () => {
    const { limiter } = countedLimiter();
    const cooldown = { name: 'feedback', limit: 1, windowSeconds: 3600 };
    const reserve = (member: string) => limiter.reserve(bucket('feedback', member), cooldown, NOW);
    const first = await reserve('m');
    expect(isRefused((await reserve('m')).charge)).toBe(true);
    await first.settle(false);
    const second = await reserve('m');
    expect(second.charge.used).toBe(1);
    await second.settle(true);
    expect(isRefused((await reserve('m')).charge)).toBe(true);
    for (let member = 1; member < NETWORK_FACTOR; member += 1) await (await reserve(`n${member}`)).settle(true);
    expect((await reserve('other')).charge).toMatchObject({
      rateLimit: { name: 'feedback-network', limit: NETWORK_FACTOR },
      used: NETWORK_FACTOR + 1,
    });
  });
});
