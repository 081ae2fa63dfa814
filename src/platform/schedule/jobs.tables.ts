import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** State of each background job; a row appears with the first run. Bound: one row a job. */
export const jobRuns = sqliteTable('job_runs', {
  name: text('name').primaryKey(),
  /** Real time until which a run holds the job; null when the job is not running. */
  leaseUntil: integer('lease_until'),
  lastRunAt: integer('last_run_at'),
  lastSuccessAt: integer('last_success_at'),
  lastError: text('last_error'),
  durationMs: integer('duration_ms'),
  /** Failed runs since the last success. */
  failures: integer('failures').notNull().default(0),
});
