import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHeavyWork } from '../../../src/platform/kit/heavy-work.ts';

/** Work that ends when the test ends it. */
function openEnded() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, work: () => ended };
}

afterEach(() => void vi.useRealTimers());

describe('createHeavyWork', () => {
  it('runs one task at a time in the order of the requests', async () => {
    const { run } = createHeavyWork();
    const order: number[] = [];
    let inside = 0;
    let most = 0;
    const work = (number: number) => async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(number);
      inside -= 1;
      return number;
    };
    expect(await Promise.all([1, 2, 3, 4, 5].map((number) => run(10, work(number))))).toEqual([1, 2, 3, 4, 5]);
    expect([most, order]).toEqual([1, [1, 2, 3, 4, 5]]);
  });

  it('rejects with 503 and the computed wait when more than 5 s of work is queued', async () => {
    const { run } = createHeavyWork();
    const first = openEnded();
    const running = run(2000, first.work);
    const waiting = [run(3000, async () => 'at the bound'), run(1500, async () => 'beyond it')];
    await expect(run(1, async () => {})).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'Retry-After': '7' },
    });
    first.end();
    await running;
    expect(await Promise.all(waiting)).toEqual(['at the bound', 'beyond it']);
    expect(await run(1, async () => 'again')).toBe('again');
  });

  it('rejects with 503 after 20 s of waiting', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let now = 0;
    const { run } = createHeavyWork({ clock: () => now });
    let isFinished = false;
    const long = run(100, async (pause) => {
      while (!isFinished) await pause();
    });
    const rejected = expect(run(100, async () => {})).rejects.toMatchObject({ code: 'service_unavailable' });
    for (now = 0; now <= 20_000; now += 1000) await vi.advanceTimersByTimeAsync(30);
    await rejected;
    isFinished = true;
    await vi.advanceTimersByTimeAsync(30);
    await long;
  });

  it('removes a task that has not paused for 10 s from the queue', async () => {
    let now = 0;
    const { run } = createHeavyWork({ clock: () => now });
    void run(100, openEnded().work);
    now = 10_001;
    expect(await run(100, async () => 'next')).toBe('next');
  });

  it('keeps a long task that pauses', async () => {
    let now = 0;
    const { run } = createHeavyWork({ clock: () => now });
    const order: string[] = [];
    const long = run(100, async (pause) => {
      for (let step = 0; step < 4; step += 1) {
        now += 4000;
        await pause();
      }
      order.push('long');
    });
    await run(100, async () => void order.push('next'));
    await long;
    expect(order).toEqual(['long', 'next']);
  });

  it('lets other work of the isolate run during a pause', async () => {
    const { run } = createHeavyWork();
    let hasResponded = false;
    await run(100, async (pause) => {
      setImmediate(() => {
        hasResponded = true;
      });
      await pause();
      expect(hasResponded).toBe(true);
    });
  });

  it('runs the next task after a task fails', async () => {
    const { run } = createHeavyWork();
    await expect(run(100, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await run(100, async () => 1)).toBe(1);
  });
});
