import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import type { RandomSource } from '../../../platform/kit/random.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Gem } from '../gem.domain.ts';
import {
  bool,
  CostRowBody,
  count,
  DESCRIPTIONS,
  figure,
  GemBody,
  GemInput,
  integer,
  optionalId,
  optionalInteger,
  optionalName,
  Seed,
  uncheckedId,
} from '../gem.schemas.ts';
import { generateGem, type Rolls, rollsFor } from '../gem-generate.domain.ts';
import { AUGMENT_IDS, BOOSTER_IDS, ELEMENT_IDS, parseGem, RESTRICTION_IDS, TIER_IDS, TYPE_IDS } from '../gem-input.domain.ts';
import { calculator } from '../gems.routes.ts';
import { levelUp, levelUpTo, MAX_ATTEMPTS } from '../levels/level-up.domain.ts';
import { augmentGem, flareGem, setGemLevel, sparkGem } from './gem-changes.domain.ts';

const GenerateInput = z
  .object({
    tier: optionalId(TIER_IDS, { description: `${DESCRIPTIONS.TIER} Random by default.`, example: 4 }),
    type: optionalId(TYPE_IDS, { description: `${DESCRIPTIONS.TYPE} Random by default.`, example: 1 }),
    element: optionalId(ELEMENT_IDS, { description: `${DESCRIPTIONS.ELEMENT} Random by default.`, example: 2 }),
    restriction: uncheckedId(RESTRICTION_IDS, {
      description: `${DESCRIPTIONS.RESTRICTION} Random by default; ignored for Empowered gems.`,
      example: 1,
    }),
    level: optionalInteger({ minimum: 1, default: 1, description: 'Level; capped at the maximum of the tier.', example: 15 }),
    augmentation: z
      .number()
      .nullish()
      .openapi({
        type: ['number', 'null'],
        minimum: 0,
        maximum: 1,
        description: 'Base roll of every container; random per container by default.',
        example: 0.5,
      }),
    retired_stats: z
      .boolean()
      .nullish()
      .openapi({
        type: ['boolean', 'null'],
        default: false,
        description: 'Whether Health Regen, which only old gems have, can be drawn too.',
        example: false,
      }),
    seed: Seed,
  })
  .openapi('GemGenerateInput', { description: 'Properties of the new gem; omitted ones are random.' });

const gem = GemInput;
const stat_position = integer({ minimum: 0, maximum: 2, above: 'bad_request', description: 'Position of the stat.', example: 1 });
const booster = optionalName(
  BOOSTER_IDS,
  { description: 'Booster used with every attempt; none by default.', example: 'booster2' },
  'bad_request',
);

const AugmentGemInput = z
  .object({ gem, stat_position, augment_type: optionalId(AUGMENT_IDS, { default: 1, description: DESCRIPTIONS.AUGMENT, example: 2 }) })
  .openapi('GemAugmentRequest', { description: 'A gem, one of its stats, and the focus to apply.' });

const ChangeStatInput = z
  .object({ gem, stat_position, seed: Seed })
  .openapi('GemStatRequest', { description: 'A gem and one of its stats.' });

const SetLevelInput = z
  .object({
    gem,
    level: integer({ minimum: 1, description: 'Level; capped at the maximum of the tier.', example: 20 }),
    seed: Seed,
  })
  .openapi('GemSetLevelRequest', { description: 'A gem and its target level.' });

const LevelUpInput = z.object({ gem, booster, seed: Seed }).openapi('GemLevelUpRequest', { description: 'A gem to level up.' });

const LevelUpToInput = z
  .object({
    gem,
    level: integer({
      minimum: 1,
      maximum: 35,
      above: 'bad_request',
      description: 'Target level; at most the maximum of the tier.',
      example: 20,
    }),
    booster,
    seed: Seed,
    max_attempts: optionalInteger({
      minimum: 1,
      maximum: MAX_ATTEMPTS,
      default: MAX_ATTEMPTS,
      description: 'Maximum number of attempts.',
      example: 500,
    }),
  })
  .openapi('GemLevelUpToRequest', { description: 'A gem and its target level.' });

const applied = bool('Whether anything changed.', true);
const cost = (description: string) => z.array(CostRowBody).readonly().openapi({ description });

const GemChangeBody = z.object({ applied, gem: GemBody }).openapi('GemChange', { description: 'The gem after a change.' });

const PaidGemChangeBody = z
  .object({ applied, cost: cost('Cost in the game; empty if nothing changed.'), gem: GemBody })
  .openapi('PaidGemChange', { description: 'The gem after a change, and its cost in the game.' });

const LevelUpBody = z
  .object({
    applied: bool('Whether a level was gained.', true),
    outcome: namedEnum('GemLevelUpOutcome', 'Outcome of a level-up attempt.', ['success', 'double', 'failed', 'max_level']).openapi({
      description: 'Outcome of the attempt; `max_level`: the gem is at the last level.',
      example: 'success',
    }),
    chance: figure('Chance of success, booster included.', 0.09),
    double_chance: figure('Chance that a success counts for two levels.', 0.05),
    cost: cost('Materials of the attempt, successful or not.'),
    guaranteed: bool('Whether the failure filled the karma bar and gained the level.', false),
    karma_gained: count('Karma added by the failure.', 0),
    gem: GemBody,
  })
  .openapi('GemLevelUp', { description: 'A level-up attempt.' });

