import { describe, expect, it } from 'vitest';
import { createMemoryPool } from '../../../src/platform/http/bodies/memory-pool.ts';
import { createHeavyWork } from '../../../src/platform/kit/heavy-work.ts';
import { createIsolateMemory, type IsolateMemory } from '../../../src/platform/kit/isolate-memory.ts';
import type { UnixSeconds } from '../../../src/platform/kit/time/clock.ts';

const refused = expect.objectContaining({ code: 'service_unavailable', headers: { 'Retry-After': '5' } });

/** An instance of `size` bytes that is kept until it is dropped. */
function keepInstance(memory: IsolateMemory, size: number) {
  const instance = { size };
  memory.keep({
    bytes: () => instance.size,
    drop() {
      instance.size = 0;
    },
  });
  return instance;
}

describe('createIsolateMemory', () => {
  it('counts kept instances and drops them when a reservation does not fit beside them', () => {
    const memory = createIsolateMemory(100);
    const instance = keepInstance(memory, 40);
    memory.take(60);
    expect(instance.size).toBe(40);
    memory.take(1);
    expect([instance.size, memory.reservedBytes()]).toEqual([0, 61]);
  });

  it('refuses a reservation that does not fit without kept instances', () => {
    const memory = createIsolateMemory(100);
    keepInstance(memory, 40);
    expect(() => memory.take(101)).toThrow(refused);
    expect(memory.reservedBytes()).toBe(0);
  });

  it('counts an instance that grew since it was kept', () => {
    const memory = createIsolateMemory(100);
    const instance = keepInstance(memory, 10);
    instance.size = 90;
    const end = memory.startWork(() => 10);
    expect(() => memory.take(1)).toThrow(refused);
    end();
    memory.take(100);
    expect(instance.size).toBe(0);
  });

  it('counts the peak of running work once, while its instance grows', () => {
    const memory = createIsolateMemory(100);
    const instance = keepInstance(memory, 0);
    const end = memory.startWork(() => 60);
    instance.size = 60;
    memory.take(40);
    expect(() => memory.take(1)).toThrow(refused);
    end();
    memory.take(60);
  });

  it('evaluates the need of work again after instances were dropped', () => {
    const memory = createIsolateMemory(100);
    const instance = keepInstance(memory, 50);
    memory.take(30);
    const neededBytes = () => (instance.size === 0 ? 70 : 40);
    memory.startWork(neededBytes)();
    expect(instance.size).toBe(0);
    memory.take(1);
    expect(() => memory.startWork(neededBytes)).toThrow(refused);
  });
});

describe('createHeavyWork with a memory limit', () => {
  it('refuses work that does not fit and frees the memory of work that failed', async () => {
    const memory = createIsolateMemory(100);
    const { run } = createHeavyWork({ memory });
    const needs = (bytes: number) => () => bytes;
    await expect(run(1, async () => {}, needs(101))).rejects.toThrow(refused);
    await expect(run(1, () => Promise.reject(new Error('failed')), needs(100))).rejects.toThrow('failed');
    expect(await run(1, async () => memory.reservedBytes(), needs(100))).toBe(0);
    memory.take(100);
  });

  it('frees the memory of work that has stopped without an end', async () => {
    let now = 0;
    const memory = createIsolateMemory(100);
    const { run } = createHeavyWork({ memory, clock: () => now });
    void run(
      1,
      () => new Promise(() => {}),
      () => 100,
    );
    expect(() => memory.take(1)).toThrow(refused);
    now += 10_001;
    expect(
      await run(
        1,
        async () => 'next',
        () => 100,
      ),
    ).toBe('next');
  });

  it('frees the memory of work that has stopped without an end for a reservation', async () => {
    let now = 0;
    const memory = createIsolateMemory(100);
    const { run } = createHeavyWork({ memory, clock: () => now });
    const work = () => new Promise(() => {});
    const neededBytes = () => 100;
    void run(1, work, neededBytes);
    now += 10_000;
    expect(() => memory.take(1)).toThrow(refused);
    now += 1;
    memory.take(1);
    expect(memory.reservedBytes()).toBe(1);
  });

  it('frees an expired reservation for work', async () => {
    let now = 0;
    const memory = createIsolateMemory(100);
    const { run } = createHeavyWork({ memory });
    createMemoryPool(memory, { clock: () => now as UnixSeconds })
      .open(new AbortController().signal)
      .grow(1);
    const neededBytes = () => 100;
    now += 299;
    await expect(run(1, async () => {}, neededBytes)).rejects.toThrow(refused);
    now += 1;
    expect(await run(1, async () => memory.reservedBytes(), neededBytes)).toBe(0);
  });
});
