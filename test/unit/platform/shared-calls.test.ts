import { afterEach, describe, expect, it, vi } from 'vitest';
import { SharedCalls } from '../../../src/platform/rate-limits/shared-calls.ts';

/** A counting object whose answers are let go one by one. */
function counter() {
  const sizes: number[] = [];
  const held: (() => void)[] = [];
  let used = 0;
  const send = (requests: number) =>
    new Promise<number>((resolve, reject) => {
      sizes.push(requests);
      const first = used + 1;
      used += requests;
      held.push(() => (first < 0 ? reject(new Error('no')) : resolve(first)));
    });
  return { sizes, send, letGo: () => held.shift()?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
});

describe('calls that travel together', () => {
  it('go alone while few are under way, and as one party for all who had to wait', async () => {
    const calls = new SharedCalls<number>(4);
    const { send, sizes, letGo } = counter();
    const places = Promise.all(Array.from({ length: 12 }, () => calls.join('key', send).then(({ answer, place }) => answer + place)));
    await settle();
    expect(sizes).toEqual([1, 1, 1, 1]);
    for (let more = 0; more < 5; more += 1) {
      letGo();
      await settle();
    }
    expect(sizes).toEqual([1, 1, 1, 1, 8]);
    expect((await places).toSorted((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });

  it('wait for nobody with another key', async () => {
    const calls = new SharedCalls<number>(4);
    const { send, sizes, letGo } = counter();
    const all = Promise.all(Array.from({ length: 6 }, (_, index) => calls.join(`key ${index}`, send)));
    await settle();
    expect(sizes).toEqual([1, 1, 1, 1, 1, 1]);
    for (const _ of sizes) letGo();
    await all;
  });

  it('fail together, and the next is not held up', async () => {
    const calls = new SharedCalls<number>(4);
    const failing = async () => {
      await settle();
      throw new Error('out of reach');
    };
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => calls.join('key', failing)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await calls.join('key', async () => 7)).toEqual({ answer: 7, place: 0 });
  });

  it('do not wait for ever for one that was cut off', async () => {
    vi.useFakeTimers();
    const calls = new SharedCalls<number>(4);
    const never = () => new Promise<number>(() => {});
    for (let call = 0; call < 4; call += 1) void calls.join('key', never);
    const waiting = calls.join('key', async () => 9);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await waiting).toEqual({ answer: 9, place: 0 });
    expect(await calls.join('key', async () => 10)).toEqual({ answer: 10, place: 0 });
  });
});
