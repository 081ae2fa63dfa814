import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { derived } from '../../kit/backup-decision.ts';
import { newestState, type TableDeclarations } from '../../kit/table-declaration.ts';
import * as shapes from '../../kit/values/stored-shapes.ts';
import { jsonColumn } from '../../storage/json-column.ts';
import type { JobEpisode } from './job-history.domain.ts';

const EPISODE: shapes.Shape<JobEpisode> = shapes.fields({
  from: shapes.number,
  to: shapes.number,
  runs: shapes.number,
  error: shapes.nullable(shapes.text),
  maxMs: shapes.nullable(shapes.number),
});

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
  history: jsonColumn('history', shapes.listOf(EPISODE)).notNull().default([]),
});

/** Backup, personal data and growth of the tables. */
export const jobTables: TableDeclarations = {
  job_runs: { backup: derived('the next run of the job writes it'), personal: null, growth: newestState('a row per job') },
};
