import type { UnixSeconds } from '../time/clock.ts';
import { type Job, nextPeriodAt } from './job.ts';

/** Pauses of an upstream job after its first, second, … failed run in a row, in seconds; the last one repeats. */
export const BACKOFF_SECONDS = [60, 120, 300, 900, 1800] as const;

/** Stored data of the last run. */
interface LastRun {
  lastRunAt: UnixSeconds | null;
  /** Failed runs since the last success. */
  failures: number;
}

/** Pause after so many failed runs in a row; 0 after a success. */
export function backoffSeconds(failures: number): number {
  return failures <= 0 ? 0 : (BACKOFF_SECONDS[Math.min(failures, BACKOFF_SECONDS.length) - 1] ?? 0);
}

/** When a failed upstream job runs again; null while its own schedule decides. */
export function nextTryAt(job: Pick<Job, 'sources' | 'schedule'>, { lastRunAt, failures }: LastRun): UnixSeconds | null {
  if (!job.sources || failures <= 0 || lastRunAt === null) return null;
  const backedOff = lastRunAt + backoffSeconds(failures);
  return job.schedule.retriesEarly === false ? Math.max(backedOff, nextPeriodAt(job.schedule, lastRunAt)) : backedOff;
}
