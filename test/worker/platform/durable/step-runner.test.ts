import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { LEASE_SECONDS, StepRunner } from '../../../../src/platform/durable/step-runner.ts';
import { eventually } from '../../../support/eventually.ts';

/** Far in the future, so no alarm fires during the test. */
const NOW_MS = Date.now() + 86_400_000;

interface Note {
  step: 'count';
  done: number;
}

it('continues after the object was evicted in the middle of a step', async () => {
  // A stub cannot be used after the eviction of its object.
  const stub = () => env.ARCHIVE_SYNC.getByName('evicted');
  const ran: number[] = [];
  const within = <Result>(hangsAt: number, work: (runner: StepRunner<Note>, storage: DurableObjectStorage) => Promise<Result>) =>
    runInDurableObject(stub(), (_, { storage }) => {
      const runner = new StepRunner<Note>(storage, {
        name: 'test',
        policy: { tries: null, firstPauseSeconds: 1, factor: 1, longestPauseSeconds: 1 },
        steps: {
          async count({ done }) {
            ran.push(done);
            if (done === hangsAt) await new Promise(() => {});
            return done === 2 ? null : { note: { step: 'count', done: done + 1 } };
          },
        },
        nowMs: () => NOW_MS,
      });
      return work(runner, storage);
    });

  const alarmAt = await within(1, async (runner, storage) => {
    await runner.begin({ step: 'count', done: 0 });
    await runner.alarm();
    void runner.alarm();
    await eventually(() => expect(ran).toEqual([0, 1]));
    return storage.getAlarm();
  });
  expect(alarmAt).toBe(NOW_MS + LEASE_SECONDS * 1000);
  await runInDurableObject(stub(), (_, state) => state.abort('evicted')).catch(() => {});

  const left = await within(-1, async (runner, storage) => {
    for (let step = 0; step < 2; step += 1) await runner.alarm();
    return { note: runner.note(), alarm: await storage.getAlarm() };
  });
  expect([ran, left]).toEqual([[0, 1, 1, 2], { note: null, alarm: null }]);
});
