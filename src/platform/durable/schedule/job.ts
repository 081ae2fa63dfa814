import type { UnixSeconds } from '../../kit/time/clock.ts';
import { floorDiv } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';

/** Schedule of a job: due once per period. Periods start `offsetSeconds` after a multiple of `everySeconds`. */
export interface JobSchedule {
  everySeconds: number;
  offsetSeconds?: number;
  /** False: a failed upstream job is not retried before its next period, because each attempt costs quota. */
  retriesEarly?: false;
  /** Additional condition: periods in which this is false are not for the job. */
  when?(now: UnixSeconds): boolean;
  /** Description of a schedule that `everySeconds` alone does not describe. */
  text?: string;
}

export interface JobContext {
  now: UnixSeconds;
  settings: Settings;
  /** Aborted when the job times out. */
  signal: AbortSignal;
  /** True when an administrator started the run: intervals and pauses of the job do not apply. */
  isManual: boolean;
}

/** `disabled`: by a setting. `unconfigured`: a URL or credential is missing. */
export type JobAvailability = 'enabled' | 'disabled' | 'unconfigured';

/** A background job of an area. `run` must be idempotent: it may run again after a crash. */
export interface Job {
  name: string;
  schedule: JobSchedule;
  timeoutSeconds: number;
  /** True: starts before other due jobs. An invocation has six concurrent connections; this job must not wait for slow upstreams. */
  startsFirst?: boolean;
  /**
   * Names of the upstream sources that the job calls. The job backs off after failed runs (`nextRetryAt`). A manual run calls
   * the sources even while they are paused.
   */
  sources?: readonly string[];
  availability?(settings: Settings): JobAvailability;
  run(context: JobContext): Promise<void>;
}

/** Error of a run that did not release its lease. */
export const DID_NOT_END = 'the run did not end';

/** Missed periods whose condition is evaluated: a week of hours. */
const MAX_MISSED_PERIODS = 168;

/** True when a period of the job has started since the last run. One run makes up for all missed periods. */
export function isDue(schedule: JobSchedule, lastRunAt: UnixSeconds | null, now: UnixSeconds): boolean {
  const { when = () => true } = schedule;
  if (lastRunAt === null) return when(now);
  const period = periodOf(schedule, now);
  const missed = Math.min(period - periodOf(schedule, lastRunAt) - 1, MAX_MISSED_PERIODS);
  if (missed < 0) return false;
  return when(now) || Array.from({ length: missed }, (_, index) => startOf(schedule, period - 1 - index)).some(when);
}

/** Start of the next period, ignoring `when`. */
export function nextPeriodAt(schedule: JobSchedule, now: UnixSeconds): UnixSeconds {
  return startOf(schedule, periodOf(schedule, now) + 1);
}

function startOf({ everySeconds, offsetSeconds = 0 }: JobSchedule, period: number): UnixSeconds {
  return period * everySeconds + offsetSeconds;
}

function periodOf({ everySeconds, offsetSeconds = 0 }: JobSchedule, at: UnixSeconds): number {
  return floorDiv(at - offsetSeconds, everySeconds);
}

/** Describes the schedule in English. */
export function scheduleText({ everySeconds, text }: JobSchedule): string {
  return text ?? `every ${everySeconds} s`;
}

/** Pauses of an upstream job after 1, 2, … consecutive failed runs, in seconds. The last pause repeats. */
export const BACKOFF_SECONDS = [60, 120, 300, 900, 1800] as const;

/** Stored data of the last run. */
interface LastRun {
  lastRunAt: UnixSeconds | null;
  /** Failed runs since the last success. */
  failures: number;
}

/** Pause in seconds after this number of consecutive failed runs; 0 after a success. */
export function backoffSeconds(failures: number): number {
  return failures <= 0 ? 0 : (BACKOFF_SECONDS[Math.min(failures, BACKOFF_SECONDS.length) - 1] ?? 0);
}

/** Time of the retry of a failed upstream job; null when the schedule of the job applies. */
export function nextRetryAt(job: Pick<Job, 'sources' | 'schedule'>, { lastRunAt, failures }: LastRun): UnixSeconds | null {
  if (!job.sources || failures <= 0 || lastRunAt === null) return null;
  const backedOff = lastRunAt + backoffSeconds(failures);
  return job.schedule.retriesEarly === false ? Math.max(backedOff, nextPeriodAt(job.schedule, lastRunAt)) : backedOff;
}
