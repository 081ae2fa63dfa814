import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { JobEpisode } from './job-history.domain.ts';

/** State of each background job, from its first run on. Bound: one row per job. */
export const jobRuns = sqliteTable('job_runs', {
  name: text('name').primaryKey(),
  /** End of the lease of the running job, real time; null when the job is not running. */
  leaseUntil: integer('lease_until'),
  lastRunAt: integer('last_run_at'),
  lastSuccessAt: integer('last_success_at'),
  lastError: text('last_error'),
  durationMs: integer('duration_ms'),
  /** Failed runs since the last success. */
  failures: integer('failures').notNull().default(0),
  /** Earlier runs, newest first, in the row: a history of its own would cost one more row per run. Bound: `MAX_EPISODES`. */
  history: text('history', { mode: 'json' }).$type<JobEpisode[]>().notNull().default([]),
});
