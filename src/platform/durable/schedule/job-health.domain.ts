import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { JobStatus } from './scheduler.ts';

/**
 * Health of a job, the same on every page. `failing`: the last run failed. `late`: a run is overdue. `waiting`: not run yet. `off`: disabled
 * or not configured.
 */
export type JobHealth = 'ok' | 'failing' | 'late' | 'waiting' | 'off';

export const JOB_HEALTHS = ['ok', 'failing', 'late', 'waiting', 'off'] as const satisfies readonly JobHealth[];

/** Tolerance before a job counts as late. */
const LATE_SECONDS = 60;

export type JudgedJob = Pick<
  JobStatus,
  'state' | 'failures' | 'lastError' | 'lastRunAt' | 'isConditional' | 'everySeconds' | 'timeoutSeconds'
>;

export function healthOf(job: JudgedJob, now: UnixSeconds): JobHealth {
  if (job.state === 'disabled' || job.state === 'unconfigured') return 'off';
  if (job.failures > 0 || job.lastError !== null) return 'failing';
  if (job.lastRunAt === null) return 'waiting';
  const isLate = !job.isConditional && now - job.lastRunAt > job.everySeconds + job.timeoutSeconds + LATE_SECONDS;
  return isLate ? 'late' : 'ok';
}
