import { z } from '@hono/zod-openapi';
import { anyTokenAccess } from '../../platform/access/policy/policy.ts';
import type { Scope, ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { TokenRateLimits } from '../../platform/access/tokens/token-rate-limits.ts';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { createRateLimitBody, type TokenRateLimitBody, toRateLimitBody } from '../../platform/http/replies/rate-limit-body.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { toIso } from '../../platform/kit/time/clock.ts';

const createTokenBody = (scopes: readonly Scope[], rateLimit: TokenRateLimitBody) =>
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
      budgets: z.array(rateLimit).openapi({ description: 'Remaining rate limits.' }),
    })
    .openapi('Token', { description: 'The token of the request.' });

/** `/v1/token`: the token of the request. */
export const createOwnTokenEndpoint = (scopes: ScopeRegistry, rateLimits: TokenRateLimits): Endpoint =>
  defineRoute({
    method: 'get',
    path: '/v1/token',
    operationId: 'getToken',
    tag: 'Service',
    summary: 'Get the current token',
    description: 'Returns scopes, expiry, allowlist size and remaining rate limits of the token sent with the request.',
    access: anyTokenAccess,
    ok: {
      description: 'The token, without its secret.',
      schema: createTokenBody(scopes.names, createRateLimitBody(rateLimits.names)),
    },
  }).handle(({ admission }) => {
    const { self } = admission;
    if (!self) throw notFound('token required');
    return json({
      name: self.name,
      prefix: self.prefix,
      scopes: self.scopes,
      scope_names: scopes.namesOf(self.scopes),
      expires_at: self.expiresAt === null ? null : toIso(self.expiresAt),
      allowed_ip_count: self.allowedIpCount,
      budgets: self.rateLimits.map(toRateLimitBody),
    });
  });
