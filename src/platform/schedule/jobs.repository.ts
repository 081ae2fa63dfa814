import { and, eq, isNull, lte, or } from 'drizzle-orm';
import type { Database } from '../storage/database.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { jobRuns } from './jobs.tables.ts';

export type JobRun = typeof jobRuns.$inferSelect;

export interface JobLease {
  name: string;
  now: UnixSeconds;
  /** Real time, in unix seconds: leases run by it whatever the clock of the run is. */
  realNow: UnixSeconds;
  seconds: number;
}

export interface JobResult {
  name: string;
  /** Set when the run succeeded. */
  succeededAt: UnixSeconds | null;
  error: string | null;
  durationMs: number;
}

/** State of background jobs. */
export interface JobsRepository {
  all(): Promise<JobRun[]>;
  /** Takes the job for a run; false while another run holds it. */
  lease(lease: JobLease): Promise<boolean>;
  finish(result: JobResult): Promise<void>;
}

export function createJobsRepository(db: Database): JobsRepository {
  return {
    all: () => db.select().from(jobRuns),

    async lease({ name, now, realNow, seconds }) {
      const [, taken] = await db.batch([
        db.insert(jobRuns).values({ name }).onConflictDoNothing(),
        db
          .update(jobRuns)
          .set({ leaseUntil: realNow + seconds, lastRunAt: now })
          .where(and(eq(jobRuns.name, name), or(isNull(jobRuns.leaseUntil), lte(jobRuns.leaseUntil, realNow)))),
      ]);
      return taken.meta.changes > 0;
    },

    async finish({ name, succeededAt, error, durationMs }) {
      const success = succeededAt === null ? {} : { lastSuccessAt: succeededAt };
      await db
        .update(jobRuns)
        .set({ leaseUntil: null, lastError: error, durationMs, ...success })
        .where(eq(jobRuns.name, name));
    },
  };
}
