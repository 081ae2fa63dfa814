import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keptValue } from '../../../src/platform/storage/kept-value.ts';

const LIFE = 5000;

/** A value with a clock that the test moves. */
function fixture() {
  const source = { value: 1, reads: 0, fails: false, wait: null as Promise<void> | null };
  const kept = keptValue(async () => {
    source.reads += 1;
    const { value, fails } = source;
    await source.wait;
    if (fails) throw new Error('out of reach');
    return value;
  }, LIFE);
  return { source, kept };
}

describe('a kept value', () => {
  let now = 0;
  beforeEach(() => {
    now = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is read once and then there without waiting, for its time', async () => {
    const { source, kept } = fixture();
    expect(await kept.get()).toBe(1);
    source.value = 2;
    now += LIFE - 1;
    expect(kept.get()).toBe(1);
    now += 1;
    expect(await kept.get()).toBe(2);
    expect(source.reads).toBe(2);
  });

  it('is read again when the clock was set back', async () => {
    const { source, kept } = fixture();
    expect(await kept.get()).toBe(1);
    source.value = 2;
    now -= 1;
    expect(await kept.get()).toBe(2);
  });

  it('is read by one while the others have the old one', async () => {
    const { source, kept } = fixture();
    await kept.get();
    now += LIFE;
    source.value = 2;
    const reading = kept.get();
    expect(kept.get()).toBe(1);
    expect(await reading).toBe(2);
    expect(source.reads).toBe(2);
  });

  it('stays the old one when reading fails, and fails when there is none', async () => {
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

  it('is read again once it is forgotten; a read from before does not bring the old one back', async () => {
    const { source, kept } = fixture();
    let release = () => {};
    source.wait = new Promise((resolve) => {
      release = resolve;
    });
    const early = kept.get();
    source.wait = null;
    source.value = 2;
    kept.forget();
    expect(await kept.get()).toBe(2);
    release();
    expect(await early).toBe(1);
    expect(kept.get()).toBe(2);
  });
});
