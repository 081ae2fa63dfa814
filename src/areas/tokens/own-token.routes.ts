import { anyTokenAccess } from '../../platform/access/policy/policy.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { TokenBudgets } from '../../platform/access/tokens/token-budgets.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { createBudgetBody, toBudgetBody } from '../../platform/http/replies/budget-body.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import { createTokenBody } from './own-token.schemas.ts';

/** `/v1/token`: the token of the request. */
export const createOwnTokenEndpoint = (scopes: ScopeRegistry, budgets: TokenBudgets): Endpoint =>
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
      schema: createTokenBody(scopes.names, createBudgetBody(budgets.names)),
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
      budgets: self.budgets.map(toBudgetBody),
    });
  });
