import { z } from '@hono/zod-openapi';
import { enumOf, namedEnum } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { choice, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { cachedJson, fixedJson, json, type Representation } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import { CostRowBody, count, DESCRIPTIONS, figure, knownId, levelBounds, optionalQueryId, queryId, text } from '../gem.schemas.ts';
import {
  ABILITY_IDS,
  AUGMENT_IDS,
  BOOSTER_IDS,
  ELEMENT_IDS,
  RESTRICTION_IDS,
  ROLL_STAT_IDS,
  STAT_IDS,
  TIER_IDS,
  TYPE_IDS,
} from '../gem-input.domain.ts';
import { TABLE_MAX_AGE, table } from '../gems.routes.ts';
import { calculateLevelCosts, type LevelCostsRequest } from '../levels/level-costs.domain.ts';
import { calculateStatRange, createGemLookups } from './gem-tables.domain.ts';

const LevelCostsQuery = z.object({
  tier: optionalQueryId(TIER_IDS, { default: 4, description: DESCRIPTIONS.TIER, example: 3 }),
  type: optionalQueryId(TYPE_IDS, { default: 1, description: DESCRIPTIONS.TYPE, example: 1 }),
  element: optionalQueryId(ELEMENT_IDS, { default: 1, description: DESCRIPTIONS.ELEMENT, example: 2 }),
  booster: choice(BOOSTER_IDS, {
    code: 'bad_request',
    example: 'booster2',
    description: 'Booster used with every attempt; none by default.',
  }).optional(),
  from_level: integerWithDefault({ ...levelBounds, default: 1, description: 'Current level of the gem.', example: 27 }),
});

const LevelCostRowBody = z
  .object({
    level: count('Target level.', 28),
    chance: figure('Chance of success, booster included.', 0.06),
    double_chance: figure('Chance that a success counts for two levels.', 0.05),
    karma_per_fail: count('Karma added by a failure.', 11),
    expected_attempts: figure('Mean number of attempts from an empty karma bar, two decimals.', 8.74),
    max_attempts: count('Attempts until the karma bar forces the level.', 12),
    attempt_quantiles: z
      .object({
        50: count('Attempts sufficient in 50 % of cases.', 12),
        90: count('Attempts sufficient in 90 % of cases.', 12),
        99: count('Attempts sufficient in 99 % of cases.', 12),
      })
      .openapi({ description: 'Percentiles of the number of attempts.' }),
    cost: z.array(CostRowBody).readonly().openapi({ description: 'Materials of one attempt, successful or not.' }),
  })
  .openapi('GemLevelCost', { description: 'Cost of one level.' });

const LevelCostsBody = z
  .object({
    tier: knownId(TIER_IDS, DESCRIPTIONS.TIER, 3),
    type: knownId(TYPE_IDS, DESCRIPTIONS.TYPE, 1),
    element: knownId(ELEMENT_IDS, DESCRIPTIONS.ELEMENT, 2),
    booster: enumOf(BOOSTER_IDS)
      .nullable()
      .openapi({ enum: [...BOOSTER_IDS, null], description: 'Booster, or null.', example: 'booster2' }),
    from_level: count('Current level of the gem.', 27),
    levels: z.array(LevelCostRowBody).openapi({ description: 'One row per level up to the maximum of the tier; empty at that level.' }),
    expected_total: z
      .array(CostRowBody)
      .openapi({ description: 'Mean materials for all levels, without double level-ups; slightly too high.' }),
    exact_attempts: figure('Mean attempts for all levels, with double level-ups, two decimals.', 69.17),
    exact_total: z.array(CostRowBody).openapi({ description: 'Mean materials for all levels, with double level-ups.' }),
  })
  .openapi('GemLevelCosts', { description: 'Level-up costs to the last level: chances, materials, totals.' });

const StatRangeQuery = z.object({
  tier: queryId(TIER_IDS, { description: DESCRIPTIONS.TIER, example: 3 }),
  type: queryId(TYPE_IDS, { description: DESCRIPTIONS.TYPE, example: 1 }),
  stat_type: queryId(ROLL_STAT_IDS, { description: DESCRIPTIONS.STAT, example: 1 }),
  level: integerWithDefault({
    ...levelBounds,
    default: 1,
    description: 'Level; capped at the maximum of the tier.',
    example: 12,
  }),
  extra_containers: integerWithDefault({ ...levelBounds, min: 0, default: 0, description: 'Boosts on the stat.', example: 2 }),
  element: optionalQueryId(ELEMENT_IDS, {
    description: `${DESCRIPTIONS.ELEMENT} Defaults to Cosmic for Light and to Water for every other stat.`,
    example: 1,
  }),
});

const StatRangeBody = z
  .object({
    stat_type: knownId(ROLL_STAT_IDS, DESCRIPTIONS.STAT, 1),
    stat_display_name: text('Name of the stat.', 'Physical Damage'),
    element: knownId(ELEMENT_IDS, DESCRIPTIONS.ELEMENT, 1),
    containers: count('Containers of the stat: one plus the boosts.', 3),
    min_value: figure('Value with every container at the low end of its range; not rounded.', 11_088),
    max_value: figure('Value with every container at the high end; not rounded.', 14_448),
    stat_base: figure('Value of one Power Rank of stat steps.', 16),
    thresholds: z
      .array(z.number())
      .readonly()
      .openapi({
        minItems: 2,
        maxItems: 2,
        description: 'Range of one container in units of `stat_base`: low and high end.',
        example: [210, 280],
      }),
  })
  .openapi('GemStatRange', { description: 'Range of a stat at a level.' });

const nameField = (description: string, example: string) => text(description, example);
const entry = <Id extends number>(schemaName: string, ids: readonly Id[], kind: string, example: [Id, string]) =>
  z
    .object({ id: knownId(ids, 'Id used in requests.', example[0]), name: nameField('Name in the game.', example[1]) })
    .openapi(schemaName, { description: `A gem ${kind}.` });

const GemStatTypeEntry = z
  .object({
    id: knownId(STAT_IDS, 'Id used in requests.', 3),
    name: nameField('Name in the game.', 'Critical Damage'),
    retired: z.boolean().openapi({ description: 'Whether only old gems have it: the game no longer rolls it.', example: false }),
  })
  .openapi('GemStatType', { description: 'A gem stat.' });

const GemTierEntry = z
  .object({
    id: knownId(TIER_IDS, 'Id used in requests.', 4),
    name: nameField('Name in the game.', 'Mystic'),
    max_level: count('Last level.', 35),
  })
  .openapi('GemTier', { description: 'A gem tier.' });

const AugmentTypeEntry = z
  .object({
    id: knownId(AUGMENT_IDS, 'Id used in requests.', 2),
    name: nameField('Name in the game.', 'Precise Focus'),
    increase_percent: figure('Percent of the roll range added to a container.', 5),
  })
  .openapi('GemAugmentType', { description: 'A focus.' });

const BoosterEntry = z
  .object({
    id: enumOf(BOOSTER_IDS).openapi({ description: 'Id used in requests.', example: 'booster2' }),
    name: nameField('Name in the game.', 'Glittering Horseshoe'),
    chance_multiplier: figure('Factor on the chance of success.', 1.5),
    double_multiplier: figure('Factor on the chance of a double.', 1),
  })
  .openapi('GemBooster', { description: 'A level-up booster.' });

const AbilityStatBody = z
  .object({
    name: nameField('Changed stat.', 'Attack Speed'),
    stat: text('Name of the stat in the game files.', 'AttackSpeed'),
    op: namedEnum('GemAbilityOperation', 'How an ability changes a stat.', ['Add', 'Multiply', 'MultiplySum']).openapi({
      description: 'Type of change.',
      example: 'Multiply',
    }),
    value: figure('Amount, in display units.', 30),
    amount: figure('Amount, as stored by the game.', 1.3),
    prefab: text('Path in the game files.', ''),
  })
  .openapi('GemAbilityStat', { description: 'A stat that an ability changes.' });

const AbilityStageBody = z
  .object({
    name: nameField('Name of the hit.', 'Explosion'),
    prefab: text('Path in the game files.', ''),
    base: figure('Flat damage.', 0),
    multiplier: figure('Share of weapon damage; 3.5 is 350 %.', 3.5),
  })
  .openapi('GemAbilityStage', { description: 'One hit of an ability.' });

const EmpoweredGemBody = z
  .object({
    element: text('Element of the gem.', 'Air'),
    slug: text('Name in the game files.', 'spirittank'),
    name: nameField('Name in the game.', 'Aegis Assault'),
    description: text('Effect of the ability.', 'Shield bash has no cooldown and stacks damage over time on targets.'),
    tiers: z
      .array(knownId(TIER_IDS, DESCRIPTIONS.TIER, 4))
      .readonly()
      .openapi({ description: 'Tiers of the gem.', example: [2, 3, 4] }),
    prefabs: z.array(z.string()).openapi({ description: 'Paths of stats and hits in the game files; often empty.', example: [] }),
    stats: z.array(AbilityStatBody).readonly().openapi({ description: 'Changed stats; known for the twelve general abilities.' }),
    stages: z.array(AbilityStageBody).readonly().openapi({ description: 'Hits; known for the twelve general abilities.' }),
    ability_id: knownId(ABILITY_IDS, 'Ability', 12)
      .nullable()
      .openapi({
        enum: [...ABILITY_IDS, null],
        type: ['integer', 'null'],
        description: 'Id of the ability on simulated gems; null for gems of a class.',
        example: null,
      }),
    class_name: z.string().nullable().openapi({ description: 'Class of the gem; null for general gems.', example: 'Revenant' }),
  })
  .openapi('EmpoweredGem', { description: 'A named Empowered gem in one element.' });

const LookupsBody = z
  .object({
    tiers: z.array(GemTierEntry).openapi({ description: 'Tiers.' }),
    types: z.array(entry('GemType', TYPE_IDS, 'type', [1, 'Lesser'])).openapi({ description: 'Types.' }),
    elements: z.array(entry('GemElement', ELEMENT_IDS, 'element', [2, 'Fire'])).openapi({ description: 'Elements.' }),
    restrictions: z
      .array(entry('GemRestriction', RESTRICTION_IDS, 'restriction', [1, 'Fierce']))
      .openapi({ description: 'Restrictions of Lesser gems.' }),
    stat_types: z.array(GemStatTypeEntry).openapi({ description: 'Stats; 8 and 9 are on no gem, and retired ones only on old gems.' }),
    augment_types: z.array(AugmentTypeEntry).openapi({ description: 'Focuses.' }),
    abilities: z
      .array(entry('GemAbility', ABILITY_IDS, 'ability', [12, 'Vampirian Vanquisher']))
      .openapi({ description: 'Abilities of Empowered gems.' }),
    abilities_by_element: z
      .record(z.string(), z.array(z.number().int()).readonly())
      .openapi({ description: 'Abilities by the name of the element.', example: { Cosmic: [9, 10, 11, 12] } }),
    karma_max: count('Karma at which the level is forced.', 125),
    boosters: z.array(BoosterEntry).openapi({ description: 'Level-up boosters.' }),
    empowered_gems: z
      .array(EmpoweredGemBody)
      .openapi({ description: 'All named Empowered gems, one entry per element, by element and name.' }),
  })
  .openapi('GemLookups', { description: 'All values of gem fields.' });

type LevelCosts = ReturnType<typeof calculateLevelCosts>;

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
    ...table,
    path: '/v1/gems/lookups',
    operationId: 'getGemLookups',
    summary: 'List gem field values',
    description:
      'Lists tiers, types, elements, restrictions, stats, focuses, abilities and boosters with their ids, and all named Empowered gems.',
    ok: { description: 'The values.', schema: LookupsBody },
  }).handle(lookupsBody),

  defineRoute({
    ...table,
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
    ...table,
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
