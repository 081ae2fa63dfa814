import { z } from '@hono/zod-openapi';
import { type Charge, remainingOf } from '../../access/limits/window.ts';
import { namedEnum } from '../bodies/body-schemas.ts';

/** The remaining requests of a rate limit of a token. `names`: that of all endpoints, then those of endpoints that count separately. */
export function createRateLimitBody(names: readonly string[]) {
  const [, ...separate] = names;
  return z
    .object({
      name: namedEnum('TokenBudgetName', 'Rate limit of a token.', names).openapi({
        description: `Rate limit: of the ${separate.join(', of the ')}, or of all other endpoints.`,
        example: 'token',
      }),
      limit: z.number().int().openapi({ description: 'Requests allowed per window.', example: 120 }),
      remaining: z.number().int().openapi({ description: 'Requests remaining in the window.', example: 118 }),
      reset: z.number().int().openapi({ description: 'End of the window (unix seconds).', example: 1_773_156_660 }),
      window_seconds: z.number().int().openapi({ description: 'Length of the window.', example: 60 }),
    })
    .openapi('TokenBudget', { description: 'A rate limit of a token in the current window.' });
}

export type TokenRateLimitBody = ReturnType<typeof createRateLimitBody>;

export const toRateLimitBody = ({ name, charge }: { name: string; charge: Charge }) => ({
  name,
  limit: charge.rateLimit.limit,
  remaining: remainingOf(charge),
  reset: charge.resetAt,
  window_seconds: charge.rateLimit.windowSeconds,
});
