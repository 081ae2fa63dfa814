import { describe, expect, it } from 'vitest';
import { createTurnstile } from '../../../src/areas/ocr/turnstile.ts';

/** Work that ends when it is told to. */
function openEnded() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, work: () => ended };
}

const OPTIONS = { patience: 20_000, lease: 60_000, maxWaiting: 2 };

describe('the turnstile', () => {
  it('lets one through at a time', async () => {
    const turnstile = createTurnstile({ ...OPTIONS, maxWaiting: 8 });
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside -= 1;
      return 7;
    };
    const values = await Promise.all(Array.from({ length: 5 }, () => turnstile.pass(work)));
    expect([most, values]).toEqual([1, Array.from({ length: 5 }, () => ({ value: 7 }))]);
  });

  it('turns away whoever would wait too long, or is one too many', async () => {
    let now = 0;
    const turnstile = createTurnstile({ ...OPTIONS, clock: () => now });
    const first = openEnded();
    const through = turnstile.pass(first.work);
    const waiting = [turnstile.pass(async () => 1), turnstile.pass(async () => 2)];
    expect(await turnstile.pass(async () => 3)).toBeNull();
    now = 20_000;
    expect(await Promise.all(waiting)).toEqual([null, null]);
    first.end();
    expect(await through).toEqual({ value: undefined });
    expect(await turnstile.pass(async () => 4)).toEqual({ value: 4 });
  });

  it('takes work that never ends for dead', async () => {
    let now = 0;
    const turnstile = createTurnstile({ ...OPTIONS, clock: () => now });
    void turnstile.pass(openEnded().work);
    now = 60_001;
    expect(await turnstile.pass(async () => 'next')).toEqual({ value: 'next' });
  });

  it('is free again after a failure', async () => {
    const turnstile = createTurnstile(OPTIONS);
    await expect(turnstile.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turnstile.pass(async () => 1)).toEqual({ value: 1 });
  });
});
