import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import type { JobStatus } from '../../platform/schedule/scheduler.ts';
import { toIso, type UnixSeconds } from '../../platform/time/clock.ts';

const isoOrNull = (description: string) => z.string().nullable().openapi({ description, example: null });

const JobBody = z
  .object({
    name: z.string().openapi({ description: 'Name of the job.', example: 'events-watch' }),
    schedule: z.string().openapi({ description: 'Schedule of the job.', example: 'every 60 s' }),
    state: namedEnum('JobState', 'State of a job.', ['idle', 'running', 'disabled', 'unconfigured']).openapi({
      description: 'Current state.',
      example: 'idle',
    }),
    last_run_at: isoOrNull('Start of the last run.'),
    last_success_at: isoOrNull('Start of the last successful run.'),
    last_error: z.string().nullable().openapi({ description: 'Error of the last run; null if it succeeded.', example: null }),
    duration_ms: z.number().int().nullable().openapi({ description: 'Duration of the last run.', example: 12 }),
    next_run_at: isoOrNull('Time when the job is next due.'),
  })
  .openapi('Job');

export const JobsBody = z
  .object({
    items: z.array(JobBody).openapi({ description: 'Jobs by name.' }),
    count: z.number().int().openapi({ description: 'Number of jobs.', example: 1 }),
  })
  .openapi('Jobs');

export const JobParams = z.object({ name: z.string().max(80).openapi({ description: 'Name of the job.', example: 'events-watch' }) });
export const JobAccepted = z
  .object({ accepted: z.literal(true).openapi({ description: 'Always true.', example: true }) })
  .openapi('JobAccepted');

export function toJobsBody(jobs: readonly JobStatus[]): z.infer<typeof JobsBody> {
  const iso = (at: UnixSeconds | null) => (at === null ? null : toIso(at));
  const items = jobs.map((job) => ({
    name: job.name,
    schedule: job.schedule,
    state: job.state,
    last_run_at: iso(job.lastRunAt),
    last_success_at: iso(job.lastSuccessAt),
    last_error: job.lastError,
    duration_ms: job.durationMs,
    next_run_at: iso(job.nextRunAt),
  }));
  return { items, count: items.length };
}
