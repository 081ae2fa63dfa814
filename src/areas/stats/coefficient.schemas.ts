import { z } from '@hono/zod-openapi';
import { COEFFICIENT_FORMULA } from '../../game/coefficient.domain.ts';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';

/** A number; null is treated as absent. */
const figure = (description: string, example: number) =>
  z
    .number()
    .nullish()
    .openapi({ type: ['number', 'null'], minimum: 0, description, example });

/** Critical Damage and one damage stat are required. The rule checks this, because the status must be 400 instead of 422. */
export const CoefficientInput = z
  .object({
    physical_damage: figure('Physical Damage. One of the two damage stats is required; the larger one is used.', 20_000),
    magic_damage: figure('Magic Damage.', 15_000),
    critical_damage: z
      .number()
      .nullish()
      .openapi({ type: 'number', minimum: 0, description: 'Critical Damage in percent.', example: 1250.5 }),
  })
  .openapi('CoefficientInput', { description: 'Stats of a character.', required: ['critical_damage'] });

export const CoefficientBody = z
  .object({
    coefficient: z.number().int().openapi({ description: 'The coefficient, rounded down.', example: 270_100 }),
    damage_used: namedEnum('CoefficientDamage', 'Damage stat of a coefficient.', ['physical', 'magic']).openapi({
      description: 'The damage stat used; physical if both are equal.',
      example: 'physical',
    }),
    formula: z.literal(COEFFICIENT_FORMULA).openapi({ description: 'Formula of the coefficient.', example: COEFFICIENT_FORMULA }),
  })
  .openapi('Coefficient', { description: 'Damage of a critical hit.' });
