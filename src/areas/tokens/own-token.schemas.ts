import { z } from '@hono/zod-openapi';
import type { Scope } from '../../platform/access/policy/scopes.ts';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import type { TokenBudgetBody } from '../../platform/http/replies/budget-body.ts';

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
