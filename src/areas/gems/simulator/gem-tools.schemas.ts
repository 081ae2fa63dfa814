import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../../platform/http/bodies/body-schemas.ts';
import { MAX_ATTEMPTS } from '../levels/level-up.domain.ts';
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
} from './gem.schemas.ts';
import { AUGMENT_IDS, BOOSTER_IDS, ELEMENT_IDS, RESTRICTION_IDS, TIER_IDS, TYPE_IDS } from './gem-ids.domain.ts';

export const GenerateInput = z
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

export const AugmentGemInput = z
  .object({ gem, stat_position, augment_type: optionalId(AUGMENT_IDS, { default: 1, description: DESCRIPTIONS.AUGMENT, example: 2 }) })
  .openapi('GemAugmentRequest', { description: 'A gem, one of its stats, and the focus to apply.' });

export const ChangeStatInput = z
  .object({ gem, stat_position, seed: Seed })
  .openapi('GemStatRequest', { description: 'A gem and one of its stats.' });

export const SetLevelInput = z
  .object({
    gem,
    level: integer({ minimum: 1, description: 'Level; capped at the maximum of the tier.', example: 20 }),
    seed: Seed,
  })
  .openapi('GemSetLevelRequest', { description: 'A gem and its target level.' });

export const LevelUpInput = z.object({ gem, booster, seed: Seed }).openapi('GemLevelUpRequest', { description: 'A gem to level up.' });

export const LevelUpToInput = z
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

export const GemChangeBody = z.object({ applied, gem: GemBody }).openapi('GemChange', { description: 'The gem after a change.' });

export const PaidGemChangeBody = z
  .object({ applied, cost: cost('Cost in the game; empty if nothing changed.'), gem: GemBody })
  .openapi('PaidGemChange', { description: 'The gem after a change, and its cost in the game.' });

export const LevelUpBody = z
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

export const LevelUpToBody = z
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
