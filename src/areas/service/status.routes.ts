import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { HealthBody } from './service.schemas.ts';

function healthEndpoint(problems: string[]): Endpoint {
  const body = { status: 'ok' as const, ...(problems.length > 0 ? { problems } : {}) };
  return defineRoute({
    method: 'get',
    path: '/health',
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Health',
    description: 'Answers when the service runs.',
    access: openAccess,
    ok: { description: 'The service answers.', schema: HealthBody },
  }).handle(() => json(body));
}

/** `/health`. `problems`: mistakes in the configuration. */
export const createStatusEndpoints = (problems: string[]): Endpoint[] => [healthEndpoint(problems)];
