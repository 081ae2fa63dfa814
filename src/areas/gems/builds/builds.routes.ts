import { tokenAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { CALCULATOR_BODY_LIMIT } from '../gems.data.ts';
import { buildOptionsBody, calculateBody } from './builds.bodies.ts';
import {
  BuildConfigInput,
  BuildOptionsBody,
  BuildResultsBody,
  HealthOptimizerBody,
  HealthOptimizerInput,
  StarChartBody,
  StarChartInput,
} from './builds.schemas.ts';
import { optimizeHealth } from './builds-health.domain.ts';
import { viewStarChart } from './star-chart.domain.ts';

const gems = { tag: 'Gems', access: tokenAccess('gems:read') } as const;
const calculator = {
  ...gems,
  method: 'post',
  bodyLimit: CALCULATOR_BODY_LIMIT,
  bodyIsOptional: true,
  isStateless: true,
  errors: ['bad_request'],
} as const;

/** Endpoints of the build optimizer. */
export const buildEndpoints: Endpoint[] = [
  defineRoute({
    ...gems,
    method: 'get',
    path: '/v1/gems/builds/options',
    operationId: 'getBuildOptions',
    summary: 'List build field values',
    description: 'Lists the classes, allies, foods and flags of a build.',
    ok: { description: 'The values.', schema: BuildOptionsBody },
  }).handle(buildOptionsBody),

  defineRoute({
    ...calculator,
    path: '/v1/gems/builds/calculate',
    operationId: 'calculateBuild',
    summary: 'Calculate best boost layouts',
    description:
      'Ranks the layouts of the boosts of a full gem set by damage coefficient, or by distance to a target Light. At most 200 rows.',
    body: BuildConfigInput,
    ok: { description: 'The layouts.', schema: BuildResultsBody },
  }).handle(({ body }) => applyRule('body', body, () => calculateBody(body))),

  defineRoute({
    ...calculator,
    path: '/v1/gems/builds/health-optimizer',
    operationId: 'optimizeHealth',
    summary: 'Calculate best third lines',
    description: 'Calculates the third stat line of each elemental gem: 100 % Critical Hit first, then maximum health.',
    body: HealthOptimizerInput,
    ok: { description: 'The choices.', schema: HealthOptimizerBody },
  }).handle(({ body }) => json(applyRule('body', body, () => optimizeHealth(body)))),

  defineRoute({
    ...calculator,
    path: '/v1/gems/builds/parse-star-chart',
    operationId: 'parseStarChart',
    summary: 'Decode a star chart code',
    description: 'Returns the bonuses of a star chart code by stat. An invalid code selects nothing and is not an error.',
    body: StarChartInput,
    ok: { description: 'The chart.', schema: StarChartBody },
  }).handle(({ body }) => json(viewStarChart(body.star_chart))),
];
