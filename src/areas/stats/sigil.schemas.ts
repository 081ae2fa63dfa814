import { z } from '@hono/zod-openapi';
import { choice } from '../../platform/http/pipeline/query-schemas.ts';
import { SIGIL_SCALES } from './sigil.domain.ts';

/** Any number of digits: values above the last threshold are in the top tier. */
function amount(description: string, example: number) {
  return z
    .string()
    .regex(/^\d+$/, 'must be an integer greater than or equal to 0')
    .transform(Number)
    .default(0)
    .openapi({ type: 'integer', minimum: 0, default: 0, description, example });
}

export const SigilQuery = z.object({
  power_rank: amount('Power Rank of the character; selects the shield.', 31_250),
  mastery: amount('Total mastery (main plus Geode); selects the wings.', 840),
  scale: choice(SIGIL_SCALES, { description: 'Scale of the image: 1 for 88 pixels, 2 for 176 pixels.', example: 2 }).default(1),
});
