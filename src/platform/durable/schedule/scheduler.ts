import { logError } from '../../kit/logging.ts';
import { systemClock, type UnixSeconds } from '../../kit/time/clock.ts';
import type { SettingsSource } from '../../settings/settings-cache.ts';
import { DID_NOT_END, isDue, type Job, type JobAvailability, nextPeriodAt, nextRetryAt, scheduleText } from './job.ts';
import { addRun, type JobEpisode } from './job-history.domain.ts';
import { hasCrashed, type JobRun, type JobsStore } from './jobs.store.ts';

/** Time after the timeout of a job when its lease ends: a run that has not finished by then must have crashed. */
const LEASE_SLACK_SECONDS = 30;
const MAX_ERROR_LENGTH = 500;

/** Status of a job for administrators. */
export interface JobStatus {
  name: string;
  schedule: string;
  everySeconds: number;
  timeoutSeconds: number;
  /** True when the schedule has a condition besides the period. */
  isConditional: boolean;
  /** Upstream sources that the job calls. */
  sources: readonly string[];
  state: 'idle' | 'running' | Exclude<JobAvailability, 'enabled'>;
  lastRunAt: UnixSeconds | null;
  lastSuccessAt: UnixSeconds | null;
  lastError: string | null;
  durationMs: number | null;
  /** Failed runs since the last success. */
  failures: number;
  nextRunAt: UnixSeconds | null;
}

/** Runs the background jobs of all areas. */
export interface Scheduler {
  /** Runs all due jobs in parallel. Jobs do not wait for each other; a failed job does not affect the others. */
  tick(now: UnixSeconds): Promise<void>;
  /**
   * Starts one job now, regardless of its schedule and of a pause after failures. `work` resolves when the run ends. Null when the
   * job is already running, undefined when it does not exist.
   */
  start(name: string, now: UnixSeconds): Promise<{ work: Promise<void> } | null | undefined>;
  /** The status of all jobs, sorted by name. `rows`: the stored runs, if they were read before. */
  status(now: UnixSeconds, rows?: readonly JobRun[]): Promise<JobStatus[]>;
  /** The status of one job with its earlier runs, newest first; null when it does not exist. */
  find(name: string, now: UnixSeconds): Promise<(JobStatus & { history: readonly JobEpisode[] }) | null>;
}

export interface SchedulerDeps {
  jobs: readonly Job[];
  runs: JobsStore;
  settings: SettingsSource;
  /** Ends the pauses of upstream sources. */
  resumeSources(sources: readonly string[]): Promise<void>;
}

/** Reason for a run. `row`: the stored state of the job when the reason was found. */
interface Trigger {
  row: JobRun | undefined;
  isManual: boolean;
}

