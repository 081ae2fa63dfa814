import { z } from '@hono/zod-openapi';
import { adminAccess } from '../../platform/access/policy/policy.ts';
import { healthOf, JOB_HEALTHS } from '../../platform/durable/schedule/job-health.domain.ts';
import type { JobEpisode } from '../../platform/durable/schedule/job-history.domain.ts';
import type { JobStatus, Scheduler } from '../../platform/durable/schedule/scheduler.ts';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError, notFound } from '../../platform/kit/errors/api-error.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';

const isoOrNull = (description: string) => z.string().nullable().openapi({ description, example: null });

export const JobBody = z
  .object({
    name: z.string().openapi({ description: 'Name of the job.', example: 'events-watch' }),
    schedule: z.string().openapi({ description: 'Schedule of the job.', example: 'every 60 s' }),
    state: namedEnum('JobState', 'State of a job.', ['idle', 'running', 'disabled', 'unconfigured']).openapi({
      description: 'Current state.',
      example: 'idle',
    }),
    health: namedEnum('JobHealth', 'Health of a job.', JOB_HEALTHS).openapi({
      description: '`failing`: the last run failed; `late`: a run is overdue; `waiting`: not run yet; `off`: disabled or not configured.',
      example: 'ok',
    }),
    failures: z.number().int().openapi({ description: 'Failed runs since the last success.', example: 0 }),
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

export const JobDetailBody = z
  .object({
    ...JobBody.shape,
    history: z
      .array(
        z
          .object({
            from: z.string().openapi({ description: 'Start of the first run.', example: '2026-03-10T15:30:00.000Z' }),
            to: z.string().openapi({ description: 'Start of the last run.', example: '2026-03-10T16:30:00.000Z' }),
            runs: z.number().int().openapi({ description: 'Number of runs.', example: 61 }),
            error: z.string().nullable().openapi({ description: 'Error of the runs; null if they succeeded.', example: null }),
            max_duration_ms: z.number().int().nullable().openapi({ description: 'Longest run; null if none ended.', example: 40 }),
          })
          .openapi('JobEpisode'),
      )
      .openapi({ description: 'Consecutive runs with the same result, newest first, at most 20.' }),
  })
  .openapi('JobDetail');

const JobParams = z.object({ name: z.string().max(80).openapi({ description: 'Name of the job.', example: 'events-watch' }) });
const JobAccepted = z.object({ accepted: z.literal(true).openapi({ description: 'Always true.', example: true }) }).openapi('JobAccepted');

function toJobsBody(jobs: readonly JobStatus[], now: UnixSeconds): z.infer<typeof JobsBody> {
  return { items: jobs.map((job) => toJobBody(job, now)), count: jobs.length };
}

function toJobDetailBody(job: JobStatus & { history: readonly JobEpisode[] }, now: UnixSeconds): z.infer<typeof JobDetailBody> {
  const history = job.history.map(({ from, to, runs, error, maxMs }) => ({
    from: toIso(from),
    to: toIso(to),
    runs,
    error,
    max_duration_ms: maxMs,
  }));
  return { ...toJobBody(job, now), history };
}

export function toJobBody(job: JobStatus, now: UnixSeconds): z.infer<typeof JobBody> {
  const iso = (at: UnixSeconds | null) => (at === null ? null : toIso(at));
  return {
    name: job.name,
    schedule: job.schedule,
    state: job.state,
    health: healthOf(job, now),
    failures: job.failures,
    last_run_at: iso(job.lastRunAt),
    last_success_at: iso(job.lastSuccessAt),
    last_error: job.lastError,
    duration_ms: job.durationMs,
    next_run_at: iso(job.nextRunAt),
  };
}

const shared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;

/** `/admin/jobs`: list and run background jobs. */
export function createJobEndpoints(scheduler: () => Scheduler): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/admin/jobs',
      operationId: 'listJobs',
      summary: 'List background jobs',
      description: 'Lists every background job with its last run.',
      ok: { description: 'The jobs.', schema: JobsBody },
    }).handle(async ({ now }) => json(toJobsBody(await scheduler().status(now), now))),

    defineRoute({
      ...shared,
      method: 'get',
      path: '/admin/jobs/{name}',
      operationId: 'getJob',
      summary: 'Get a background job',
      description: 'Returns a background job with its earlier runs.',
      params: JobParams,
      errors: ['not_found'],
      ok: { description: 'The job.', schema: JobDetailBody },
    }).handle(async ({ params, now }) => {
      const job = await scheduler().find(params.name, now);
      if (!job) throw notFound(`job not found: ${params.name}`);
      return json(toJobDetailBody(job, now));
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/admin/jobs/{name}/run',
      operationId: 'runJob',
      summary: 'Run a job',
      description: 'Starts the job immediately, ignoring its schedule and any backoff after failures.',
      params: JobParams,
      errors: ['not_found', 'conflict'],
      ok: { status: 202, description: 'The job was started.', schema: JobAccepted },
    }).handle(async ({ params, now, waitUntil }) => {
      const job = await scheduler().find(params.name, now);
      // Accepted runs that end at once would look like success.
      if (job?.state === 'unconfigured')
        throw new ApiError('conflict', `job ${params.name} is not configured: a variable or secret that it needs is not set`);
      const started = await scheduler().start(params.name, now);
      if (started === undefined) throw notFound(`job not found: ${params.name}`);
      if (started === null) throw new ApiError('conflict', `job ${params.name} is already running`);
      waitUntil(started.work);
      return json({ accepted: true as const });
    }),
  ];
}
