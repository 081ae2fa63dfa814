import { describe, expect, it } from 'vitest';
import { createSemaphore } from '../../../src/platform/semaphore.ts';

/** Work that ends when it is told to. */
function openEnded() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, work: () => ended };
}

const OPTIONS = { patience: 20_000, lease: 60_000, maxWaiting: 2 };

describe('the semaphore', () => {
  it('lets one through at a time', async () => {
    const semaphore = createSemaphore({ ...OPTIONS, maxWaiting: 8 });
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside -= 1;
      return 7;
    };
    const values = await Promise.all(Array.from({ length: 5 }, () => semaphore.pass(work)));
    expect([most, values]).toEqual([1, Array.from({ length: 5 }, () => ({ value: 7 }))]);
  });

  it('lets as many through at a time as it has places', async () => {
    const semaphore = createSemaphore({ ...OPTIONS, places: 2, maxWaiting: 0 });
    const [first, second] = [openEnded(), openEnded()];
    const through = [semaphore.pass(first.work), semaphore.pass(second.work)];
    expect(await semaphore.pass(async () => 1)).toBeNull();
    first.end();
    await through[0];
    expect(await semaphore.pass(async () => 2)).toEqual({ value: 2 });
    second.end();
  });

  it('turns away whoever would wait too long, or is one too many', async () => {
    let now = 0;
    const semaphore = createSemaphore({ ...OPTIONS, clock: () => now });
    const first = openEnded();
    const through = semaphore.pass(first.work);
    const waiting = [semaphore.pass(async () => 1), semaphore.pass(async () => 2)];
    expect(await semaphore.pass(async () => 3)).toBeNull();
    now = 20_000;
    expect(await Promise.all(waiting)).toEqual([null, null]);
    first.end();
    expect(await through).toEqual({ value: undefined });
    expect(await semaphore.pass(async () => 4)).toEqual({ value: 4 });
  });

  it('takes work that never ends for dead', async () => {
    let now = 0;
    const semaphore = createSemaphore({ ...OPTIONS, clock: () => now });
    void semaphore.pass(openEnded().work);
    now = 60_001;
    expect(await semaphore.pass(async () => 'next')).toEqual({ value: 'next' });
  });

  it('is free again after a failure', async () => {
    const semaphore = createSemaphore(OPTIONS);
    await expect(semaphore.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await semaphore.pass(async () => 1)).toEqual({ value: 1 });
  });
});