export function createScheduler({ jobs, runs, settings, resumeSources }: SchedulerDeps): Scheduler {
  /**
   * Leases the job and starts it; `work` never rejects. The job starts only if its last run has not changed since its state was read: of
   * two concurrent ticks only one runs the job, even if the run is short.
   */
  async function begin(job: Job, now: UnixSeconds, trigger: Trigger): Promise<{ work: Promise<void> } | null> {
    const seconds = job.timeoutSeconds + LEASE_SLACK_SECONDS;
    const lastRunAt = trigger.row?.lastRunAt ?? null;
    const leaseUntil = await runs.lease({ name: job.name, now, realNow: systemClock(), seconds, lastRunAt });
    return leaseUntil === null ? null : { work: runAndRecord(job, now, trigger, leaseUntil) };
  }

  async function runAndRecord(job: Job, now: UnixSeconds, { row, isManual }: Trigger, leaseUntil: number): Promise<void> {
    const started = performance.now();
    const error = await execute(job, now, isManual);
    const durationMs = Math.round(performance.now() - started);
    const history = addRun(historyOf(row), { startedAt: now, error, durationMs });
    // Not repeated: without a result the lease expires, the run counts as crashed, and the next tick repeats the job once.
    await runs
      .finish({ name: job.name, leaseUntil, succeededAt: error === null ? now : null, error, durationMs, history })
      .catch((failure: unknown) => logError('job result was not stored', failure, { job: job.name }));
  }

  /** Runs the job. Returns null for success, otherwise the error. */
  async function execute(job: Job, now: UnixSeconds, isManual: boolean): Promise<string | null> {
    const current = await settings.current();
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
      // Before the run, which would end at a paused source.
      if (isManual && job.sources) await resumeSources(job.sources);
      await Promise.race([job.run({ now, settings: current, signal: abort.signal, isManual }), timeout]);
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
      const startIfDue = async (job: Job) => {
        if ((job.availability?.(current) ?? 'enabled') !== 'enabled') return;
        const row = known.get(job.name);
        if (!shouldStart(job, row, now)) return;
        await (await begin(job, now, { row, isManual: false }))?.work;
      };
      const starts = jobs.map((job) =>
        startIfDue(job).catch((error: unknown) => logError('job could not be started', error, { job: job.name })),
      );
      await Promise.all(starts);
    },

    async start(name, now) {
      const job = jobs.find((candidate) => candidate.name === name);
      return job && (await begin(job, now, { row: await runs.find(name), isManual: true }));
    },

    async find(name, now) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (!job) return null;
      const [row, current] = [await runs.find(name), await settings.current()];
      return { ...statusOf(job, row, job.availability?.(current) ?? 'enabled', now), history: historyOf(row) };
    },

    async status(now, rows) {
      const known = new Map((rows ?? (await runs.all())).map((row) => [row.name, row]));
      const current = await settings.current();
      return jobs
        .map((job) => statusOf(job, known.get(job.name), job.availability?.(current) ?? 'enabled', now))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
  };
}

/** A failed upstream job starts when its pause ends, regardless of its periods. */
function shouldStart(job: Job, row: JobRun | undefined, now: UnixSeconds): boolean {
  const retryAt = row ? nextRetryAt(job, row) : null;
  if (retryAt !== null) return now >= retryAt;
  return isDue(job.schedule, row?.lastRunAt ?? null, now) || (row !== undefined && shouldRepeatCrashed(row));
}

/** True for a crashed run, unless it repeated another crashed run: a job that always crashes waits until it is due. */
function shouldRepeatCrashed(row: JobRun): boolean {
  return hasCrashed(row, systemClock()) && row.lastError !== DID_NOT_END;
}

/** Earlier runs of a job with the last one, if it crashed: a crashed run could not store its result. */
function historyOf(row: JobRun | undefined): JobEpisode[] {
  if (!row) return [];
  const crashed = row.lastRunAt !== null && hasCrashed(row, systemClock());
  return crashed ? addRun(row.history, { startedAt: row.lastRunAt ?? 0, error: DID_NOT_END, durationMs: null }) : row.history;
}

function statusOf(job: Job, row: JobRun | undefined, availability: JobAvailability, now: UnixSeconds): JobStatus {
  const running = row?.leaseUntil != null && row.leaseUntil > systemClock();
  return {
    name: job.name,
    schedule: scheduleText(job.schedule),
    everySeconds: job.schedule.everySeconds,
    timeoutSeconds: job.timeoutSeconds,
    isConditional: job.schedule.when !== undefined,
    sources: job.sources ?? [],
    state: running ? 'running' : availability === 'enabled' ? 'idle' : availability,
    lastRunAt: row?.lastRunAt ?? null,
    lastSuccessAt: row?.lastSuccessAt ?? null,
    lastError: row && hasCrashed(row, systemClock()) ? DID_NOT_END : (row?.lastError ?? null),
    durationMs: row?.durationMs ?? null,
    failures: row?.failures ?? 0,
    nextRunAt: availability === 'enabled' ? ((row && nextRetryAt(job, row)) ?? nextPeriodAt(job.schedule, now)) : null,
  };
}
