import type { UnixSeconds } from '../../kit/time/clock.ts';
import { type Job, nextPeriodAt } from './job.ts';

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
