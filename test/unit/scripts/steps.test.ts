import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UserError } from '../../../scripts/lib/main.ts';
import { close, reasonOf, runStep, whileProgressing } from '../../../scripts/lib/steps.ts';

const STEP = { name: 'The copy of users', standing: 'Nothing was changed. Run the command again.' };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The error of work, once all timers have run. */
async function errorOf(work: Promise<unknown>): Promise<unknown> {
  const failed = work.then(
    () => null,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return failed;
}

describe('runStep', () => {
  it('turns a failure into a UserError with the step, the reason and what stands', async () => {
    const error = await errorOf(runStep(STEP, () => Promise.reject(new Error('the network was lost'))));
    expect(error).toEqual(new UserError('The copy of users failed: the network was lost\nNothing was changed. Run the command again.'));
  });

  it('fails after its time when the work hangs', async () => {
    const error = await errorOf(runStep({ ...STEP, timeoutMs: 5000 }, () => new Promise(() => {})));
    expect(error).toEqual(
      new UserError('The copy of users failed: the request took longer than 5000 ms\nNothing was changed. Run the command again.'),
    );
  });

  it('passes the message of an inner step', async () => {
    const inner = new UserError('Not restored: the database is not empty.');
    expect(await errorOf(runStep(STEP, () => Promise.reject(inner)))).toBe(inner);
  });
});

describe('reasonOf', () => {
  it.each([
    [new Error('one'), 'one'],
    [
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }),
      'fetch failed (connect ECONNREFUSED 127.0.0.1:1)',
    ],
    [new Error('outer: inner', { cause: new Error('inner') }), 'outer: inner'],
    [new Error('fetch failed', { cause: new AggregateError([new Error('refused')]) }), 'fetch failed (refused)'],
    ['text', 'text'],
    [Object.assign(new Error(`D1_ERROR: SELECT\n  ${'x'.repeat(1000)}`), { name: 'DatabaseError' }), `D1_ERROR: SELECT ${'x'.repeat(143)}`],
    [new Error('refused', { cause: {} }), 'refused'],
  ])('is the message with those of the causes: %s', (error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});

describe('close', () => {
  it.each([
    ['fails', () => Promise.reject(new Error('closed'))],
    [
      'throws',
      () => {
        throw new Error('closed');
      },
    ],
    ['hangs', () => new Promise<void>(() => {})],
  ])('returns when the end of the connection %s', async (_, dispose) => {
    expect(await errorOf(close(dispose))).toBeNull();
  });
});

describe('whileProgressing', () => {
  it('lasts as long as there is progress', async () => {
    const work = whileProgressing({ timeoutMs: 1000, standing: 'Go on.' }, async (onProgress) => {
      for (let count = 0; count < 5; count += 1) {
        await vi.advanceTimersByTimeAsync(900);
        onProgress();
      }
      return 'done';
    });
    expect(await work).toBe('done');
  });

  it('fails after the time without progress', async () => {
    const error = await errorOf(whileProgressing({ timeoutMs: 1000, standing: 'Go on.' }, () => new Promise(() => {})));
    expect(error).toEqual(new UserError('Nothing was stored for 1 s.\nGo on.'));
  });
});
