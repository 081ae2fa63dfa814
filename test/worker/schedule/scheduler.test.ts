import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeApp } from '../../../src/composition.ts';
import worker from '../../../src/index.ts';
import { DID_NOT_END } from '../../../src/platform/durable/schedule/job.ts';
import { jobRuns } from '../../../src/platform/durable/schedule/jobs.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { eventually } from '../../support/eventually.ts';
import { crash, job, NOW, rowOf, runs, schedulerOf } from './jobs.ts';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('scheduler tick', () => {
  it('runs due jobs once per period and stores the result', async () => {
    const hourly = job('hourly');
    const scheduler = schedulerOf(hourly);
    for (const now of [NOW, NOW + 60, NOW + 120]) await scheduler.tick(now);
    expect(hourly.run).toHaveBeenCalledOnce();
    expect(vi.mocked(hourly.run).mock.calls[0]?.[0]).toMatchObject({ now: NOW, settings: DEFAULT_SETTINGS });
    expect(await rowOf('hourly')).toMatchObject({ leaseUntil: null, lastRunAt: NOW, lastSuccessAt: NOW, lastError: null });
    expect((await rowOf('hourly'))?.durationMs).toBeGreaterThanOrEqual(0);
    await scheduler.tick(NOW + 3600);
    expect(hourly.run).toHaveBeenCalledTimes(2);
  });

  it('runs a job once after any number of missed periods', async () => {
    const hourly = job('missed');
    const scheduler = schedulerOf(hourly);
    await scheduler.tick(NOW);
    for (const now of [NOW + 9 * 3600, NOW + 9 * 3600 + 60]) await scheduler.tick(now);
    expect(hourly.run).toHaveBeenCalledTimes(2);
  });

  it('runs a job once when two ticks race, even if the job is short', async () => {
    const quick = job('race');
    // Simulates separate isolates: both have read the table before either leases the job.
    await Promise.all(Array.from({ length: 6 }, () => schedulerOf(quick).tick(NOW)));
    expect(quick.run).toHaveBeenCalledOnce();
    const late = schedulerOf(quick);
    const rows = await runs.all();
    vi.spyOn(runs, 'all').mockResolvedValueOnce(rows.filter(({ name }) => name !== 'race'));
    await late.tick(NOW);
    expect(quick.run).toHaveBeenCalledOnce();
  });

  it('skips a job that is still running', async () => {
    let end: () => void = () => {};
    const slow = job('overlap', () => new Promise<void>((resolve) => (end = resolve)), { schedule: { everySeconds: 60 } });
    const scheduler = schedulerOf(slow);
    const first = scheduler.tick(NOW);
    await eventually(() => expect(slow.run).toHaveBeenCalledOnce());
    await scheduler.tick(NOW + 60);
    expect(slow.run).toHaveBeenCalledOnce();
    expect((await scheduler.status(NOW + 60))[0]).toMatchObject({ state: 'running', lastRunAt: NOW, lastSuccessAt: null });
    end();
    await first;
    const second = scheduler.tick(NOW + 120);
    await eventually(() => expect(slow.run).toHaveBeenCalledTimes(2));
    end();
    await second;
  });

  it('runs the other jobs when a job fails, hangs or cannot start', async () => {
    const failing = job('fails', () => Promise.reject(new Error(`no upstream ${'x'.repeat(600)}`)));
    const throwing = job('throws', () => {
      throw new Error('at once');
    });
    const hanging = job('hangs', () => new Promise(() => {}), { timeoutSeconds: 0.05 });
    const good = job('good');
    const stuck = job('stuck');
    const lease = runs.lease.bind(runs);
    vi.spyOn(runs, 'lease').mockImplementation((given) =>
      given.name === stuck.name ? Promise.reject(new Error('no database')) : lease(given),
    );
    await schedulerOf(failing, throwing, stuck, hanging, good).tick(NOW);
    expect(await rowOf('good')).toMatchObject({ lastSuccessAt: NOW, lastError: null });
    expect(await rowOf('fails')).toMatchObject({ lastRunAt: NOW, lastSuccessAt: null, leaseUntil: null });
    expect((await rowOf('fails'))?.lastError).toHaveLength(500);
    expect(await rowOf('throws')).toMatchObject({ lastError: 'at once' });
    expect(await rowOf('hangs')).toMatchObject({ lastError: 'timed out after 0.05 s', leaseUntil: null });
    expect(stuck.run).not.toHaveBeenCalled();
  });

  it('aborts a job at its time limit', async () => {
    let reason: unknown;
    const polite = job(
      'aborted',
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(signal.reason);
          });
        }),
      { timeoutSeconds: 0.02 },
    );
    await schedulerOf(polite).tick(NOW);
    expect(reason).toEqual(new Error('timed out after 0.02 s'));
    expect(await rowOf('aborted')).toMatchObject({ lastError: 'timed out after 0.02 s' });
  });

  it('keeps the last success and clears the last error', async () => {
    let fails = false;
    const moody = job('moody', async () => {
      if (fails) throw new Error('bad day');
    });
    const scheduler = schedulerOf(moody);
    await scheduler.tick(NOW);
    fails = true;
    await scheduler.tick(NOW + 3600);
    expect(await rowOf('moody')).toMatchObject({ lastRunAt: NOW + 3600, lastSuccessAt: NOW, lastError: 'bad day' });
    fails = false;
    await scheduler.tick(NOW + 7200);
    expect(await rowOf('moody')).toMatchObject({ lastSuccessAt: NOW + 7200, lastError: null });
  });

  it('backs off 1, 2, 5, 15, 30 minutes after upstream failures, shows the next attempt, and resets after a success', async () => {
    let fails = true;
    const at: number[] = [];
    const feed = job(
      'backs-off',
      async ({ now }) => {
        at.push((now - NOW) / 60);
        if (fails) throw new Error('no upstream');
      },
      { sources: ['somewhere'], schedule: { everySeconds: 600 } },
    );
    const scheduler = schedulerOf(feed);
    const minutes = async (from: number, to: number) => {
      for (let minute = from; minute <= to; minute += 1) await scheduler.tick(NOW + minute * 60);
    };
    await minutes(0, 85);
    expect(at).toEqual([0, 1, 3, 8, 23, 53, 83]);
    expect((await scheduler.status(NOW + 85 * 60))[0]).toMatchObject({ failures: 7, nextRunAt: NOW + 113 * 60, lastSuccessAt: null });
    fails = false;
    await minutes(86, 113);
    expect(await rowOf('backs-off')).toMatchObject({ failures: 0, lastError: null });
    at.length = 0;
    fails = true;
    await minutes(114, 126);
    const [first = 0] = at;
    expect(at.slice(0, 3)).toEqual([first, first + 1, first + 3]);
  });

  it('skips a job that is switched off or not configured', async () => {
    const off = job('off', undefined, { availability: () => 'disabled' });
    const bare = job('bare', undefined, { availability: () => 'unconfigured' });
    const scheduler = schedulerOf(off, bare);
    await scheduler.tick(NOW);
    expect(off.run).not.toHaveBeenCalled();
    expect(bare.run).not.toHaveBeenCalled();
    expect((await scheduler.status(NOW)).map(({ state, nextRunAt }) => [state, nextRunAt])).toEqual([
      ['unconfigured', null],
      ['disabled', null],
    ]);
  });

  it('runs on the cron trigger at its scheduled time', async () => {
    const at = NOW + 7200;
    // Marks every other job as run: some would request services on the network.
    for (const { name } of await composeApp(env).scheduler.status(at)) {
      if (name !== 'events-watch') await createDatabase(env.DB).insert(jobRuns).values({ name, lastRunAt: at });
    }
    const context = createExecutionContext();
    await worker.scheduled?.(createScheduledController({ scheduledTime: at * 1000, cron: '* * * * *' }), env, context);
    await waitOnExecutionContext(context);
    expect((await runs.all()).find(({ name }) => name === 'events-watch')).toMatchObject({ lastSuccessAt: at });
  });
});

