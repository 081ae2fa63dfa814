import { logError } from '../logging.ts';
import type { SettingsSource } from '../settings/settings-cache.ts';
import { systemClock, type UnixSeconds } from '../time/clock.ts';
import { isDue, type Job, type JobAvailability, nextPeriodAt, scheduleText } from './job.ts';
import type { JobRun, JobsRepository } from './jobs.repository.ts';

/** Time beyond a job's own limit after which another run may take it: its first run must have crashed. */
const LEASE_SLACK_SECONDS = 30;
const MAX_ERROR_LENGTH = 500;

/** A job as the administration sees it. */
export interface JobStatus {
  name: string;
  schedule: string;
  state: 'idle' | 'running' | Exclude<JobAvailability, 'enabled'>;
  lastRunAt: UnixSeconds | null;
  lastSuccessAt: UnixSeconds | null;
  lastError: string | null;
  durationMs: number | null;
  nextRunAt: UnixSeconds | null;
}

/** Runs the background jobs of every area. */
export interface Scheduler {
  /** Runs whatever is due, side by side: no job waits for another or suffers from its failure. */
  tick(now: UnixSeconds): Promise<void>;
  /** Starts one job now. `work` is its run; null when it runs already, undefined when there is no such job. */
  start(name: string, now: UnixSeconds): Promise<{ work: Promise<void> } | null | undefined>;
  /** Every job by name. */
  status(now: UnixSeconds): Promise<JobStatus[]>;
}

export interface SchedulerDeps {
  jobs: readonly Job[];
  runs: JobsRepository;
  settings: SettingsSource;
}

export function createScheduler({ jobs, runs, settings }: SchedulerDeps): Scheduler {
  /** Takes the lease; the promise inside is the run, which never rejects. */
  async function begin(job: Job, now: UnixSeconds): Promise<{ work: Promise<void> } | null> {
    const seconds = job.timeoutSeconds + LEASE_SLACK_SECONDS;
    const taken = await runs.lease({ name: job.name, now, realNow: systemClock(), seconds });
    return taken ? { work: run(job, now) } : null;
  }

  async function run(job: Job, now: UnixSeconds): Promise<void> {
    const started = performance.now();
    const error = await settled(job, now);
    const durationMs = Math.round(performance.now() - started);
    await runs
      .finish({ name: job.name, succeededAt: error === null ? now : null, error, durationMs })
      .catch((failure: unknown) => logError('job result was not stored', failure, { job: job.name }));
  }

  /** Null for success, else what went wrong. */
  async function settled(job: Job, now: UnixSeconds): Promise<string | null> {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`timed out after ${job.timeoutSeconds} s`);
        abort.abort(error);
        reject(error);
      }, job.timeoutSeconds * 1000);
    });
    try {
      await Promise.race([job.run({ now, settings: await settings.current(), signal: abort.signal }), timeout]);
      return null;
    } catch (error) {
      logError('job failed', error, { job: job.name });
      return (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async tick(now) {
      const known = new Map((await runs.all()).map((row) => [row.name, row]));
      const current = await settings.current();
      const due = jobs.filter(
        (job) =>
          (job.availability?.(current) ?? 'enabled') === 'enabled' && isDue(job.schedule, known.get(job.name)?.lastRunAt ?? null, now),
      );
      await Promise.allSettled(due.map(async (job) => (await begin(job, now))?.work));
    },

    async start(name, now) {
      const job = jobs.find((candidate) => candidate.name === name);
      return job && (await begin(job, now));
    },

    async status(now) {
      const known = new Map((await runs.all()).map((row) => [row.name, row]));
      const current = await settings.current();
      return jobs
        .map((job) => statusOf(job, known.get(job.name), job.availability?.(current) ?? 'enabled', now))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
  };
}

function statusOf(job: Job, row: JobRun | undefined, availability: JobAvailability, now: UnixSeconds): JobStatus {
  const running = row?.leaseUntil != null && row.leaseUntil > systemClock();
  return {
    name: job.name,
    schedule: scheduleText(job.schedule),
    state: running ? 'running' : availability === 'enabled' ? 'idle' : availability,
    lastRunAt: row?.lastRunAt ?? null,
    lastSuccessAt: row?.lastSuccessAt ?? null,
    lastError: row?.lastError ?? null,
    durationMs: row?.durationMs ?? null,
    nextRunAt: availability === 'enabled' ? nextPeriodAt(job.schedule, now) : null,
  };
}
