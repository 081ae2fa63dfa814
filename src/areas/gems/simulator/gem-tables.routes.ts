import { tokenAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { cachedJson, fixedJson, json, type Representation } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import { TABLE_MAX_AGE } from '../gems.data.ts';
import { calculateLevelCosts, type LevelCosts, type LevelCostsRequest } from '../levels/level-costs.domain.ts';
import { calculateStatRange, createGemLookups } from './gem-tables.domain.ts';
import { LevelCostsBody, LevelCostsQuery, LookupsBody, StatRangeBody, StatRangeQuery } from './gem-tables.schemas.ts';

const read = { method: 'get', tag: 'Gems', access: tokenAccess('gems:read') } as const;

/** Maximum cached tables per isolate, about 10 KB each; there are some 5,600. */
const MAX_CACHED_TABLES = 64;

const lookupsBody = cachedJson(createGemLookups, TABLE_MAX_AGE);

const tables = new BoundedMap<string, Representation<LevelCosts>>(MAX_CACHED_TABLES);

/** Serialised level costs, from an LRU cache. */
function levelCostsBody(request: LevelCostsRequest): Representation<LevelCosts> {
  const { tier, type, element, booster, from_level } = request;
  const key = JSON.stringify([tier, type, element, booster, from_level]);
  const cached = tables.get(key);
  if (cached) return cached;
  const body = fixedJson(calculateLevelCosts(request), TABLE_MAX_AGE);
  tables.set(key, body);
  return body;
}

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
