import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { HealthBody } from './service.schemas.ts';

export interface HealthFacts {
  /** Mistakes in the configuration. */
  problems: string[];
  /** Whether the data are made up. */
  isDemo: boolean;
}

function healthEndpoint({ problems, isDemo }: HealthFacts): Endpoint {
  const body = { status: 'ok' as const, ...(problems.length > 0 ? { problems } : {}), ...(isDemo ? { demo: true as const } : {}) };
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

/** `/health`. */
export const createStatusEndpoints = (facts: HealthFacts): Endpoint[] => [healthEndpoint(facts)];
