import { z } from '@hono/zod-openapi';
import { enumOf, namedEnum } from '../../../platform/http/bodies/body-schemas.ts';
import { choice, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { CostRowBody, DESCRIPTIONS } from './gem.schemas.ts';
import { count, figure, knownId, levelBounds, optionalQueryId, queryId, text } from './gem-fields.schemas.ts';
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
} from './gem-ids.domain.ts';

export const LevelCostsQuery = z.object({
  tier: optionalQueryId(TIER_IDS, { default: 4, description: DESCRIPTIONS.TIER, example: 3 }),
  type: optionalQueryId(TYPE_IDS, { default: 1, description: DESCRIPTIONS.TYPE, example: 1 }),
  element: optionalQueryId(ELEMENT_IDS, { default: 1, description: DESCRIPTIONS.ELEMENT, example: 2 }),
  booster: choice(BOOSTER_IDS, {
    ...{ code: 'bad_request', example: 'booster2' },
    description: 'Booster used with every attempt; none when left out.',
  }).optional(),
  from_level: integerWithDefault({ ...levelBounds, default: 1, description: 'Level the gem has now.', example: 27 }),
});

const LevelCostRowBody = z
  .object({
    level: count('Level to be gained.', 28),
    chance: figure('Chance of success, booster included.', 0.06),
    double_chance: figure('Chance that a success counts for two levels.', 0.05),
    karma_per_fail: count('What a failure adds to the karma bar.', 11),
    expected_attempts: figure('Mean number of attempts with an empty karma bar at first, to two decimals.', 8.74),
    max_attempts: count('Attempts after which the karma bar has forced the level.', 12),
    attempt_quantiles: z
      .object({
        50: count('Attempts that suffice in half of all cases.', 12),
        90: count('Attempts that suffice in 90 % of all cases.', 12),
        99: count('Attempts that suffice in 99 % of all cases.', 12),
      })
      .openapi({ description: 'How many attempts suffice how often.' }),
    cost: z.array(CostRowBody).readonly().openapi({ description: 'What one attempt takes, won or lost.' }),
  })
  .openapi('GemLevelCost', { description: 'What gaining one level takes.' });

export const LevelCostsBody = z
  .object({
    tier: knownId(TIER_IDS, DESCRIPTIONS.TIER, 3),
    type: knownId(TYPE_IDS, DESCRIPTIONS.TYPE, 1),
    element: knownId(ELEMENT_IDS, DESCRIPTIONS.ELEMENT, 2),
    booster: enumOf(BOOSTER_IDS)
      .nullable()
      .openapi({ enum: [...BOOSTER_IDS, null], description: 'Booster, or null.', example: 'booster2' }),
    from_level: count('Level the gem has now.', 27),
    levels: z
      .array(LevelCostRowBody)
      .openapi({ description: 'One row for each level up to the last of the tier; empty for a gem that has it.' }),
    expected_total: z
      .array(CostRowBody)
      .openapi({ description: 'Mean materials for all levels, each taken by itself: double level-ups left out, so slightly high.' }),
    exact_attempts: figure('Mean attempts for all levels, double level-ups counted, to two decimals.', 69.17),
    exact_total: z.array(CostRowBody).openapi({ description: 'Mean materials for all levels, double level-ups counted.' }),
  })
  .openapi('GemLevelCosts', { description: 'Every level-up attempt to the last level: chance, materials, totals.' });

export const StatRangeQuery = z.object({
  tier: queryId(TIER_IDS, { description: DESCRIPTIONS.TIER, example: 3 }),
  type: queryId(TYPE_IDS, { description: DESCRIPTIONS.TYPE, example: 1 }),
  stat_type: queryId(ROLL_STAT_IDS, { description: DESCRIPTIONS.STAT, example: 1 }),
  level: integerWithDefault({
    ...levelBounds,
    default: 1,
    description: 'Level; past the last one of the tier it counts as that one.',
    example: 12,
  }),
  extra_containers: integerWithDefault({ ...levelBounds, min: 0, default: 0, description: 'Boosts on the stat.', example: 2 }),
  element: optionalQueryId(ELEMENT_IDS, {
    description: `${DESCRIPTIONS.ELEMENT} Cosmic for Light and Water for every other stat when left out.`,
    example: 1,
  }),
});

