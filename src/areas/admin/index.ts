import type { Endpoint } from '../../platform/http/define-route.ts';
import type { Scheduler } from '../../platform/schedule/scheduler.ts';
import { createJobEndpoints } from './jobs.routes.ts';

/** What administrators see and do; hidden from the OpenAPI document. */
export function createAdminArea({ scheduler }: { scheduler: Scheduler }): { endpoints: Endpoint[] } {
  return { endpoints: createJobEndpoints(scheduler) };
}
