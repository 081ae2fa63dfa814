import { describe, expect, it, vi } from 'vitest';
import {
  type AddressCall,
  type AddressCount,
  GlobalAddressCounters,
  LocalAddressCounters,
} from '../../../src/platform/access/limits/address-counters.ts';
import type { RateLimitObject } from '../../../src/platform/access/limits/rate-limit.object.ts';
import { type AddressKey, createRateLimiter, NETWORK_FACTOR, type RateLimiter } from '../../../src/platform/access/limits/rate-limiter.ts';
import { StoredCounters } from '../../../src/platform/access/limits/stored-counters.ts';
import { type Charge, isRefused, type RateLimit, windowReset, windowStart } from '../../../src/platform/access/limits/window.ts';

const NOW = 1_773_156_600;
const WINDOW = 60;
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
/** An idle object is evicted after this time. */
const IDLE_SECONDS = 10;

/** Seeded random numbers in [0, 1) (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Durable Objects with the real counters over a storage that survives evictions. Requests arrive and return after a random number of
 * steps. `calls` counts the requests to objects, `rows` and `alarms` their writes.
 */
function simulate(random: () => number) {
  interface Live {
    stored: StoredCounters;
    local: LocalAddressCounters;
    global: GlobalAddressCounters;
  }
  const storages = new Map<string, Map<string, unknown>>();
  const live = new Map<string, Live>();
  const usedAt = new Map<string, number>();
  const world = { now: NOW, calls: 0, rows: 0, alarms: 0 };

  function start(name: string): Live {
    const data = storages.get(name) ?? new Map<string, unknown>();
    storages.set(name, data);
    const storage = {
      kv: { get: (key: string) => structuredClone(data.get(key)), delete: (key: string) => data.delete(key) },
      put: async (key: string, value: unknown) => {
        world.rows += 1;
        data.set(key, structuredClone(value));
      },
    } as unknown as DurableObjectStorage;
    const stored = new StoredCounters(storage, () => {
      world.alarms += 1;
    });
    return { stored, local: new LocalAddressCounters(), global: new GlobalAddressCounters() };
  }

  const evict = (name: string) => void live.delete(name);

  async function steps(): Promise<void> {
    for (let step = Math.floor(random() * 4); step > 0; step -= 1) await Promise.resolve();
  }

  async function run<Result>(name: string, work: (object: Live) => Result): Promise<Result> {
    world.calls += 1;
    await steps();
    if (world.now - (usedAt.get(name) ?? world.now) >= IDLE_SECONDS) evict(name);
    usedAt.set(name, world.now);
    const object = live.get(name) ?? start(name);
    live.set(name, object);
    const result = structuredClone(work(object));
    await steps();
    return result;
  }

  const namespace = {
    getByName: (name: string) => ({
      consume: (limit: number, windowSeconds: number, now: number, seen?: number) =>
        run(name, ({ stored }) => stored.consume('requests', limit, windowSeconds, now, seen)),
      countLocally: (call: AddressCall) => run(name, ({ local }) => local.count(call)),
      countGlobally: (call: AddressCall, location: string, counted: AddressCount) =>
        run(name, ({ global }) => global.count(call, location, counted)),
    }),
  } as unknown as DurableObjectNamespace<RateLimitObject>;
  return { world, evict, evictAll: () => live.clear(), isolate: () => createRateLimiter(namespace, 1) };
}

const rateLimitOf = (limit: number): RateLimit => ({ name: 'test', limit, windowSeconds: WINDOW });
const address = (location: string): AddressKey => ({ name: 'anon:192.0.2.1', member: null, location, hash: 3 });
const member = (location: string, index: number): AddressKey => ({ name: 'anon:2001:db8::/48', member: `m${index}`, location, hash: 3 });
const admittedOf = (charges: readonly Charge[]) => charges.filter((charge) => !isRefused(charge)).length;

/** The exact fixed window. */
function exactCounter() {
  const counts = new Map<number, number>();
  return (limit: number, now: number) => {
    const start = windowStart(now, WINDOW);
    const used = Math.min(limit + 1, (counts.get(start) ?? 0) + 1);
    if (used <= limit) counts.set(start, used);
    return { used, resetAt: windowReset(now, WINDOW) };
  };
}

