import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LEASE_SECONDS, type NextStep, StepRunner, type StepRunnerOptions } from '../../../../src/platform/durable/step-runner.ts';
import { eventually } from '../../../support/eventually.ts';
import { memoryRunnerStorage } from '../../../support/runner-storage.ts';

interface Note {
  step: 'fetch' | 'store';
  done: number;
}

/** An object with steps of the test: `object()` is a new instance over the same storage. */
function world(options: Partial<StepRunnerOptions<Note>> = {}) {
  const clock = { now: 1_000_000 };
  const storage = memoryRunnerStorage();
  const ran: string[] = [];
  const steps = {
    fetch: async (note: Note): Promise<NextStep<Note>> => ({ note: { step: 'store', done: note.done + 1 } }),
    store: async (note: Note): Promise<NextStep<Note>> => (note.done < 2 ? { note: { ...note, step: 'fetch' }, pauseMs: 250 } : null),
  };
  const recorded = (step: Note['step']) => (note: Note) => {
    ran.push(`${step} ${note.done}`);
    return steps[step](note);
  };
  const object = () =>
    new StepRunner<Note>(storage, {
      name: 'test',
      policy: { tries: 3, firstPauseSeconds: 5, factor: 6, longestPauseSeconds: 120 },
      steps: { fetch: recorded('fetch'), store: recorded('store') },
      nowMs: () => clock.now,
      ...options,
    });
  return { clock, storage, ran, steps, object, pause: () => (storage.alarmAt.value === null ? null : storage.alarmAt.value - clock.now) };
}

/** An object whose first step runs until `end` is settled. */
async function runningStep() {
  const all = world();
  const end = Promise.withResolvers<NextStep<Note>>();
  all.steps.fetch = () => end.promise;
  const runner = all.object();
  await runner.begin({ step: 'fetch', done: 0 });
  const running = runner.alarm();
  await eventually(() => expect(all.ran).toHaveLength(1));
  return { ...all, end, runner, running };
}

/** A step that never ends, like that of an evicted object. */
const evicted = () => new Promise<never>(() => {});

beforeEach(() => {
  vi.restoreAllMocks();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('StepRunner', () => {
  it('runs one step per alarm until the work is done', async () => {
    const { storage, ran, object, pause } = world();
    await object().begin({ step: 'fetch', done: 0 });
    expect(pause()).toBe(0);
    await object().alarm();
    expect([ran, pause()]).toEqual([['fetch 0'], 0]);
    await object().alarm();
    expect([ran, pause()]).toEqual([['fetch 0', 'store 1'], 250]);
    for (let step = 0; step < 2; step += 1) await object().alarm();
    expect([ran.length, pause(), object().note(), storage.values.size]).toEqual([4, null, null, 0]);
    await object().alarm();
    expect(ran).toHaveLength(4);
  });

  it('repeats the step of an evicted object after the lease, or on the next request to the object', async () => {
    const { ran, steps, object, pause } = world();
    await object().begin({ step: 'fetch', done: 0 });
    const { fetch } = steps;
    steps.fetch = evicted;
    void object().alarm();
    await eventually(() => expect(ran).toHaveLength(1));
    expect(pause()).toBe(LEASE_SECONDS * 1000);
    steps.fetch = fetch;
    const next = object();
    expect(pause()).toBe(0);
    expect(next.note()).toEqual({ step: 'fetch', done: 0 });
    await next.alarm();
    expect([ran, next.note()]).toEqual([['fetch 0', 'fetch 0'], { step: 'store', done: 1 }]);
  });

  it('renews the lease of a step that outlasts it and runs no second step in parallel', async () => {
    const { clock, ran, pause, end, runner, running } = await runningStep();
    clock.now += LEASE_SECONDS * 1000;
    await runner.alarm();
    expect([ran.length, pause()]).toEqual([1, LEASE_SECONDS * 1000]);
    end.resolve(null);
    await running;
    expect([runner.note(), pause()]).toEqual([null, null]);
  });

  it('retries a failed step after growing pauses and ends the work after the last attempt', async () => {
    const onExhausted = vi.fn(async () => {});
    const { steps, object, pause } = world({ onExhausted });
    await object().begin({ step: 'fetch', done: 7 });
    const failure = new Error('broken');
    steps.fetch = () => Promise.reject(failure);
    const pauses: (number | null)[] = [];
    for (let tries = 0; tries < 2; tries += 1) {
      await object().alarm();
      pauses.push(pause());
    }
    expect([pauses, object().failures(), object().note()]).toEqual([[5000, 30_000], 2, { step: 'fetch', done: 7 }]);
    expect(onExhausted).not.toHaveBeenCalled();
    await object().alarm();
    expect([pause(), object().note()]).toEqual([null, null]);
    expect(onExhausted).toHaveBeenCalledExactlyOnceWith({ step: 'fetch', done: 7 }, failure);
  });

  it('resets the failure count after a step that succeeds', async () => {
    const { steps, object, pause } = world();
    const { fetch } = steps;
    await object().begin({ step: 'fetch', done: 0 });
    steps.fetch = () => Promise.reject(new Error('broken'));
    await object().alarm();
    steps.fetch = fetch;
    await object().alarm();
    expect([object().failures(), object().note()?.step]).toEqual([0, 'store']);
    steps.store = () => Promise.reject(new Error('broken'));
    await object().alarm();
    expect(pause()).toBe(5000);
  });

  it('ends the work even if onExhausted fails', async () => {
    const { steps, object } = world({
      policy: { tries: 1, firstPauseSeconds: 1, factor: 1, longestPauseSeconds: 1 },
      onExhausted: () => Promise.reject(new Error('down')),
    });
    await object().begin({ step: 'fetch', done: 0 });
    steps.fetch = () => Promise.reject(new Error('broken'));
    await object().alarm();
    expect(object().note()).toBeNull();
  });

  it('runs work that begins during a step after that step', async () => {
    for (const outcome of ['done', 'further', 'failed'] as const) {
      const { object, pause, end, runner, running } = await runningStep();
      await runner.begin({ step: 'store', done: 9 });
      expect(object().note()).toEqual({ step: 'store', done: 9 });
      if (outcome === 'failed') end.reject(new Error('broken'));
      else end.resolve(outcome === 'done' ? null : { note: { step: 'store', done: 1 }, pauseMs: 9000 });
      await running;
      expect([outcome, runner.note(), runner.failures(), pause()]).toEqual([outcome, { step: 'store', done: 9 }, 0, 0]);
    }
  });

  it('ends a pause only when resume skips it, and restores a lost alarm', async () => {
    const { clock, storage, steps, object, pause } = world();
    await object().begin({ step: 'fetch', done: 0 });
    steps.fetch = () => Promise.reject(new Error('broken'));
    await object().alarm();
    clock.now += 1000;
    await object().resume(false);
    expect(pause()).toBe(4000);
    await object().resume(true);
    expect(pause()).toBe(0);
    storage.alarmAt.value = null;
    await object().resume(false);
    expect(pause()).toBe(0);
  });
});
