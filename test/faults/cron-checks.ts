import { env } from 'cloudflare:workers';
import { composeApp } from '../../src/composition.ts';
import { isDue, type Job } from '../../src/platform/durable/schedule/job.ts';
import { createJobsStore } from '../../src/platform/durable/schedule/jobs.store.ts';
import { createScheduler } from '../../src/platform/durable/schedule/scheduler.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { fixedSettings } from '../support/declarations.ts';

const MINUTE = 60;
export const OUTAGE_SECONDS = 6 * 3600;

/** Every job of the service. */
export const JOBS: readonly Job[] = composeApp(env).jobs;

/** Whether a period of the job begins in the minute before `at`, by counting seconds: written without the functions of the scheduler. */
function begins({ schedule: { everySeconds, offsetSeconds = 0, when } }: Job, at: number): boolean {
  let beginning: number | null = null;
  for (let second = at; second > at - MINUTE; second -= 1) if ((second - offsetSeconds) % everySeconds === 0) beginning = second;
  return beginning !== null && (when?.(beginning) ?? true);
}

/** Every job has a period that begins in this time. */
const MAX_PERIOD_SECONDS = 32 * 86_400;

/** By job and minute: the last minute until then in which a period begins. */
const lastBeginnings = new Map<Job, Map<number, number>>(JOBS.map((job) => [job, new Map()]));

/** The last minute until `at` in which a period of the job begins. */
function lastBeginning(job: Job, at: number): number {
  const known = lastBeginnings.get(job) ?? new Map<number, number>();
  let minute = at;
  while (!known.has(minute) && !begins(job, minute)) {
    minute -= MINUTE;
    if (minute < at - MAX_PERIOD_SECONDS) throw new Error(`${job.name} has no period that begins before ${at}`);
  }
  const last = known.get(minute) ?? minute;
  for (; minute <= at; minute += MINUTE) known.set(minute, last);
  return last;
}

/**
 * The minutes in which a job has to run when cron fires in `played`, in this order: the first one after the beginning of one of its periods, if
 * none after it was played before. `start`: the last run before.
 */
function minutesToRun(job: Job, played: readonly number[], start: number): number[] {
  const runs: number[] = [];
  let last = start;
  for (const now of played) {
    if (lastBeginning(job, now) <= last) continue;
    runs.push(now);
    last = now;
  }
  return runs;
}

/** Fires cron in the minutes, in this order, each time on two isolates at once. Returns the jobs that did not run when they should, and the others. */
export async function playCron(played: readonly number[], start: number): Promise<string[]> {
  const db = createDatabase(env.DB);
  const runs = new Map<string, number[]>(JOBS.map(({ name }) => [name, []]));
  const jobs = JOBS.map(
    ({ name, schedule, timeoutSeconds }): Job => ({
      name,
      schedule,
      timeoutSeconds,
      run: async ({ now }) => void runs.get(name)?.push(now),
    }),
  );
  const settings = fixedSettings();
  const isolate = () => createScheduler({ jobs, runs: createJobsStore(db), settings, resumeSources: async () => {} });
  const isolates = [isolate(), isolate()];
  await env.DB.prepare('DELETE FROM job_runs').run();
  const row = env.DB.prepare('INSERT INTO job_runs (name, last_run_at, last_success_at, failures, history) VALUES (?1, ?2, ?2, 0, ?3)');
  await env.DB.batch(JOBS.map(({ name }) => row.bind(name, start, '[]')));
  for (const now of played) await Promise.all(isolates.map((one) => one.tick(now)));
  return JOBS.flatMap((job) => {
    const [found, expected] = [runs.get(job.name) ?? [], minutesToRun(job, played, start)];
    return String(found) === String(expected) ? [] : [`${job.name} ran at ${found.join(', ')}, not at ${expected.join(', ')}`];
  });
}

/** Jobs that the first minute after an outage from `from` on does not make up for, or a second minute repeats. */
export function jobsLostByOutage(from: number): string[] {
  const until = from + OUTAGE_SECONDS;
  return JOBS.filter((job) => {
    const before = from - MINUTE;
    const isMissed = minutesToRun(job, [until], before).length > 0;
    const isRepeated = isDue(job.schedule, until, until + MINUTE) !== begins(job, until + MINUTE);
    return isDue(job.schedule, before, until) !== isMissed || isRepeated;
  }).map(({ name }) => name);
}
