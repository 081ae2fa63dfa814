import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { DID_NOT_END } from './job.ts';
import type { JobEpisode } from './job-history.domain.ts';
import { jobRuns } from './jobs.tables.ts';

export type JobRun = typeof jobRuns.$inferSelect;

export interface JobLease {
  name: string;
  now: UnixSeconds;
  /** Real time, for leases; independent of the clock of the run. */
  realNow: UnixSeconds;
  seconds: number;
  /** Expected time of the last run: no lease when it has changed. */
  lastRunAt?: UnixSeconds | null;
}

export interface JobResult {
  name: string;
  /** The lease of the run. */
  leaseUntil: number;
  /** Set when the run succeeded. */
  succeededAt: UnixSeconds | null;
  error: string | null;
  durationMs: number;
  /** Earlier runs with this one, newest first. */
  history: JobEpisode[];
}

/** True when the last run crashed: its lease expired. */
export function hasCrashed(run: JobRun, realNow: UnixSeconds): boolean {
  return run.leaseUntil !== null && run.leaseUntil <= realNow;
}

/** State of background jobs. */
export interface JobsStore {
  all(): Promise<JobRun[]>;
  find(name: string): Promise<JobRun | undefined>;
  /** Leases the job for a run. Returns the end of the lease in real time; null when another run has the lease or has run meanwhile. */
  lease(lease: JobLease): Promise<number | null>;
  /** Stores the result and releases the lease. No effect for a run that lost its lease to another. */
  finish(result: JobResult): Promise<void>;
}

export function createJobsStore(db: Database): JobsStore {
  return {
    all: () => db.select().from(jobRuns),

    async find(name) {
      const [row] = await db.select().from(jobRuns).where(eq(jobRuns.name, name)).limit(1);
      return row;
    },

    async lease({ name, now, realNow, seconds, lastRunAt }) {
      const leaseUntil = realNow + seconds;
      // These expressions see the row before the update.
      const lastError = sql`CASE WHEN ${jobRuns.leaseUntil} IS NULL THEN ${jobRuns.lastError} ELSE ${DID_NOT_END} END`;
      const failures = sql`CASE WHEN ${jobRuns.leaseUntil} IS NULL THEN ${jobRuns.failures} ELSE ${jobRuns.failures} + 1 END`;
      const isUnleased = or(isNull(jobRuns.leaseUntil), lte(jobRuns.leaseUntil, realNow));
      const isLastRunUnchanged =
        lastRunAt === null ? isNull(jobRuns.lastRunAt) : lastRunAt === undefined ? undefined : eq(jobRuns.lastRunAt, lastRunAt);
      const [, updated] = await db.batch([
        db.insert(jobRuns).values({ name }).onConflictDoNothing(),
        db
          .update(jobRuns)
          .set({ leaseUntil, lastRunAt: now, lastError, failures })
          .where(and(eq(jobRuns.name, name), isUnleased, isLastRunUnchanged)),
      ]);
      return updated.meta.changes > 0 ? leaseUntil : null;
    },

    async finish({ name, leaseUntil, succeededAt, error, durationMs, history }) {
      const outcome = succeededAt === null ? { failures: sql`${jobRuns.failures} + 1` } : { lastSuccessAt: succeededAt, failures: 0 };
      await db
        .update(jobRuns)
        .set({ leaseUntil: null, lastError: error, durationMs, history, ...outcome })
        .where(and(eq(jobRuns.name, name), eq(jobRuns.leaseUntil, leaseUntil)));
    },
  };
}