const LevelUpToBody = z
  .object({
    applied: bool('Whether any level was gained.', true),
    reached: bool('Whether the target level was reached or passed.', true),
    attempts: count('Number of attempts.', 61),
    outcomes: z
      .object({
        success: count('Attempts that gained a level, including those forced by the karma bar.', 13),
        double: count('Attempts that gained two levels.', 1),
        failed: count('Attempts that gained no level.', 47),
      })
      .openapi({ description: 'Outcome of the attempts.' }),
    guaranteed: count('Levels forced by the karma bar.', 1),
    cost: cost('Materials of all attempts.'),
    gem: GemBody,
  })
  .openapi('GemLevelUpTo', { description: 'Totals of the attempts.' });

const SEED_NOTE = 'With `seed`, the same body returns the same response.';

interface SeededInput {
  body: { seed?: z.output<typeof Seed> };
  now: UnixSeconds;
}

/** A request with a gem. */
interface GemRequest extends SeededInput {
  body: SeededInput['body'] & { gem: unknown };
}

/** Endpoints of the simulator. Stateless: clients store the gem and send it back. */
export function createGemToolEndpoints(random: RandomSource): Endpoint[] {
  /** Responds with the result of a rule, which gets the rolls of the seed. */
  const runRule = <Result>({ body, now }: SeededInput, rule: (rolls: Rolls) => Result) =>
    json(applyRule('body', body, () => rule(rollsFor(body.seed, random, now))));

  /** Like `runRule`, for a rule that also gets the validated gem of the body. */
  const runGemRule = <Result>(request: GemRequest, rule: (gem: Gem, rolls: Rolls) => Result) =>
    runRule(request, (rolls) => rule(parseGem(request.body.gem, rolls.newId), rolls));

  return [
    defineRoute({
      ...calculator,
      path: '/v1/gems/generate',
      operationId: 'generateGem',
      summary: 'Roll a gem',
      description: `Rolls a new gem like the game. ${SEED_NOTE}`,
      body: GenerateInput,
      bodyIsOptional: true,
      ok: { description: 'The new gem.', schema: GemBody },
    }).handle((input) => runRule(input, (rolls) => generateGem(input.body, rolls))),

    defineRoute({
      ...calculator,
      path: '/v1/gems/augment',
      operationId: 'augmentGem',
      summary: 'Apply a focus',
      description: 'Applies a focus to the first container of a stat that is not full; it may overflow. A maxed stat is unchanged.',
      body: AugmentGemInput,
      ok: { description: 'The gem and the focus used.', schema: PaidGemChangeBody },
    }).handle((input) => runGemRule(input, (gem) => augmentGem(gem, input.body.stat_position, input.body.augment_type))),

    defineRoute({
      ...calculator,
      path: '/v1/gems/spark',
      operationId: 'sparkGem',
      summary: 'Reroll a stat type',
      description: `Rerolls a stat into another one allowed on the gem; its containers stay. A locked stat is unchanged. ${SEED_NOTE}`,
      body: ChangeStatInput,
      ok: { description: 'The gem and the cost in the game.', schema: PaidGemChangeBody },
    }).handle((input) => runGemRule(input, (gem, rolls) => sparkGem(gem, input.body.stat_position, rolls))),

    defineRoute({
      ...calculator,
      path: '/v1/gems/flare',
      operationId: 'flareGem',
      summary: 'Move a boost',
      description: `Moves the last boost of a stat to one of the other two. A stat without a boost is unchanged. ${SEED_NOTE}`,
      body: ChangeStatInput,
      ok: { description: 'The gem.', schema: GemChangeBody },
    }).handle((input) => runGemRule(input, (gem, rolls) => flareGem(gem, input.body.stat_position, rolls))),

    defineRoute({
      ...calculator,
      path: '/v1/gems/level-up',
      operationId: 'levelUpGem',
      summary: 'Attempt a level-up',
      description: `Attempts the next level once. A failure adds karma; the failure that fills the karma bar gains the level anyway. ${SEED_NOTE}`,
      body: LevelUpInput,
      ok: { description: 'Outcome, cost and the gem.', schema: LevelUpBody },
    }).handle((input) => runGemRule(input, (gem, rolls) => levelUp(gem, input.body.booster, rolls))),

    defineRoute({
      ...calculator,
      path: '/v1/gems/level-up-to',
      operationId: 'levelUpGemTo',
      summary: 'Level up to a target',
      description: `Repeats \`level-up\` until the target level or the maximum number of attempts is reached. ${SEED_NOTE}`,
      body: LevelUpToInput,
      ok: { description: 'Totals of all attempts and the gem.', schema: LevelUpToBody },
    }).handle((input) => {
      const { level, booster, max_attempts } = input.body;
      return runGemRule(input, (gem, rolls) => levelUpTo(gem, level, booster, max_attempts, rolls));
    }),

    defineRoute({
      ...calculator,
      path: '/v1/gems/set-level',
      operationId: 'setGemLevel',
      summary: 'Set a gem level',
      description: `Sets the level of a gem, adjusts its number of boosts to that level and empties the karma bar. ${SEED_NOTE}`,
      body: SetLevelInput,
      ok: { description: 'The gem.', schema: GemChangeBody },
    }).handle((input) => runGemRule(input, (gem, rolls) => setGemLevel(gem, input.body.level, rolls))),
  ];
}
