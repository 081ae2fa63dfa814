import { describe, expect, it } from 'vitest';
import { grouped } from '../../../src/platform/kit/tasks.ts';

describe('grouped', () => {
  it('runs items together that arrive while a group runs, and returns the result of each', async () => {
    const groups: number[][] = [];
    const double = grouped(async (items: readonly number[]) => {
      groups.push([...items]);
      return items.map((item) => item * 2);
    });
    const first = [1, 2, 3].map(double);
    await first[0];
    const second = [4, 5].map(double);
    expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
    expect(groups[0]).toEqual([1]);
    expect(groups.length).toBeLessThan(5);
    expect(groups.flat()).toEqual([1, 2, 3, 4, 5]);
  });

  it('fails only the item that fails when its group is repeated one by one', async () => {
    const run = grouped(async (items: readonly number[]) => {
      if (items.includes(3)) throw new Error('no 3');
      return items;
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map(run));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))).toEqual([
      ...[1, 2, 'Error: no 3', 4],
    ]);
    expect(await run(5)).toBe(5);
  });
});
