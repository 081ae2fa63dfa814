import { z } from '@hono/zod-openapi';
import { type Charge, remainingOf } from '../../platform/access/limits/window.ts';
import type { Scope } from '../../platform/access/policy/scopes.ts';
import { UsageSummaryBody } from '../../platform/access/usage/usage.schemas.ts';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';

export const createBudgetBody = (names: readonly string[]) =>
  z
    .object({
      name: namedEnum('TokenBudgetName', 'Rate limit of a token.', names).openapi({
        description: 'Rate limit: of the codexes, or of all other endpoints.',
        example: 'token',
      }),
      limit: z.number().int().openapi({ description: 'Requests allowed per window.', example: 120 }),
      remaining: z.number().int().openapi({ description: 'Requests remaining in the window.', example: 118 }),
      reset: z.number().int().openapi({ description: 'End of the window (unix seconds).', example: 1_773_156_660 }),
      window_seconds: z.number().int().openapi({ description: 'Length of the window.', example: 60 }),
    })
    .openapi('TokenBudget', { description: 'A rate limit of a token in the current window.' });

export type TokenBudgetBody = ReturnType<typeof createBudgetBody>;

export const createTokenBody = (scopes: readonly Scope[], budget: TokenBudgetBody) =>
  z
    .object({
      name: z.string().openapi({ description: 'Name of the token.', example: 'my bot' }),
      prefix: z.string().openapi({ description: 'First characters of the token, to tell tokens apart.', example: 'gda_zOPNSKrb' }),
      scopes: z.number().int().openapi({ description: 'Scope mask; 0 means all scopes, present and future.', example: 0 }),
      scope_names: z
        .array(namedEnum('Scope', 'Scope of a token.', scopes))
        .openapi({ description: 'Scopes of the mask; empty for mask 0.', example: [] }),
      expires_at: z
        .string()
        .nullable()
        .openapi({ description: 'ISO 8601, or null when it never expires.', example: '2026-05-01T00:00:00.000Z' }),
      allowed_ip_count: z
        .number()
        .int()
        .openapi({ description: 'Number of entries in the IP allowlist; 0 allows every address.', example: 0 }),
      budgets: z.array(budget).openapi({ description: 'Remaining rate limits.' }),
    })
    .openapi('Token', { description: 'The token of the request.' });

export const toBudgetBody = ({ name, charge }: { name: string; charge: Charge }) => ({
  name,
  limit: charge.budget.limit,
  remaining: remainingOf(charge),
  reset: charge.resetAt,
  window_seconds: charge.budget.windowSeconds,
});

export const createTokenUsageBody = (budget: TokenBudgetBody) =>
  UsageSummaryBody.extend({ budgets: z.array(budget).openapi({ description: 'Remaining rate limits.' }) }).openapi('TokenUsage');
