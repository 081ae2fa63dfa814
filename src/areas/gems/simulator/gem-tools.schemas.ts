import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../../platform/http/bodies/body-schemas.ts';
import { MAX_ATTEMPTS } from '../levels/level-up.domain.ts';
import { CostRowBody, DESCRIPTIONS, GemBody, GemInput } from './gem.schemas.ts';
import { count, figure, integer, optionalId, optionalInteger, optionalName, Seed, uncheckedId, yesNo } from './gem-fields.schemas.ts';
import { AUGMENT_IDS, BOOSTER_IDS, ELEMENT_IDS, RESTRICTION_IDS, TIER_IDS, TYPE_IDS } from './gem-ids.domain.ts';

export const GenerateInput = z
  .object({
    tier: optionalId(TIER_IDS, { description: `${DESCRIPTIONS.TIER} Drawn when left out.`, example: 4 }),
    type: optionalId(TYPE_IDS, { description: `${DESCRIPTIONS.TYPE} Drawn when left out.`, example: 1 }),
    element: optionalId(ELEMENT_IDS, { description: `${DESCRIPTIONS.ELEMENT} Drawn when left out.`, example: 2 }),
    restriction: uncheckedId(RESTRICTION_IDS, {
      description: `${DESCRIPTIONS.RESTRICTION} Drawn when left out; ignored for Empowered gems.`,
      example: 1,
    }),
    level: optionalInteger({ minimum: 1, default: 1, description: 'Level; past the last one of the tier it is that one.', example: 15 }),
    augmentation: z
      .number()
      .nullish()
      .openapi({
        type: ['number', 'null'],
        minimum: 0,
        maximum: 1,
        description: 'Base roll of every container; drawn one by one when left out.',
        example: 0.5,
      }),
    seed: Seed,
  })
  .openapi('GemGenerateInput', { description: 'What the gem shall be; whatever is left out is drawn.' });

const gem = GemInput;
const stat_position = integer({ minimum: 0, maximum: 2, above: 'bad_request', description: 'Which of the three stats.', example: 1 });
const booster = optionalName(
  BOOSTER_IDS,
  { description: 'Booster used with every attempt; none when left out.', example: 'booster2' },
  'bad_request',
);

export const AugmentGemInput = z
  .object({ gem, stat_position, augment_type: optionalId(AUGMENT_IDS, { default: 1, description: DESCRIPTIONS.AUGMENT, example: 2 }) })
  .openapi('GemAugmentRequest', { description: 'A gem, one of its stats, and the focus to use on it.' });

export const ChangeStatInput = z
  .object({ gem, stat_position, seed: Seed })
  .openapi('GemStatRequest', { description: 'A gem and one of its stats.' });

export const SetLevelInput = z
  .object({
    gem,
    level: integer({ minimum: 1, description: 'Level; past the last one of the tier it is that one.', example: 20 }),
    seed: Seed,
  })
  .openapi('GemSetLevelRequest', { description: 'A gem and the level it shall have.' });

export const LevelUpInput = z.object({ gem, booster, seed: Seed }).openapi('GemLevelUpRequest', { description: 'A gem to level up.' });

export const LevelUpToInput = z
  .object({
    gem,
    level: integer({
      minimum: 1,
      maximum: 35,
      above: 'bad_request',
      description: 'Level to reach; past the last one of the tier is refused.',
      example: 20,
    }),
    booster,
    seed: Seed,
    max_attempts: optionalInteger({
      minimum: 1,
      maximum: MAX_ATTEMPTS,
      default: MAX_ATTEMPTS,
      description: 'Attempts to make at the most.',
      example: 500,
    }),
  })
  .openapi('GemLevelUpToRequest', { description: 'A gem and the level to bring it to.' });

const applied = yesNo('Whether anything changed.', true);
const cost = (description: string) => z.array(CostRowBody).readonly().openapi({ description });

export const GemChangeBody = z.object({ applied, gem: GemBody }).openapi('GemChange', { description: 'The gem after a change.' });

export const PaidGemChangeBody = z
  .object({ applied, cost: cost('What the game charges; empty when nothing changed.'), gem: GemBody })
  .openapi('PaidGemChange', { description: 'The gem after a change, and what it costs in the game.' });

export const LevelUpBody = z
  .object({
    applied: yesNo('Whether a level was gained.', true),
    outcome: namedEnum('GemLevelUpOutcome', 'Outcome of a level-up attempt.', ['success', 'double', 'failed', 'max_level']).openapi({
      description: 'How the attempt ended; `max_level`: there was nothing to attempt.',
      example: 'success',
    }),
    chance: figure('Chance of success, booster included.', 0.09),
    double_chance: figure('Chance that a success counts for two levels.', 0.05),
    cost: cost('What the attempt took, won or lost.'),
    guaranteed: yesNo('The draw failed, but filled the karma bar: the level was gained anyway.', false),
    karma_gained: count('What the failure added to the karma bar.', 0),
    gem: GemBody,
  })
  .openapi('GemLevelUp', { description: 'One attempt at the next level.' });

export const LevelUpToBody = z
  .object({
    applied: yesNo('Whether any level was gained.', true),
    reached: yesNo('Whether the level was reached, or passed by a double.', true),
    attempts: count('Attempts made.', 61),
    outcomes: z
      .object({
        success: count('Attempts that gained a level, those forced by the karma bar among them.', 13),
        double: count('Attempts that gained two.', 1),
        failed: count('Attempts that gained none.', 47),
      })
      .openapi({ description: 'How the attempts ended.' }),
    guaranteed: count('Levels forced by the karma bar.', 1),
    cost: cost('What all attempts took.'),
    gem: GemBody,
  })
  .openapi('GemLevelUpTo', { description: 'Attempts until a level was reached, summed up.' });
