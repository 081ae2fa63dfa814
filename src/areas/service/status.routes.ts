import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { HealthBody } from './service.schemas.ts';

export interface HealthFacts {
  /** Configuration errors. */
  problems: string[];
  /** True if the service has demo data. */
  isDemo: boolean;
  /** Id of the deployed version. */
  version?: string | undefined;
}

function healthEndpoint({ problems, isDemo, version }: HealthFacts): Endpoint {
  const body = {
    status: 'ok' as const,
    ...(problems.length > 0 ? { problems } : {}),
    ...(isDemo ? { demo: true as const } : {}),
    ...(version ? { version } : {}),
  };
  return defineRoute({
    method: 'get',
    path: '/health',
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Check service health',
    description: 'Returns 200 while the service is running.',
    access: openAccess,
    ok: { description: 'The service is running.', schema: HealthBody },
  }).handle(() => json(body));
}

export const createStatusEndpoints = (facts: HealthFacts): Endpoint[] => [healthEndpoint(facts)];
