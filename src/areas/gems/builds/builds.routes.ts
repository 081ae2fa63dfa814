import { z } from '@hono/zod-openapi';
import { CLASS_NAMES } from '../../../game/classes.domain.ts';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { bool, count, figure, flag, optionalInteger, optionalName, text } from '../gem.schemas.ts';
import { calculator, table } from '../gems.routes.ts';
import { buildOptionsBody, calculateBody } from './builds.bodies.ts';
import { ALLIES, FOODS, NO_ALLY } from './builds.data.ts';
import { optimizeHealth } from './builds-health.domain.ts';
import { BUILD_TYPES, MAX_CRITICAL_LINES } from './builds-request.domain.ts';
import { viewStarChart } from './star-chart.domain.ts';

const FOOD_KEYS = namedValues(
  'BuildFood',
  'Food by its key.',
  FOODS.map(({ key }) => key),
);
const ALLY_KEYS = namedValues(
  'BuildAlly',
  'Ally by its key.',
  ALLIES.map(({ key }) => key),
);

const KeyLabelBody = z
  .object({ key: text('Key used in requests.', 'zephyr_rune'), label: text('Display name.', 'Zephyr Rune') })
  .openapi('BuildChoice', { description: 'A food or an ally.' });

const BuildOptionsBody = z
  .object({
    build_type: z
      .array(enumOf(BUILD_TYPES))
      .readonly()
      .openapi({ description: 'Kinds of build.', example: [...BUILD_TYPES] }),
    character: z
      .array(z.string())
      .readonly()
      .openapi({ description: 'Classes, for `character` and `subclass`.', example: ['Bard', 'Knight'] }),
    ally: z.array(KeyLabelBody).openapi({ description: 'Allies, none first.' }),
    food: z.array(KeyLabelBody).openapi({ description: 'Foods; send null for none.' }),
    critical_damage_count: z
      .object({ min: count('Minimum.', 0), max: count('Maximum.', 3), default: count('Default value.', 3) })
      .openapi({ description: 'Number of pieces among weapon, hat and face with a Critical Damage line.' }),
    flags: z
      .array(z.string())
      .readonly()
      .openapi({ description: 'Boolean fields.', example: ['litany', 'no_face'] }),
    notes: z
      .record(z.string(), z.string())
      .openapi({ description: 'Descriptions of some fields.', example: { food: 'One food at a time; empty for none.' } }),
  })
  .openapi('BuildOptions', { description: 'Possible values of a build.' });

const character = optionalName(
  CLASS_NAMES,
  { default: 'Bard', description: 'Class by its display name.', example: 'Vanguardian' },
  'bad_request',
);
const star_chart = z
  .string()
  .nullish()
  .openapi({
    type: ['string', 'null'],
    description: 'Star chart code in any of its three formats; an invalid code is ignored.',
    example: 'SC:Jnc',
  });
const high_precision = flag('Returns every figure with eight decimals and sorts the rows by them.');

const BuildConfigInput = z
  .object({
    build_type: optionalName(BUILD_TYPES, {
      default: 'Light',
      description: 'Light and Farm builds are ranked by damage, Health builds by health. Only Farm builds can move boosts away from Light.',
      example: 'Light',
    }),
    character,
    subclass: optionalName(
      CLASS_NAMES,
      { default: 'Boomeranger', description: 'Subclass, by the display name of its class.', example: 'Lunar Lancer' },
      'bad_request',
    ),
    food: optionalName(FOOD_KEYS, {
      description: 'Food by its key; null for none.',
      example: 'zephyr_rune',
      acceptsEmpty: true,
    }),
    ally: optionalName(ALLY_KEYS, { default: NO_ALLY, description: 'Ally by its key.', example: NO_ALLY }),
    critical_damage_count: optionalInteger({
      minimum: 0,
      maximum: MAX_CRITICAL_LINES,
      default: MAX_CRITICAL_LINES,
      description: 'Number of pieces among weapon, hat and face with a Critical Damage line.',
      example: 3,
    }),
    no_face: flag('Whether the face has no damage line.'),
    subclass_active: flag('Whether the subclass ability is active.'),
    litany: flag('Whether the litany is active: 1 % more Light.'),
    berserker_battler: flag('Whether Berserk Battler is active: 750 more Light.'),
    light: optionalInteger({ minimum: 0, default: 0, description: 'Target Light; 0 for none.', example: 0 }),
    star_chart,
    ally_buff: flag('Whether the buff of the ally is active.', true),
    bounty_hunt: flag('Whether the boss buff is active; ignored unless the star chart unlocks it.'),
    high_precision,
  })
  .openapi('BuildConfig', { description: 'A fully equipped character. All fields are optional.' });

