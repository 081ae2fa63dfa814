import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRevalidatingCache, MAX_WAIT_MS } from '../../../src/platform/storage/memory-caches.ts';

const TTL_MS = 5000;

describe('createRevalidatingCache', () => {
  let now = 0;
  let store: { value: number; reads: number; respond: (value: number) => Promise<number> };
  const works = async (value: number) => value;
  const hangs = () => new Promise<number>(() => {});
  const fails = () => Promise.reject(new Error('out of reach'));

  const create = () =>
    createRevalidatingCache(
      () => {
        store.reads += 1;
        return store.respond(store.value);
      },
      TTL_MS,
      () => now,
    );
  const nextMacrotask = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    now = 1000;
    store = { value: 1, reads: 0, respond: works };
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('returns the value at once for twice its TTL and reads in the background, once at a time', async () => {
    const cache = create();
    expect(await cache.get()).toBe(1);
    store.value = 2;
    now += TTL_MS - 1;
    expect([cache.get(), store.reads]).toEqual([1, 1]);
    now += 1;
    expect([cache.get(), cache.get(), cache.get(), store.reads]).toEqual([1, 1, 1, 2]);
    await nextMacrotask();
    expect(cache.get()).toBe(2);
    expect(store.reads).toBe(2);
  });

  it('waits at most 500 ms for a read when the value is older than twice its TTL', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const cache = create();
    await cache.get();
    store.value = 2;
    now += 2 * TTL_MS;
    expect(await cache.get()).toBe(2);
    now += 2 * TTL_MS;
    store.respond = hangs;
    const waiting = cache.get();
    expect(waiting).toBeInstanceOf(Promise);
    expect(cache.get()).toBe(2);
    await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
    expect(await waiting).toBe(2);
  });

  it('never waits after a read timed out, and runs one read at a time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const cache = create();
    await cache.get();
    store.respond = hangs;
    for (let second = 0; second < 3600; second += 1) {
      now += 1000;
      expect(cache.get()).toBe(1);
    }
    expect(store.reads).toBeLessThanOrEqual(1 + 3600 / 10);
    store.respond = works;
    store.value = 2;
    now += 10_000;
    await vi.advanceTimersByTimeAsync(10_000);
    now += 10_000;
    expect(cache.get()).toBe(1);
    await nextMacrotask();
    expect(cache.get()).toBe(2);
  });

  it('returns the old value while reads fail, and retries after the TTL', async () => {
    const cache = create();
    await cache.get();
    store.respond = fails;
    now += TTL_MS;
    expect(cache.get()).toBe(1);
    await nextMacrotask();
    for (let index = 0; index < 10; index += 1) expect(cache.get()).toBe(1);
    expect(store.reads).toBe(2);
    now += TTL_MS;
    expect(cache.get()).toBe(1);
    expect(store.reads).toBe(3);
  });

  it('rejects before the first value is loaded', async () => {
    const cache = create();
    store.respond = fails;
    await expect(cache.get()).rejects.toThrow('out of reach');
    store.respond = works;
    expect(await cache.get()).toBe(1);
  });

  it('reads again after invalidate, and ignores a read that started before', async () => {
    const cache = create();
    await cache.get();
    let release = (_: number) => {};
    store.respond = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    now += TTL_MS;
    expect(cache.get()).toBe(1);
    cache.invalidate();
    store.respond = works;
    store.value = 3;
    expect(await cache.get()).toBe(3);
    release(2);
    await nextMacrotask();
    expect(cache.get()).toBe(3);
  });
});