describe('crashed run', () => {
  it('locks its job until its lease ends', async () => {
    const daily = job('crashed', undefined, { schedule: { everySeconds: 86_400 } });
    const scheduler = schedulerOf(daily);
    await crash('crashed', 49);
    await scheduler.tick(NOW + 60);
    expect(daily.run).not.toHaveBeenCalled();
    expect((await scheduler.status(NOW + 60))[0]).toMatchObject({ state: 'running' });
  });

  it('is repeated after its lease ends, and its error says that it did not end', async () => {
    const daily = job('repeated', undefined, { schedule: { everySeconds: 86_400 } });
    const scheduler = schedulerOf(daily);
    await crash('repeated', 50);
    expect((await scheduler.status(NOW + 60))[0]).toMatchObject({ state: 'idle', lastError: DID_NOT_END });
    await Promise.all([scheduler.tick(NOW + 60), schedulerOf(daily).tick(NOW + 60)]);
    expect(daily.run).toHaveBeenCalledOnce();
    expect(await rowOf('repeated')).toMatchObject({ lastRunAt: NOW + 60, lastSuccessAt: NOW + 60, lastError: null });
    expect((await scheduler.find('repeated', NOW + 60))?.history).toMatchObject([
      { from: NOW + 60, to: NOW + 60, runs: 1, error: null },
      { from: NOW, to: NOW, runs: 1, error: DID_NOT_END, maxMs: null },
    ]);
  });

  it('is repeated only once when it crashes every time', async () => {
    const daily = job('deadly', undefined, { schedule: { everySeconds: 86_400 } });
    await crash('deadly', 200);
    await crash('deadly', 100, NOW + 60);
    expect(await rowOf('deadly')).toMatchObject({ lastError: DID_NOT_END });
    await schedulerOf(daily).tick(NOW + 120);
    expect(daily.run).not.toHaveBeenCalled();
    await schedulerOf(daily).tick(NOW + 86_400);
    expect(daily.run).toHaveBeenCalledOnce();
  });

  it('does not change the result of its successor when it finishes late', async () => {
    const name = 'zombie';
    const zombie = await runs.lease({ name, now: NOW, realNow: 1000, seconds: 50 });
    const other = await runs.lease({ name, now: NOW + 60, realNow: 1050, seconds: 50 });
    expect([zombie, other]).toEqual([1050, 1100]);
    await runs.finish({ name, leaseUntil: zombie ?? 0, succeededAt: NOW, error: null, durationMs: 1, history: [] });
    expect(await rowOf('zombie')).toMatchObject({ leaseUntil: 1100, lastSuccessAt: null });
    expect(await runs.lease({ name, now: NOW + 90, realNow: 1099, seconds: 50 })).toBeNull();
  });
});