const share = (description: string, example: number[]) =>
  z.array(z.number().int()).readonly().openapi({ minItems: example.length, maxItems: example.length, description, example });

const BuildBoostsBody = z
  .object({
    empowered: share('Elemental Empowered gems: damage, critical.', [9, 0]),
    lesser: share('Elemental Lesser gems: damage, critical.', [2, 16]),
    cosmic_empowered: share('The Cosmic Empowered gem: damage, critical, Light.', [0, 0, 3]),
    cosmic_lesser: share('Cosmic Lesser gems: damage, critical, Light.', [0, 0, 6]),
  })
  .openapi('BuildBoosts', { description: 'Boost layout of a full gem set.' });

const BuildRowBody = z
  .object({
    rank: count('Rank, from 1.', 1),
    layout: text('Short form of the layout.', '9/0/2/16'),
    base_dmg: figure('Damage without percentages; health in a Health build.', 420_667.1),
    crit_dmg: figure('Critical Damage in percent; percentage of health in a Health build.', 5093.3),
    light: figure('Light.', 12_994.5),
    bonus_dmg: figure('Percent added to damage.', 114.999994),
    crit_bonus: figure('Percent added to Critical Damage.', 0),
    total_dmg: figure('Damage including all percentages.', 904_434.24),
    class_bonus: z
      .number()
      .nullable()
      .openapi({ description: 'Damage bonus of the class in percent; null in a Health build.', example: 0 }),
    coefficient: figure('Damage of a critical hit; resulting health in a Health build.', 46_969_983.26),
    boosts: BuildBoostsBody,
  })
  .openapi('BuildRow', { description: 'A boost layout with the resulting figures.' });

const BuildResultsBody = z
  .object({
    results: z.array(BuildRowBody).openapi({ description: 'Best layouts: 200 of 53,200 for a Farm build, otherwise all 190.' }),
    count: count('Number of rows.', 190),
  })
  .openapi('BuildResults', { description: 'Layouts of a build, best first.' });

const HealthOptimizerInput = z
  .object({
    character,
    star_chart,
    weapon_ch: flag('Whether the weapon has a Critical Hit line.'),
    ring_ch: flag('Whether the ring has a Critical Hit line.'),
    hat_health: flag('Whether the hat has a health line.'),
    face_health: flag('Whether the face has a health line.'),
    high_precision,
  })
  .openapi('HealthOptimizerInput', {
    description: 'A fully equipped character. All fields are optional; other fields of a build are ignored.',
  });

const healthFigures = {
  critical_hit: figure('Critical Hit in percent.', 111.5),
  maximum_health: figure('Maximum Health.', 318_360),
  maximum_health_per: figure('Maximum Health in percent.', 2903.35),
};

const HealthBaseBody = z.object(healthFigures).openapi('HealthBase', { description: 'Stats of the character before third lines.' });
const HealthLinesBody = z
  .object({
    critical_hit: count('Gems with Critical Hit.', 0),
    maximum_health: count('Gems with Maximum Health.', 0),
    maximum_health_per: count('Gems with Maximum Health %.', 3),
  })
  .openapi('HealthLines', { description: 'Third lines of gems of the same kind.' });

