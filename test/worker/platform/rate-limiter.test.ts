import { evictDurableObject, listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RateLimitObject } from '../../../src/platform/rate-limits/rate-limit.object.ts';
import { createRateLimiter, NETWORK_FACTOR } from '../../../src/platform/rate-limits/rate-limiter.ts';
import { isRefused } from '../../../src/platform/rate-limits/window.ts';

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
      // Read from storage instead of memory: the timer has not fired yet.
      const counts = await runInDurableObject(stub, async (_, state) => state.storage.get<{ windows: { count: number }[] }>('counters'));
      expect(counts?.windows[0]?.count).toBe(2);
    }
  });

  it('empties its storage once its windows have closed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW * 1000 });
    const stub = object('purged');
    await stub.consume(1, 60, NOW);
    expect(await storedKeys('purged')).toEqual(['counters']);
    vi.setSystemTime((NOW + 59) * 1000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await storedKeys('purged')).toEqual(['counters']);
    vi.setSystemTime((NOW + 61) * 1000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await storedKeys('purged')).toEqual([]);
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

describe('eviction of RateLimitObject within an open window', () => {
  it('loses no request that was counted before the write', async () => {
    // One wait for all: as in the runtime, timers fire before the eviction.
    const names = Array.from({ length: 5 }, (_, index) => `pause ${index}`);
    await Promise.all(
      names.map(async (name, index) => {
        for (let request = 0; request <= index; request += 1) await object(name).consume(30, 60, NOW);
        await object(name).consume(30, 60, NOW + 60);
      }),
    );
    await Promise.all(names.map((name) => evictDurableObject(object(name))));
    expect(await Promise.all(names.map((name) => object(name).consume(30, 60, NOW)))).toEqual([2, 3, 4, 5, 6]);
    expect(await Promise.all(names.map((name) => object(name).consume(30, 60, NOW + 60)))).toEqual([2, 2, 2, 2, 2]);
  }, 15_000);
});

const budget = { name: 'anon', limit: 2, windowSeconds: 60 };

/** A limiter over the real objects that counts the requests to them. */
function countedLimiter() {
  const calls: string[] = [];
  const counted = {
    getByName(name: string) {
      calls.push(name);
      return env.RATE_LIMITS.getByName(name);
    },
  } as DurableObjectNamespace<RateLimitObject>;
  return { calls, limiter: createRateLimiter(counted) };
}

describe('createRateLimiter', () => {
  it('returns the usage and the window', async () => {
    const { limiter } = countedLimiter();
    expect(await limiter.charge('usage', budget, NOW + 5)).toEqual({ budget, used: 1, resetAt: NOW + 60 });
    expect(await limiter.charge('usage', budget, NOW + 5)).toEqual({ budget, used: 2, resetAt: NOW + 60 });
    expect(await limiter.charge('usage', budget, NOW + 5)).toEqual({ budget, used: 3, resetAt: NOW + 60 });
  });

  it('refuses a blocked key from memory without requests to the object', async () => {
    const { calls, limiter } = countedLimiter();
    for (let request = 0; request < 3; request += 1) await limiter.charge('blocked', budget, NOW);
    expect(calls).toHaveLength(3);
    for (let request = 0; request < 500; request += 1) expect(isRefused(await limiter.charge('blocked', budget, NOW + 30))).toBe(true);
    expect(calls).toHaveLength(3);
    expect(isRefused(await limiter.charge('blocked', budget, NOW + 60))).toBe(false);
    expect(calls).toHaveLength(4);
  });

  it('blocks only the same key, clock and limit', async () => {
    const { limiter } = countedLimiter();
    for (let request = 0; request < 3; request += 1) await limiter.charge('mixed', budget, NOW);
    expect((await limiter.charge('another', budget, NOW)).used).toBe(1);
    expect((await limiter.charge('mixed', budget, NOW - 60)).used).toBe(1);
    expect((await limiter.charge('mixed', { ...budget, limit: 3 }, NOW)).used).toBe(3);
  });
});

describe('network rate limit', () => {
  const bucket = (network: string, member: string) => ({ network, member });

  it('is 20 times the limit of a member and is counted in one request to one object', async () => {
    const { calls, limiter } = countedLimiter();
    for (let member = 0; member < 20; member += 1) {
      for (const used of [1, 2]) expect((await limiter.charge(bucket('site', `m${member}`), budget, NOW)).used).toBe(used);
    }
    expect(calls).toEqual(Array.from({ length: 40 }, () => 'site'));
    const refused = await limiter.charge(bucket('site', 'another'), budget, NOW);
    expect(refused).toEqual({ budget: { name: 'anon-network', limit: 40, windowSeconds: 60 }, used: 41, resetAt: NOW + 60 });
    expect((await limiter.charge(bucket('site', 'another'), budget, NOW + 60)).used).toBe(1);
  });

  it('does not affect the limit of a member or of another network', async () => {
    const { limiter } = countedLimiter();
    for (let request = 0; request < 2; request += 1) await limiter.charge(bucket('one', 'm'), budget, NOW);
    expect(await limiter.charge(bucket('one', 'm'), budget, NOW)).toEqual({ budget, used: 3, resetAt: NOW + 60 });
    expect((await limiter.charge(bucket('one', 'n'), budget, NOW)).used).toBe(1);
    expect((await limiter.charge(bucket('other', 'm'), budget, NOW)).used).toBe(1);
  });

  it('refuses any member from memory once the isolate has seen the limit used up', async () => {
    const { calls, limiter } = countedLimiter();
    for (let member = 0; member <= 40; member += 1) await limiter.charge(bucket('flooded', `m${member}`), budget, NOW);
    expect(calls).toHaveLength(41);
    for (let member = 0; member < 100; member += 1) {
      expect(isRefused(await limiter.charge(bucket('flooded', `n${member}`), budget, NOW))).toBe(true);
    }
    expect(calls).toHaveLength(41);
  });

  it('keeps the count of each member after an eviction', async () => {
    const { limiter } = countedLimiter();
    for (let request = 0; request < 2; request += 1) await limiter.charge(bucket('evicted', 'm'), budget, NOW);
    await limiter.charge(bucket('evicted', 'n'), budget, NOW);
    await evictDurableObject(object('evicted'));
    expect(isRefused((await limiter.reserve(bucket('evicted', 'm'), budget, NOW)).charge)).toBe(true);
    expect((await limiter.reserve(bucket('evicted', 'n'), budget, NOW)).charge.used).toBe(2);
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
      budget: { name: 'feedback-network', limit: NETWORK_FACTOR },
      used: NETWORK_FACTOR + 1,
    });
  });
});