describe('manual start of a job', () => {
  it('runs the job whether it is due or not, but never twice at once', async () => {
    let end: () => void = () => {};
    const slow = job('manual', () => new Promise<void>((resolve) => (end = resolve)));
    const scheduler = schedulerOf(slow);
    const started = await scheduler.start('manual', NOW);
    expect(await scheduler.start('manual', NOW)).toBeNull();
    await eventually(() => expect(slow.run).toHaveBeenCalledOnce());
    end();
    await started?.work;
    const again = await scheduler.start('manual', NOW + 1);
    await eventually(() => expect(slow.run).toHaveBeenCalledTimes(2));
    end();
    await again?.work;
    expect(await rowOf('manual')).toMatchObject({ lastSuccessAt: NOW + 1 });
    expect(await scheduler.start('no-such-job', NOW)).toBeUndefined();
  });
});

describe('job run', () => {
  it('has isManual set when an administrator started it', async () => {
    const manualFlags: boolean[] = [];
    const curious = job('curious', async ({ isManual }) => void manualFlags.push(isManual));
    const scheduler = schedulerOf(curious);
    await scheduler.tick(NOW);
    await (await scheduler.start('curious', NOW + 1))?.work;
    expect(manualFlags).toEqual([false, true]);
  });
});

describe('scheduler status', () => {
  it('lists every job by name, including those that never ran', async () => {
    const scheduler = schedulerOf(
      job('zebra', undefined, { schedule: { everySeconds: 86_400, offsetSeconds: 39_600, text: 'daily at 11:00 UTC' } }),
      job('ant'),
    );
    expect(await scheduler.status(NOW)).toEqual([
      {
        name: 'ant',
        schedule: 'every 3600 s',
        everySeconds: 3600,
        timeoutSeconds: 20,
        isConditional: false,
        sources: [],
        state: 'idle',
        lastRunAt: null,
        lastSuccessAt: null,
        lastError: null,
        durationMs: null,
        failures: 0,
        nextRunAt: NOW - (NOW % 3600) + 3600,
      },
      expect.objectContaining({ name: 'zebra', schedule: 'daily at 11:00 UTC', nextRunAt: 1_773_831_600 }),
    ]);
  });
});
