import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRevalidatingCache, createTtlCache, MAX_WAIT_MS } from '../../../src/platform/storage/ttl-cache.ts';

const LIFE = 5000;

/** A value with a clock that the test sets. */
function fixture() {
  const source = { value: 1, reads: 0, fails: false, wait: null as Promise<void> | null };
  const kept = createTtlCache(async () => {
    source.reads += 1;
    const { value, fails } = source;
    await source.wait;
    if (fails) throw new Error('out of reach');
    return value;
  }, LIFE);
  return { source, kept };
}

describe('createTtlCache', () => {
  let now = 0;
  beforeEach(() => {
    now = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('reads once and returns the value without waiting until the TTL ends', async () => {
    const { source, kept } = fixture();
    expect(await kept.get()).toBe(1);
    source.value = 2;
    now += LIFE - 1;
    expect(kept.get()).toBe(1);
    now += 1;
    expect(await kept.get()).toBe(2);
    expect(source.reads).toBe(2);
  });

  it('reads again when the clock was set back', async () => {
    const { source, kept } = fixture();
    expect(await kept.get()).toBe(1);
    source.value = 2;
    now -= 1;
    expect(await kept.get()).toBe(2);
  });

  it('lets one request read again while the others get the old value', async () => {
    const { source, kept } = fixture();
    await kept.get();
    now += LIFE;
    source.value = 2;
    const reading = kept.get();
    expect(kept.get()).toBe(1);
    expect(await reading).toBe(2);
    expect(source.reads).toBe(2);
  });

  it('returns the old value when the read fails, and rejects without an old value', async () => {
    const { source, kept } = fixture();
    source.fails = true;
    await expect(kept.get()).rejects.toThrow('out of reach');
    source.fails = false;
    expect(await kept.get()).toBe(1);
    source.fails = true;
    now += LIFE;
    expect(await kept.get()).toBe(1);
    expect(kept.get()).toBe(1);
  });

  it('reads again after invalidate, and ignores a read that started before', async () => {
    const { source, kept } = fixture();
    let release = () => {};
    source.wait = new Promise((resolve) => {
      release = resolve;
    });
    const early = kept.get();
    source.wait = null;
    source.value = 2;
    kept.invalidate();
    expect(await kept.get()).toBe(2);
    release();
    expect(await early).toBe(1);
    expect(kept.get()).toBe(2);
  });
});

describe('createRevalidatingCache', () => {
  const AGE = 2000;
  let now = 0;
  let store: { value: number; reads: number; answer: (value: number) => Promise<number> };
  const works = async (value: number) => value;
  const hangs = () => new Promise<number>(() => {});
  const fails = () => Promise.reject(new Error('out of reach'));

  const create = () =>
    createRevalidatingCache(
      () => {
        store.reads += 1;
        return store.answer(store.value);
      },
      AGE,
      () => now,
    );
  const turns = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    now = 1000;
    store = { value: 1, reads: 0, answer: works };
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('returns the value at once for twice its TTL and reads in the background, once at a time', async () => {
    const kept = create();
    expect(await kept.get()).toBe(1);
    store.value = 2;
    now += AGE - 1;
    expect([kept.get(), store.reads]).toEqual([1, 1]);
    now += 1;
    expect([kept.get(), kept.get(), kept.get(), store.reads]).toEqual([1, 1, 1, 2]);
    await turns();
    expect(kept.get()).toBe(2);
    expect(store.reads).toBe(2);
  });

  it('waits at most 500 ms for a read when the value is older than twice its TTL', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const kept = create();
    await kept.get();
    store.value = 2;
    now += 2 * AGE;
    expect(await kept.get()).toBe(2);
    now += 2 * AGE;
    store.answer = hangs;
    const waiting = kept.get();
    expect(waiting).toBeInstanceOf(Promise);
    expect(kept.get()).toBe(2);
    await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
    expect(await waiting).toBe(2);
  });

  it('never waits after a read timed out, and runs one read at a time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const kept = create();
    await kept.get();
    store.answer = hangs;
    for (let second = 0; second < 3600; second += 1) {
      now += 1000;
      expect(kept.get()).toBe(1);
    }
    expect(store.reads).toBeLessThanOrEqual(1 + 3600 / 10);
    store.answer = works;
    store.value = 2;
    now += 10_000;
    await vi.advanceTimersByTimeAsync(10_000);
    now += 10_000;
    expect(kept.get()).toBe(1);
    await turns();
    expect(kept.get()).toBe(2);
  });

  it('returns the old value while reads fail, and retries after the TTL', async () => {
    const kept = create();
    await kept.get();
    store.answer = fails;
    now += AGE;
    expect(kept.get()).toBe(1);
    await turns();
    for (let made = 0; made < 10; made += 1) expect(kept.get()).toBe(1);
    expect(store.reads).toBe(2);
    now += AGE;
    expect(kept.get()).toBe(1);
    expect(store.reads).toBe(3);
  });

  it('rejects before the first value is loaded', async () => {
    const kept = create();
    store.answer = fails;
    await expect(kept.get()).rejects.toThrow('out of reach');
    store.answer = works;
    expect(await kept.get()).toBe(1);
  });

  it('reads again after invalidate, and ignores a read that started before', async () => {
    const kept = create();
    await kept.get();
    let release = (_: number) => {};
    store.answer = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    now += AGE;
    expect(kept.get()).toBe(1);
    kept.invalidate();
    store.answer = works;
    store.value = 3;
    expect(await kept.get()).toBe(3);
    release(2);
    await turns();
    expect(kept.get()).toBe(3);
  });
});
