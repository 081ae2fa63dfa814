import { adminAccess } from '../../platform/access/policy/policy.ts';
import type { Scheduler } from '../../platform/durable/schedule/scheduler.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError, notFound } from '../../platform/kit/errors/api-error.ts';
import { JobAccepted, JobDetailBody, JobParams, JobsBody, toJobDetailBody, toJobsBody } from './jobs.schemas.ts';

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
      const started = await scheduler().start(params.name, now);
      if (started === undefined) throw notFound(`job not found: ${params.name}`);
      if (started === null) throw new ApiError('conflict', `job ${params.name} is already running`);
      waitUntil(started.work);
      return json({ accepted: true as const });
    }),
  ];
}