const HealthRowBody = z
  .object({
    rank: count('Rank, from 1.', 1),
    layout: text('Third lines of Empowered, then of Lesser gems: Critical Hit, Maximum Health, Maximum Health %.', '0/0/3 3/3/0'),
    empowered: HealthLinesBody,
    lesser: HealthLinesBody,
    ...healthFigures,
    health: figure('Resulting health.', 9_561_465.06),
  })
  .openapi('HealthRow', { description: 'A choice of third lines with the resulting stats.' });

const HealthOptimizerBody = z
  .object({
    base: HealthBaseBody,
    results: z.array(HealthRowBody).openapi({ description: 'All choices that reach 100 % Critical Hit, most health first.' }),
    count: count('Number of rows.', 155),
  })
  .openapi('HealthOptimizer', { description: 'Third lines of the nine elemental gems.' });

const StarChartInput = z.object({ star_chart }).openapi('StarChartInput', { description: 'A star chart code.' });

const StarChartSumBody = z
  .object({ flat: figure('Points.', 0), pct: figure('Percent.', 3) })
  .openapi('StarChartSum', { description: 'Bonus of a chart on a stat.' });

const StarChartBody = z
  .object({
    stats: z
      .record(z.string(), StarChartSumBody)
      .openapi({ description: 'Sums by stat.', example: { 'Magic Damage': { flat: 0, pct: 3 } } }),
    abilities: z.array(z.string()).openapi({ description: 'Effects of nodes other than stats.', example: [] }),
    paths_count: count('Number of selected nodes; 0 for an empty or invalid code.', 10),
    bounty_hunt: z
      .object({
        available: bool('Whether the chart unlocks the boss buff.', false),
        name: z.string().nullable().openapi({ description: 'Name of the node that unlocks the buff, or null.', example: null }),
        physical: count('Percent added to Physical Damage.', 0),
        magic: count('Percent added to Magic Damage.', 0),
      })
      .openapi({ description: 'The boss buff.' }),
  })
  .openapi('StarChart', { description: 'Bonuses of a star chart code.' });

const optimizer = { ...calculator, bodyIsOptional: true } as const;

/** Endpoints of the build optimizer. */
export const buildEndpoints: Endpoint[] = [
  defineRoute({
    ...table,
    path: '/v1/gems/builds/options',
    operationId: 'getBuildOptions',
    summary: 'List build field values',
    description: 'Lists the classes, allies, foods and flags of a build.',
    ok: { description: 'The values.', schema: BuildOptionsBody },
  }).handle(buildOptionsBody),

  defineRoute({
    ...optimizer,
    path: '/v1/gems/builds/calculate',
    operationId: 'calculateBuild',
    summary: 'Calculate best boost layouts',
    description:
      'Ranks the layouts of the boosts of a full gem set by damage coefficient, or by distance to a target Light. At most 200 rows.',
    body: BuildConfigInput,
    ok: { description: 'The layouts.', schema: BuildResultsBody },
  }).handle(({ body }) => applyRule('body', body, () => calculateBody(body))),

  defineRoute({
    ...optimizer,
    path: '/v1/gems/builds/health-optimizer',
    operationId: 'optimizeHealth',
    summary: 'Calculate best third lines',
    description: 'Calculates the third stat line of each elemental gem: 100 % Critical Hit first, then maximum health.',
    body: HealthOptimizerInput,
    ok: { description: 'The choices.', schema: HealthOptimizerBody },
  }).handle(({ body }) => json(applyRule('body', body, () => optimizeHealth(body)))),

  defineRoute({
    ...optimizer,
    path: '/v1/gems/builds/parse-star-chart',
    operationId: 'parseStarChart',
    summary: 'Decode a star chart code',
    description: 'Returns the bonuses of a star chart code by stat. An invalid code selects nothing and is not an error.',
    body: StarChartInput,
    ok: { description: 'The chart.', schema: StarChartBody },
  }).handle(({ body }) => json(viewStarChart(body.star_chart))),
];
