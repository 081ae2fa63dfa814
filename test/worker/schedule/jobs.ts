import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import type { Job, JobContext } from '../../../src/platform/durable/schedule/job.ts';
import { createJobsStore, type JobRun } from '../../../src/platform/durable/schedule/jobs.store.ts';
import { createScheduler, type Scheduler } from '../../../src/platform/durable/schedule/scheduler.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createUpstreamStates } from '../../../src/platform/upstream/upstream-states.store.ts';
import { fixedSettings } from '../../support/declarations.ts';

export const NOW = 1_773_824_700;

/** The stored runs of real schedulers. */
export const runs = createJobsStore(createDatabase(env.DB));

const settings = fixedSettings();

/** An hourly job without effect by default. */
export function job(name: string, run: (context: JobContext) => Promise<void> = async () => {}, more: Partial<Job> = {}): Job {
  return { name, schedule: { everySeconds: 3600 }, timeoutSeconds: 20, run: vi.fn(run), ...more };
}

export function schedulerOf(...jobs: Job[]): Scheduler {
  return createScheduler({ jobs, runs, settings, resumeSources: createUpstreamStates(createDatabase(env.DB)).resume });
}

export async function rowOf(name: string): Promise<JobRun | undefined> {
  return (await runs.all()).find((row) => row.name === name);
}

/** A crashed run: its lease of 50 s started `age` seconds of real time ago and was never released. Stops the real clock. */
export async function crash(name: string, age: number, now = NOW): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const realNow = Math.floor(Date.now() / 1000) - age;
  expect(await runs.lease({ name, now, realNow, seconds: 50 })).toBe(realNow + 50);
}
