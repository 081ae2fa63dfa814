import { tokenAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { TABLE_MAX_AGE } from '../limits.data.ts';
import { levelCostsBody, lookupsBody } from './gem-tables.bodies.ts';
import { LevelCostsBody, LevelCostsQuery, LookupsBody, StatRangeBody, StatRangeQuery } from './gem-tables.schemas.ts';
import { calculateStatRange } from './stat-range.domain.ts';

const read = { method: 'get', tag: 'Gems', access: tokenAccess('gems:read') } as const;

/** Endpoints of gem tables: field values, level-up costs, stat ranges. */
export const gemTableEndpoints: Endpoint[] = [
  defineRoute({
    ...read,
    path: '/v1/gems/lookups',
    operationId: 'getGemLookups',
    summary: 'List gem field values',
    description:
      'Lists tiers, types, elements, restrictions, stats, focuses, abilities and boosters with their ids, and all named Empowered gems.',
    ok: { description: 'The values.', schema: LookupsBody },
  }).handle(lookupsBody),

  defineRoute({
    ...read,
    path: '/v1/gems/level-costs',
    operationId: 'getGemLevelCosts',
    summary: 'List level costs',
    description:
      'Lists every level-up to the last level: chance, karma, mean and likely number of attempts, materials and totals. Defaults to a Lesser Mystic Water gem at level 1.',
    query: LevelCostsQuery,
    errors: ['bad_request'],
    ok: { description: 'The costs.', schema: LevelCostsBody },
  }).handle(({ query }) => applyRule('query', query, () => levelCostsBody(query))),

  defineRoute({
    ...read,
    path: '/v1/gems/stat-range',
    operationId: 'getGemStatRange',
    summary: 'Get a stat range',
    description: 'Returns the lowest and highest value of a stat at a level.',
    query: StatRangeQuery,
    errors: ['bad_request'],
    ok: { description: 'The range.', schema: StatRangeBody },
  }).handle(({ query }) =>
    json(
      applyRule('query', query, () => calculateStatRange(query)),
      { maxAge: TABLE_MAX_AGE },
    ),
  ),
];
