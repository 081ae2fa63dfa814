import type { Settings } from '../settings/settings.data.ts';
import { floorDiv } from '../time/arithmetic.ts';
import type { UnixSeconds } from '../time/clock.ts';

/** Schedule of a job: due once in every period, which starts `offsetSeconds` after a multiple of its length. */
export interface JobSchedule {
  everySeconds: number;
  offsetSeconds?: number;
  /** False: a failed upstream job waits for its next period as well, because each try costs quota. */
  retriesEarly?: false;
  /** Further condition on the instant. */
  when?(now: UnixSeconds): boolean;
  /** For people, where the numbers do not say it all. */
  text?: string;
}

export interface JobContext {
  now: UnixSeconds;
  settings: Settings;
  /** Aborted when the job's time is up. */
  signal: AbortSignal;
  /** An administrator started this run: intervals and pauses of the job do not delay it. */
  isManual: boolean;
}

/** `disabled`: switched off by a setting. `unconfigured`: lacks an address or a credential. */
export type JobAvailability = 'enabled' | 'disabled' | 'unconfigured';

/** Background work an area contributes. The handler must be idempotent: it may run again after a crash. */
export interface Job {
  name: string;
  schedule: JobSchedule;
  timeoutSeconds: number;
  /** Started before other jobs that are due: an invocation has six connections at once, and this one must not wait for a slow feed. */
  startsFirst?: boolean;
  /**
   * Names of the upstream sources it calls. The job backs off after failed runs (`backoff.domain.ts`); a manual run calls
   * the sources even while they are paused.
   */
  sources?: readonly string[];
  availability?(settings: Settings): JobAvailability;
  run(context: JobContext): Promise<void>;
}

/** Error of a run that never gave its lease back. */
export const DID_NOT_END = 'the run did not end';

/** True when a period has begun since the last run. One run catches up all missed periods. */
export function isDue(schedule: JobSchedule, lastRunAt: UnixSeconds | null, now: UnixSeconds): boolean {
  if (schedule.when && !schedule.when(now)) return false;
  return lastRunAt === null || periodOf(schedule, now) > periodOf(schedule, lastRunAt);
}

/** Start of the next period, ignoring `when`. */
export function nextPeriodAt(schedule: JobSchedule, now: UnixSeconds): UnixSeconds {
  return (periodOf(schedule, now) + 1) * schedule.everySeconds + (schedule.offsetSeconds ?? 0);
}

function periodOf({ everySeconds, offsetSeconds = 0 }: JobSchedule, at: UnixSeconds): number {
  return floorDiv(at - offsetSeconds, everySeconds);
}

/** Describes the schedule in English. */
export function scheduleText({ everySeconds, text }: JobSchedule): string {
  return text ?? `every ${everySeconds} s`;
}
