import { tokenAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { CALCULATOR_BODY_LIMIT } from '../gems.data.ts';
import { evaluateGem } from './evaluate.domain.ts';
import { EvaluateInput, EvaluateSimpleInput, EvaluationBody, SimpleEvaluationBody } from './evaluate.schemas.ts';
import { evaluateSimple } from './evaluate-simple.domain.ts';

const evaluator = {
  method: 'post',
  tag: 'Gems',
  access: tokenAccess('gems:read'),
  isStateless: true,
  bodyLimit: CALCULATOR_BODY_LIMIT,
  errors: ['bad_request'],
} as const;

/** Endpoints of the evaluator. */
export const evaluateEndpoints: Endpoint[] = [
  defineRoute({
    ...evaluator,
    path: '/v1/gems/evaluate',
    operationId: 'evaluateGem',
    summary: 'Evaluate a gem',
    description:
      'Calculates quality and Power Rank of a gem from the displayed values, the position of each stat in its range, and the focuses needed to max it. Impossible values are reported in `issues`. Accepts a gem of the simulator as the body or as `gem`.',
    body: EvaluateInput,
    ok: { description: 'The evaluation.', schema: EvaluationBody },
  }).handle(({ body }) => json(applyRule('body', body, () => evaluateGem(body)))),

  defineRoute({
    ...evaluator,
    path: '/v1/gems/evaluate-simple',
    operationId: 'evaluateGemSimple',
    summary: 'Evaluate by Power Rank',
    description: 'Calculates the quality of a gem from type, level and Power Rank alone, and the focuses needed to max it.',
    body: EvaluateSimpleInput,
    bodyIsOptional: true,
    ok: { description: 'The evaluation.', schema: SimpleEvaluationBody },
  }).handle(({ body }) => json(applyRule('body', body, () => evaluateSimple(body)))),
];
