import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRateLimiter } from '../../../src/platform/access/limits/rate-limiter.ts';
import { RESERVATION_LEASE_MS, RESERVATION_RENEWAL_MS } from '../../../src/platform/access/limits/reservations.ts';
import { isRefused } from '../../../src/platform/access/limits/window.ts';

/** Start of a window of the cooldown, in seconds. */
const NOW = 1_773_156_600;
const INGEST = { name: 'ingest', limit: 1, windowSeconds: 300 };

const limiter = createRateLimiter(env.RATE_LIMITS);
const object = (name: string) => env.RATE_LIMITS.getByName(name);
const storedKeys = (name: string) => runInDurableObject(object(name), async (_, { storage }) => [...(await storage.list()).keys()]);
const isAdmitted = async (key: string, now = NOW) => {
  const { charge, settle } = await limiter.reserve(key, INGEST, now);
  await settle(false);
  return !isRefused(charge);
};

/** Simulates a crashed Worker: never settles or renews the reservation. */
const reserveAndCrash = (key: string) => object(key).reserve({ own: INGEST.limit, network: null }, INGEST.windowSeconds, NOW);

afterEach(() => {
  vi.useRealTimers();
});

describe('rate limit reservation', () => {
  it('refuses other requests while its request runs', async () => {
    const first = await limiter.reserve('runs', INGEST, NOW);
    expect(first.charge).toMatchObject({ used: 1, resetAt: NOW + 300 });
    expect((await limiter.reserve('runs', INGEST, NOW)).charge.used).toBe(2);
    await first.settle(false);
  });

  it('counts for the rest of the window after it is settled as counted, also after an eviction', async () => {
    const { settle } = await limiter.reserve('counts', INGEST, NOW);
    await settle(true);
    await evictDurableObject(object('counts'));
    expect((await limiter.reserve('counts', INGEST, NOW + 299)).charge).toMatchObject({ used: 2, resetAt: NOW + 300 });
    expect(await isAdmitted('counts', NOW + 300)).toBe(true);
  });

  it('does not count after it is settled as not counted', async () => {
    const { settle } = await limiter.reserve('refused', INGEST, NOW);
    await settle(false);
    await evictDurableObject(object('refused'));
    expect(await isAdmitted('refused')).toBe(true);
  });

  it('ends with its lease when its Worker crashed, also after an eviction', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await reserveAndCrash('crashed');
    vi.setSystemTime(Date.now() + RESERVATION_LEASE_MS - 1);
    expect(await isAdmitted('crashed')).toBe(false);
    await evictDurableObject(object('crashed'));
    expect(await isAdmitted('crashed')).toBe(false);
    vi.setSystemTime(Date.now() + 1);
    expect(await isAdmitted('crashed')).toBe(true);
  });

  it('makes Retry-After of a refused request the end of the reservation, not of the window', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await reserveAndCrash('retry');
    vi.setSystemTime(Date.now() + 10_000);
    const refused = await limiter.reserve('retry', INGEST, NOW + 10);
    expect([isRefused(refused.charge), refused.charge.resetAt]).toEqual([true, NOW + 10 + 20]);
    const late = await limiter.reserve('retry', INGEST, NOW + 295);
    expect([isRefused(late.charge), late.charge.resetAt]).toEqual([true, NOW + 300]);
  });

  it('is renewed while its request runs', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const slow = await limiter.reserve('slow', INGEST, NOW);
    for (let elapsed = 0; elapsed < 4 * RESERVATION_LEASE_MS; elapsed += RESERVATION_RENEWAL_MS) {
      vi.advanceTimersByTime(RESERVATION_RENEWAL_MS);
      expect(await isAdmitted('slow')).toBe(false);
    }
    await slow.settle(true);
    expect(await isAdmitted('slow')).toBe(false);
  });

  it('counts when it is settled after its lease ended', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { settle } = await limiter.reserve('stalled', INGEST, NOW);
    vi.setSystemTime(Date.now() + RESERVATION_LEASE_MS);
    await settle(true);
    expect(await isAdmitted('stalled')).toBe(false);
  });

  it('counts towards the limit together with settled requests', async () => {
    const three = { ...INGEST, limit: 3 };
    const [a, b] = [await limiter.reserve('several', three, NOW), await limiter.reserve('several', three, NOW)];
    await a.settle(true);
    const c = await limiter.reserve('several', three, NOW);
    expect([a, b, c].map(({ charge }) => charge.used)).toEqual([1, 2, 3]);
    expect(isRefused((await limiter.reserve('several', three, NOW)).charge)).toBe(true);
    await b.settle(false);
    await c.settle(false);
    expect((await limiter.reserve('several', three, NOW)).charge.used).toBe(2);
  });

  it('empties its storage after its lease ended; counts are overwritten in the next window', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW * 1000 });
    await reserveAndCrash('emptied');
    expect(await storedKeys('emptied')).toEqual(['reservations']);
    vi.setSystemTime(NOW * 1000 + RESERVATION_LEASE_MS);
    expect(await runDurableObjectAlarm(object('emptied'))).toBe(true);
    expect(await storedKeys('emptied')).toEqual([]);
    vi.setSystemTime(NOW * 1000);
    const { settle } = await limiter.reserve('kept', INGEST, NOW);
    await settle(true);
    vi.setSystemTime((NOW + 60) * 1000);
    await runDurableObjectAlarm(object('kept'));
    expect(await isAdmitted('kept')).toBe(false);
    expect(await storedKeys('kept')).toEqual(['counters']);
    expect(await isAdmitted('kept', NOW + 300)).toBe(true);
  });

  it('is renewed with one write', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const start = Date.now();
    const reserved = await reserveAndCrash('writes');
    const alarm = () => runInDurableObject(object('writes'), (_, { storage }) => storage.getAlarm());
    const before = await alarm();
    vi.setSystemTime(start + RESERVATION_RENEWAL_MS);
    await object('writes').renew(reserved.id ?? '', INGEST.windowSeconds, NOW);
    expect([before, await alarm()]).toEqual([start + RESERVATION_LEASE_MS, start + RESERVATION_LEASE_MS]);
    vi.setSystemTime(start + RESERVATION_LEASE_MS);
    expect(await runDurableObjectAlarm(object('writes'))).toBe(true);
    expect([await storedKeys('writes'), await alarm()]).toEqual([['reservations'], start + RESERVATION_LEASE_MS + RESERVATION_RENEWAL_MS]);
  });
});