describe.each([1, 2, 7, 30, 120])('a client on one isolate with a limit of %i', (limit) => {
  it.each(['a token', 'an address'])('gets exact counts for %s when idle objects are evicted', async (kind) => {
    for (const seed of SEEDS) {
      const random = seeded(seed);
      const { world, isolate } = simulate(random);
      const limiter = isolate();
      const exact = exactCounter();
      const found: number[][] = [];
      const expected: number[][] = [];
      for (let request = 0; request < 150; request += 1) {
        world.now += random() < 0.1 ? 10 + Math.floor(random() * 8) : random() < 0.4 ? 1 : 0;
        const rateLimit = rateLimitOf(limit);
        const charge = await limiter.charge(kind === 'a token' ? 'token' : address('FRA'), rateLimit, world.now);
        found.push([charge.used, charge.resetAt]);
        expected.push(Object.values(exact(limit, world.now)));
      }
      expect(found, `seed ${seed}`).toEqual(expected);
      expect(world.alarms).toBe(0);
      if (kind === 'an address') expect(world.rows).toBe(0);
    }
  });
});

describe('evictions at any moment', () => {
  it.each([1, 7, 30, 120])('admit at most an eighth of a limit of %i and the isolates in flight more each time', async (limit) => {
    for (const seed of SEEDS) {
      const random = seeded(seed);
      const { world, evict, isolate } = simulate(random);
      const isolates = Array.from({ length: 1 + Math.floor(random() * 6) }, isolate);
      const charges: Charge[] = [];
      let evictions = 0;
      for (let round = 0; round < limit; round += 1) {
        const inFlight = isolates.filter(() => random() < 0.6).map((limiter) => limiter.charge('token', rateLimitOf(limit), world.now));
        if (random() < 0.1) {
          await Promise.resolve();
          evict('token');
          evictions += 1;
        }
        charges.push(...(await Promise.all(inFlight)));
      }
      expect(admittedOf(charges)).toBeLessThanOrEqual(limit + evictions * (limit / 8 + isolates.length));
    }
  });

  it('write at most eight rows for a window and nothing for refusals', async () => {
    const { world, isolate } = simulate(seeded(1));
    const isolates = [isolate(), isolate(), isolate()];
    for (let request = 0; request < 400; request += 1) await isolates[request % 3]?.charge('token', rateLimitOf(120), NOW);
    expect([world.rows, world.alarms]).toEqual([8, 0]);
  });
});

