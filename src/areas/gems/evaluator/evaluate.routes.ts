import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import {
  bool,
  ContainerInput,
  count,
  DESCRIPTIONS,
  figure,
  flag,
  GemInput,
  id,
  knownId,
  knownIdOrNull,
  optionalId,
  optionalInteger,
  text,
} from '../gem.schemas.ts';
import { ELEMENT_IDS, RESTRICTION_IDS, ROLL_STAT_IDS, TIER_IDS, TYPE_IDS } from '../gem-input.domain.ts';
import { calculator } from '../gems.routes.ts';
import { evaluateGem } from './evaluate.domain.ts';
import { evaluateSimple } from './evaluate-simple.domain.ts';
import { FOCUS_STRATEGIES, type FocusStrategyKey } from './focus-plan.domain.ts';

const tier = optionalId(TIER_IDS, { default: 4, description: DESCRIPTIONS.TIER, example: 3 });
const type = optionalId(TYPE_IDS, { default: 1, description: DESCRIPTIONS.TYPE, example: 1 });
const level = optionalInteger({
  maximum: 35,
  above: 'bad_request',
  default: 1,
  description: 'Level; values below 1 are treated as 1, values above the maximum of the tier are rejected.',
  example: 7,
});

const EXAMPLE_STATS = [
  { type: 1, value: 8400, extra_containers: 1 },
  { type: 3, value: 63, extra_containers: 0 },
  { type: 6, value: 165, extra_containers: 0 },
];

const EnteredStat = z
  .object({
    type: id(ROLL_STAT_IDS, { description: DESCRIPTIONS.STAT, example: 1 }),
    value: z.number().optional().openapi({ description: 'Value displayed in the game.', example: 8400 }),
    containers: z
      .array(ContainerInput)
      .optional()
      .openapi({ description: 'Containers of a gem of the simulator, instead of `value` and `extra_containers` in all three stats.' }),
    extra_containers: optionalInteger({ minimum: 0, below: 'bad_request', default: 0, description: 'Boosts on the stat.', example: 1 }),
  })
  .openapi('GemEnteredStat', { description: 'A stat of a gem.' });

const EvaluateInput = z
  .object({
    tier,
    type,
    level,
    element: optionalId(ELEMENT_IDS, { description: 'Element of a gem of the simulator; derived from the stats if omitted.', example: 1 }),
    stats: z.array(EnteredStat).optional().openapi({
      minItems: 3,
      maxItems: 3,
      description: 'Three different stats, not both Physical and Magic Damage. Required without `gem`.',
      example: EXAMPLE_STATS,
    }),
    gem: GemInput.nullish().openapi({ description: 'A gem of the simulator, instead of all other fields.' }),
    auto_guess_procs: flag('Whether to derive which stats have the boosts. Always true if the given boosts do not match the level.'),
  })
  .openapi('GemEvaluateInput', { description: 'Displayed values of a gem.' });

const EvaluateSimpleInput = z
  .object({
    tier,
    type,
    power_rank: optionalInteger({ default: 0, description: 'Power Rank displayed in the game.', example: 1009 }),
    level,
  })
  .openapi('GemEvaluateSimpleInput', { description: 'Type, level and Power Rank of a gem.' });

const FocusTotalsBody = z
  .object({
    key: namedEnum('GemFocusStrategy', 'Strategy for filling containers.', Object.keys(FOCUS_STRATEGIES) as FocusStrategyKey[]).openapi({
      description: 'Strategy.',
      example: 'optimized_precise_rough',
    }),
    label: text('Display name of the strategy.', 'Precise + Rough'),
    superior: count('Superior Focuses.', 0),
    precise: count('Precise Focuses.', 26),
    rough: count('Rough Focuses.', 0),
    total: count('Total number of focuses.', 26),
    recipe_totals: z.record(z.string(), z.number().int()).openapi({
      description: 'Materials to craft the focuses; unused ones are omitted.',
      example: { bound_brilliance: 26, flux: 52_000 },
    }),
  })
  .openapi('GemFocusTotals', { description: 'Focuses and materials that max a gem with one strategy.' });

const focusPlan = {
  focus_totals: z
    .object({ optimized_all: FocusTotalsBody, optimized_precise_rough: FocusTotalsBody, rough_only: FocusTotalsBody })
    .openapi({ description: 'Cost to max the gem, by strategy.' }),
  headline_cost: FocusTotalsBody,
};

