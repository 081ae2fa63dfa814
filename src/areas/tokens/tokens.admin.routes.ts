import { adminAccess } from '../../platform/access/policy/policy.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { pendingChange } from '../../platform/access/tokens/token-changes.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { TokenOfUser, TokenParams, toTokenOfUser, UserParams } from '../../platform/access/tokens/token-view.schemas.ts';
import type { Ports } from '../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { REASON_ADMINISTRATOR } from './tokens.data.ts';
import { AdminRevokeInput, RevokedBody, TokensOfUserBody } from './tokens.schemas.ts';

const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess } as const;

/** Token endpoints for administrators. */
export function createTokenAdminEndpoints(
  tokens: TokenRegistry,
  withTotals: Ports['usage']['withTotals'],
  scopes: ScopeRegistry,
): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'post',
      path: '/admin/tokens/{id}/revoke',
      operationId: 'revokeTokenAsAdmin',
      summary: 'Revoke any token',
      description: 'Permanently revokes a token, effective from the next request. Idempotent.',
      params: TokenParams,
      body: AdminRevokeInput,
      bodyIsOptional: true,
      errors: ['not_found'],
      ok: { description: 'The updated token.', schema: TokenOfUser },
    }).handle(async ({ params, body, now }) => {
      const token = await tokens.find(params.id);
      if (!token) throw notFound('token not found');
      const { isConfirmed } = await tokens.revoke(token, body.reason ?? REASON_ADMINISTRATOR, now);
      if (!isConfirmed) throw pendingChange();
      return json(toTokenOfUser((await tokens.find(params.id)) ?? token, scopes));
    }),

    defineRoute({
      ...shared,
      method: 'get',
      path: '/admin/users/{id}/tokens',
      operationId: 'listTokensOfUser',
      summary: 'List tokens of an account',
      description: 'Lists the tokens of an account, including revoked ones. Empty for an unknown account.',
      params: UserParams,
      ok: { description: 'The tokens.', schema: TokensOfUserBody },
    }).handle(async ({ params }) => {
      const listed = await withTotals(await tokens.byAccount(params.id));
      return json(listed.map((token) => toTokenOfUser(token, scopes)));
    }),

    defineRoute({
      ...shared,
      method: 'delete',
      path: '/admin/users/{id}/tokens',
      operationId: 'revokeTokensOfUser',
      summary: 'Revoke all tokens',
      description: 'Permanently revokes all tokens of an account, effective from the next request.',
      params: UserParams,
      ok: { description: 'Number of revoked tokens.', schema: RevokedBody },
    }).handle(async ({ params, now }) => {
      const { revoked, isConfirmed } = await tokens.revokeAll(params.id, REASON_ADMINISTRATOR, now);
      if (!isConfirmed) throw pendingChange();
      return json({ revoked });
    }),
  ];
}