describe('concurrent requests', () => {
  it.each(['token', address('FRA'), member('FRA', 1)])('admits exactly 30 of 120 for the key %j', async (key) => {
    for (const seed of SEEDS) {
      const { isolate } = simulate(seeded(seed));
      const limiters = [isolate(), isolate(), isolate()];
      const charges = await Promise.all(
        Array.from({ length: 120 }, (_, index) => (limiters[index % 3] as RateLimiter).charge(key, rateLimitOf(30), NOW)),
      );
      expect(admittedOf(charges)).toBe(30);
      const used = charges.filter((charge) => !isRefused(charge)).map((charge) => charge.used);
      expect(used.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    }
  });
});

describe('addresses over several locations', () => {
  it.each([1, 2, 3, 4, 7])('get at most (n + 1) / 2 times the limit over %i locations', async (locations) => {
    for (const seed of SEEDS) {
      const random = seeded(seed);
      const limit = [1, 2, 5, 30, 31][seed % 5] as number;
      const { world, isolate } = simulate(random);
      const clients = Array.from({ length: locations * 2 }, (_, index) => ({ limiter: isolate(), key: address(`L${index % locations}`) }));
      const charges: Charge[] = [];
      for (let round = 0; round < limit * 3 + 10; round += 1) {
        const chosen = clients.filter(() => random() < 0.5);
        charges.push(...(await Promise.all(chosen.map(({ limiter, key }) => limiter.charge(key, rateLimitOf(limit), world.now)))));
      }
      expect(admittedOf(charges)).toBeLessThanOrEqual(((locations + 1) / 2) * limit);
      expect(admittedOf(charges)).toBeGreaterThanOrEqual(limit);
    }
  });

  it.each([1, 2, 3])('bound a network by (n + 1) / 2 times 20 limits over %i locations', async (locations) => {
    for (const seed of SEEDS.slice(0, 15)) {
      const random = seeded(seed);
      const limit = 2 + (seed % 3);
      const { isolate } = simulate(random);
      const isolates = Array.from({ length: locations * 2 }, isolate);
      const admitted = new Map<number, number>();
      let total = 0;
      for (let request = 0; request < 100 * limit * locations; request += 1) {
        const at = Math.floor(random() * isolates.length);
        const index = Math.floor(random() ** 2 * 60);
        const charge = await (isolates[at] as RateLimiter).charge(member(`L${at % locations}`, index), rateLimitOf(limit), NOW);
        if (isRefused(charge)) continue;
        total += 1;
        admitted.set(index, (admitted.get(index) ?? 0) + 1);
      }
      expect(total).toBeLessThanOrEqual(((locations + 1) / 2) * limit * NETWORK_FACTOR);
      if (locations === 1) expect(total).toBe(limit * NETWORK_FACTOR);
      expect(Math.max(...admitted.values())).toBeLessThanOrEqual(((locations + 1) / 2) * limit);
    }
  });

  it('cost one object request each, and a second one only when an isolate learns of the global object', async () => {
    const { world, isolate } = simulate(seeded(1));
    const [first, second] = [isolate(), isolate()];
    for (let request = 0; request < 20; request += 1) await first.charge(address('FRA'), rateLimitOf(30), NOW);
    expect(world.calls).toBe(20);
    for (let request = 0; request < 10; request += 1) await second.charge(address('FRA'), rateLimitOf(30), NOW);
    expect(world.calls).toBe(31);
    await first.charge(address('FRA'), rateLimitOf(30), NOW);
    for (let request = 0; request < 100; request += 1) await first.charge(address('FRA'), rateLimitOf(30), NOW);
    expect(world.calls).toBe(32);
  });

  it('keep their count when a raised limit applies within the window', async () => {
    const { isolate } = simulate(seeded(1));
    for (let request = 0; request < 3; request += 1) await isolate().charge(address('FRA'), rateLimitOf(2), NOW);
    expect((await isolate().charge(address('FRA'), rateLimitOf(8), NOW)).used).toBe(3);
  });

  it('may lose what several isolates saw in an eviction, at most half of the limit and one request for each', async () => {
    for (const seed of SEEDS) {
      const random = seeded(seed);
      const { evictAll, isolate } = simulate(random);
      const isolates = Array.from({ length: 4 }, isolate);
      const charges: Charge[] = [];
      for (let request = 0; request < 25; request += 1) {
        charges.push(await (isolates[Math.floor(random() * 4)] as RateLimiter).charge(address('FRA'), rateLimitOf(30), NOW));
      }
      evictAll();
      for (let request = 0; request < 60; request += 1) {
        charges.push(await (isolates[Math.floor(random() * 4)] as RateLimiter).charge(address('FRA'), rateLimitOf(30), NOW));
      }
      expect(admittedOf(charges)).toBeLessThanOrEqual(30 + 15 + 4);
    }
  });
});

describe('LocalAddressCounters', () => {
  const callOf = (name: string, now: number): AddressCall => ({
    name,
    member: null,
    limits: { member: 30, network: null },
    windowSeconds: WINDOW,
    now,
    seen: { member: 0, network: 0 },
  });

  it('drops windows that have ended before open ones', () => {
    const counters = new LocalAddressCounters(100);
    for (let index = 0; index < 90; index += 1) counters.count(callOf(`old ${index}`, NOW));
    for (let index = 0; index < 50; index += 1) counters.count(callOf(`new ${index}`, NOW + WINDOW));
    expect(counters.size).toBe(50);
    expect(counters.count(callOf('new 0', NOW + WINDOW)).count.member).toBe(2);
  });

  it('drops the oldest addresses of an open window over its bound', () => {
    const counters = new LocalAddressCounters(100);
    for (let index = 0; index < 1000; index += 1) counters.count(callOf(`${index}`, NOW));
    expect(counters.size).toBe(100);
    expect(counters.count(callOf('999', NOW)).count.member).toBe(2);
    expect(counters.count(callOf('0', NOW)).count.member).toBe(1);
  });

  it('bounds the windows of clocks that differ', () => {
    const counters = new LocalAddressCounters(1000);
    for (let minute = 0; minute < 500; minute += 1) counters.count(callOf('one', NOW - minute * WINDOW));
    expect(counters.size).toBeLessThanOrEqual(64);
  });

  it('sets no timer', () => {
    vi.useFakeTimers();
    new LocalAddressCounters().count(callOf('one', NOW));
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});