const EvaluatedStatBody = z
  .object({
    type: knownId(ROLL_STAT_IDS, DESCRIPTIONS.STAT, 1),
    display_name: text('Name of the stat.', 'Physical Damage'),
    entered_value: figure('Value as entered.', 8400),
    extra_containers: count('Boosts on the stat, given or derived.', 1),
    containers: count('Number of containers: one plus the boosts.', 2),
    progress: figure('Position of the value in its range, 0 to 1, four decimals.', 0.5),
    quality_percent: figure('`progress` in percent, two decimals.', 50),
    estimated_pr_contribution: figure('Share of the Power Rank, two decimals.', 425),
    is_within_range: bool('Whether the value is possible, with a tolerance of 5 % of the range for rounding.', true),
    raw_progress: figure('`progress` before clamping to 0 to 1.', 0.5),
    threshold_progress: figure('Value of one container without level steps, in units of the base of the stat.', 245),
  })
  .openapi('GemEvaluatedStat', { description: 'An evaluated stat.' });

const quality = {
  quality: figure('Quality, 0 to 1, four decimals.', 0.6786),
  quality_percent: figure('`quality` in percent, two decimals.', 67.86),
};

const EvaluationBody = z
  .object({
    tier: knownId(TIER_IDS, DESCRIPTIONS.TIER, 3),
    type: knownId(TYPE_IDS, DESCRIPTIONS.TYPE, 1),
    type_name: text('Name of the type.', 'Lesser'),
    element: knownId(ELEMENT_IDS, 'Cosmic if Light is among the stats, otherwise Water, which represents Water, Fire and Air.', 1),
    element_name: text('Name of the element.', 'Water'),
    restriction: knownIdOrNull(RESTRICTION_IDS, 'Fierce with Physical Damage, Arcane with Magic Damage, otherwise null.', 1),
    restriction_name: text('Name of the restriction, or `Any`.', 'Fierce'),
    level: count('Level.', 7),
    ...quality,
    calculated_power_rank: count('Power Rank calculated from the values.', 1009),
    has_issues: bool('Whether any value is impossible.', false),
    issues: z.array(z.string()).openapi({
      description: 'One sentence per impossible value.',
      example: ['Critical Damage is above the maximum possible for this level and boost split.'],
    }),
    stats: z.array(EvaluatedStatBody).openapi({ minItems: 3, maxItems: 3, description: 'The stats, in their order.' }),
    ...focusPlan,
    available_extra_containers: count('Number of boosts of a gem at this level.', 1),
    guessed_distribution: z
      .array(z.number().int())
      .openapi({ minItems: 3, maxItems: 3, description: 'Boosts on each stat, given or derived.', example: [1, 0, 0] }),
  })
  .openapi('GemEvaluation', { description: 'Quality and Power Rank of a gem, and the cost to max it.' });

const SimpleEvaluationBody = z
  .object({
    tier: knownId(TIER_IDS, DESCRIPTIONS.TIER, 1),
    tier_name: text('Name of the tier.', 'Radiant'),
    type: knownId(TYPE_IDS, DESCRIPTIONS.TYPE, 2),
    type_name: text('Name of the type.', 'Empowered'),
    level: count('Level.', 11),
    power_rank: count('Power Rank as entered.', 800),
    min_power_rank: figure('Lowest Power Rank possible.', 737),
    max_power_rank: figure('Highest Power Rank possible.', 922),
    ...quality,
    is_within_range: bool('Whether the Power Rank is possible.', true),
    distance: figure('Distance of the Power Rank below the minimum or above the maximum.', 0),
    containers: count('Assumed number of containers.', 5),
    boosts: count('Containers beyond the first three; fewer than the level has if the Power Rank requires it.', 2),
    ...focusPlan,
  })
  .openapi('GemSimpleEvaluation', { description: 'Quality of a gem from its Power Rank alone, and the cost to max it.' });

/** Endpoints of the evaluator. */
export const evaluateEndpoints: Endpoint[] = [
  defineRoute({
    ...calculator,
    path: '/v1/gems/evaluate',
    operationId: 'evaluateGem',
    summary: 'Evaluate a gem',
    description:
      'Calculates quality and Power Rank of a gem from the displayed values, the position of each stat in its range, and the focuses needed to max it. Impossible values are reported in `issues`. Accepts a gem of the simulator as the body or as `gem`.',
    body: EvaluateInput,
    ok: { description: 'The evaluation.', schema: EvaluationBody },
  }).handle(({ body }) => json(applyRule('body', body, () => evaluateGem(body)))),

  defineRoute({
    ...calculator,
    path: '/v1/gems/evaluate-simple',
    operationId: 'evaluateGemSimple',
    summary: 'Evaluate by Power Rank',
    description: 'Calculates the quality of a gem from type, level and Power Rank alone, and the focuses needed to max it.',
    body: EvaluateSimpleInput,
    bodyIsOptional: true,
    ok: { description: 'The evaluation.', schema: SimpleEvaluationBody },
  }).handle(({ body }) => json(applyRule('body', body, () => evaluateSimple(body)))),
];
