import { z } from '@hono/zod-openapi';
import type { SigilScale } from './sigil.domain.ts';

/** Digits only but any number of them: everything past the last threshold is the top tier, so nothing is too large. */
function amount(description: string, example: number) {
  return z
    .string()
    .regex(/^\d+$/, 'must be an integer of at least 0')
    .transform(Number)
    .default(0)
    .openapi({ type: 'integer', minimum: 0, default: 0, description, example });
}

export const SigilQuery = z.object({
  power_rank: amount('Power Rank of the character: picks the shield.', 31_250),
  mastery: amount('Total mastery, main and Geode together: picks the wings.', 840),
  scale: z
    .enum(['1', '2'])
    .transform((digit): SigilScale => (digit === '2' ? 2 : 1))
    .default(1)
    .openapi({ type: 'integer', enum: [1, 2], default: 1, description: 'Edge of the picture: 88 pixels, or twice as many.', example: 2 }),
});
