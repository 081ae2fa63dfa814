import { afterEach, expect, it, vi } from 'vitest';
import { withTimeout } from '../../../src/platform/kit/tasks.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('returns the result, rethrows an error, and clears its timer', async () => {
  vi.useFakeTimers();
  expect(await withTimeout(Promise.resolve(1), 1000, 'work')).toBe(1);
  await expect(withTimeout(Promise.reject(new Error('broken')), 1000, 'work')).rejects.toThrow('broken');
  expect(await withTimeout(2, 1000, 'work')).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});

it('rejects when the promise does not settle in time', async () => {
  vi.useFakeTimers();
  const result = withTimeout(new Promise<never>(() => {}), 1000, 'the source');
  const expectation = expect(result).rejects.toThrow('the source took longer than 1000 ms');
  await vi.advanceTimersByTimeAsync(1000);
  await expectation;
});
