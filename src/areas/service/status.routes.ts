import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { HealthBody } from './service.schemas.ts';

const health = defineRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  tag: 'Service',
  summary: 'Health',
  description: 'Answers when the service runs.',
  access: openAccess,
  ok: { description: 'The service answers.', schema: HealthBody },
}).handle(() => json({ status: 'ok' as const }));

/** `/health`. */
export const statusEndpoints: Endpoint[] = [health];