export const StatRangeBody = z
  .object({
    stat_type: knownId(ROLL_STAT_IDS, DESCRIPTIONS.STAT, 1),
    stat_display_name: text('Name of the stat.', 'Physical Damage'),
    element: knownId(ELEMENT_IDS, DESCRIPTIONS.ELEMENT, 1),
    containers: count('Containers on the stat: one and the boosts.', 3),
    min_value: figure('Value with every container at the low end of its range; not rounded.', 11_088),
    max_value: figure('Value with every container at the high end; not rounded.', 14_448),
    stat_base: figure('What one Power Rank of stat steps is worth.', 16),
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
  .openapi('GemStatRange', { description: 'What a stat can show at a level.' });

const nameField = (description: string, example: string) => text(description, example);
const entry = <Id extends number>(schemaName: string, ids: readonly Id[], what: string, example: [Id, string]) =>
  z
    .object({ id: knownId(ids, 'Id, as requests use it.', example[0]), name: nameField('Name in the game.', example[1]) })
    .openapi(schemaName, { description: `A gem ${what}.` });

const GemTierEntry = z
  .object({
    id: knownId(TIER_IDS, 'Id, as requests use it.', 4),
    name: nameField('Name in the game.', 'Mystic'),
    max_level: count('Last level.', 35),
  })
  .openapi('GemTier', { description: 'A gem tier.' });

const AugmentTypeEntry = z
  .object({
    id: knownId(AUGMENT_IDS, 'Id, as requests use it.', 2),
    name: nameField('Name in the game.', 'Precise Focus'),
    increase_percent: figure('Percent of the roll range it adds to a container.', 5),
  })
  .openapi('GemAugmentType', { description: 'A focus.' });

const BoosterEntry = z
  .object({
    id: enumOf(BOOSTER_IDS).openapi({ description: 'Id, as requests use it.', example: 'booster2' }),
    name: nameField('Name in the game.', 'Glittering Horseshoe'),
    chance_multiplier: figure('Factor on the chance of success.', 1.5),
    double_multiplier: figure('Factor on the chance of a double.', 1),
  })
  .openapi('GemBooster', { description: 'A level-up booster.' });

const AbilityStatBody = z
  .object({
    name: nameField('What changes.', 'Attack Speed'),
    stat: text('Name of the stat in the game files.', 'AttackSpeed'),
    op: namedEnum('GemAbilityOperation', 'How an ability changes a stat.', ['Add', 'Multiply', 'MultiplySum']).openapi({
      description: 'How it changes.',
      example: 'Multiply',
    }),
    value: figure('How much, as the game shows it.', 30),
    amount: figure('How much, as the game keeps it.', 1.3),
    prefab: text('Where in the game files it stands.', ''),
  })
  .openapi('GemAbilityStat', { description: 'A stat that an ability changes.' });

const AbilityStageBody = z
  .object({
    name: nameField('Name of the hit.', 'Explosion'),
    prefab: text('Where in the game files it stands.', ''),
    base: figure('Flat damage.', 0),
    multiplier: figure('Share of weapon damage; 3.5 is 350 %.', 3.5),
  })
  .openapi('GemAbilityStage', { description: 'One hit of an ability.' });

const EmpoweredGemBody = z
  .object({
    element: text('Element the gem exists in.', 'Air'),
    slug: text('Name in the game files.', 'spirittank'),
    name: nameField('Name in the game.', 'Aegis Assault'),
    description: text('What it does.', 'Shield bash has no cooldown and stacks damage over time on targets.'),
    tiers: z
      .array(knownId(TIER_IDS, DESCRIPTIONS.TIER, 4))
      .readonly()
      .openapi({ description: 'Tiers it exists in.', example: [2, 3, 4] }),
    prefabs: z.array(z.string()).openapi({ description: 'Where in the game files its stats and hits stand; often empty.', example: [] }),
    stats: z.array(AbilityStatBody).readonly().openapi({ description: 'Stats it changes; known for the twelve general abilities.' }),
    stages: z.array(AbilityStageBody).readonly().openapi({ description: 'Its hits; known for the twelve general abilities.' }),
    ability_id: knownId(ABILITY_IDS, 'Ability', 12)
      .nullable()
      .openapi({
        enum: [...ABILITY_IDS, null],
        type: ['integer', 'null'],
        description: 'Id of the ability on simulated gems; null for gems of a class.',
        example: null,
      }),
    class_name: z.string().nullable().openapi({ description: 'Class the gem is for; null for general ones.', example: 'Revenant' }),
  })
  .openapi('EmpoweredGem', { description: 'A named Empowered gem in one element.' });

export const LookupsBody = z
  .object({
    tiers: z.array(GemTierEntry).openapi({ description: 'Tiers.' }),
    types: z.array(entry('GemType', TYPE_IDS, 'type', [1, 'Lesser'])).openapi({ description: 'Types.' }),
    elements: z.array(entry('GemElement', ELEMENT_IDS, 'element', [2, 'Fire'])).openapi({ description: 'Elements.' }),
    restrictions: z
      .array(entry('GemRestriction', RESTRICTION_IDS, 'restriction', [1, 'Fierce']))
      .openapi({ description: 'Restrictions of Lesser gems.' }),
    stat_types: z
      .array(entry('GemStatType', STAT_IDS, 'stat', [3, 'Critical Damage']))
      .openapi({ description: 'Stats; 8 and 9 never roll.' }),
    augment_types: z.array(AugmentTypeEntry).openapi({ description: 'Focuses.' }),
    abilities: z
      .array(entry('GemAbility', ABILITY_IDS, 'ability', [12, 'Vampirian Vanquisher']))
      .openapi({ description: 'Abilities of Empowered gems.' }),
    abilities_by_element: z
      .record(z.string(), z.array(z.number().int()).readonly())
      .openapi({ description: 'Abilities by the name of the element.', example: { Cosmic: [9, 10, 11, 12] } }),
    karma_max: count('Filling at which the karma bar forces the level.', 125),
    boosters: z.array(BoosterEntry).openapi({ description: 'Level-up boosters.' }),
    empowered_gems: z
      .array(EmpoweredGemBody)
      .openapi({ description: 'All named Empowered gems, one entry for each element, by element and name.' }),
  })
  .openapi('GemLookups', { description: 'Every value a field of a gem can have.' });
