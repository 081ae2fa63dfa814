import { sessionAccess } from '../../platform/access/policy/policy.ts';
import { mintingRateLimit } from '../../platform/access/policy/rate-limits.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { sessionOf } from '../../platform/access/sessions/session-admission.ts';
import { RotatedToken, TokenParams, TokenView, TokenWithSecret, toTokenView } from '../../platform/access/tokens/token-view.schemas.ts';
import type { Ports } from '../../platform/area/area.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { EditInput, MintInput, RevokeInput, RotateInput, TokensBody } from './tokens.schemas.ts';
import type { CreatedToken, TokensService } from './tokens.service.ts';

/** Errors of `confirmSuperuser`. */
const FACTOR_ERRORS = ['invalid_credentials', 'second_factor_required', 'account_locked'] as const;
const shared = { tag: 'Tokens', surface: 'portal', hidden: true, access: sessionAccess() } as const;

/** `/tokens`: the tokens of the signed-in account. */
export function createTokenEndpoints(
  service: TokensService,
  withTotals: Ports['usage']['withTotals'],
  scopes: ScopeRegistry,
  confirmSuperuser: Ports['confirmSuperuser'],
): Endpoint[] {
  return [...createAndListEndpoints(service, withTotals, scopes, confirmSuperuser), ...changeEndpoints(service, scopes, confirmSuperuser)];
}

function createAndListEndpoints(
  service: TokensService,
  withTotals: Ports['usage']['withTotals'],
  scopes: ScopeRegistry,
  confirmSuperuser: Ports['confirmSuperuser'],
): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      access: sessionAccess('verified', mintingRateLimit),
      method: 'post',
      path: '/tokens',
      operationId: 'mintToken',
      summary: 'Create a token',
      description: 'Creates an API token. The secret is returned only in this response. An account may have 20 active tokens.',
      body: MintInput,
      showsSecret: true,
      errors: ['bad_request', ...FACTOR_ERRORS],
      ok: { status: 201, description: 'The token with its secret.', schema: TokenWithSecret },
    }).handle(async ({ caller, body, now, waitUntil, settings }) => {
      await confirmSuperuser(sessionOf(caller), body.code, { settings, now, waitUntil });
      const input = { name: body.name, scopes: body.scopes, allowedIps: body.allowed_ips, expiresInDays: body.expires_in_days };
      return json(withSecret(await service.create(sessionOf(caller).userId, input, { now, waitUntil: waitUntil }), scopes));
    }),

    defineRoute({
      ...shared,
      method: 'get',
      path: '/tokens',
      operationId: 'listTokens',
      summary: 'List tokens',
      description: 'Lists the tokens of the account, including revoked ones.',
      ok: { description: 'The tokens.', schema: TokensBody },
    }).handleOwn(
      ({ userId }) => service.list(userId),
      async (listed) => json((await withTotals(listed)).map((token) => toTokenView(token, scopes))),
    ),
  ];
}

function changeEndpoints(service: TokensService, scopes: ScopeRegistry, confirmSuperuser: Ports['confirmSuperuser']): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'patch',
      path: '/tokens/{id}',
      operationId: 'editToken',
      summary: 'Update a token',
      description: 'Updates the name or allowlist, effective from the next request.',
      params: TokenParams,
      body: EditInput,
      bodyIsOptional: true,
      errors: ['not_found'],
      ok: { description: 'The updated token.', schema: TokenView },
    }).handle(async ({ caller, params, body, now }) => {
      const change = { name: body.name, allowedIps: body.allowed_ips };
      return json(toTokenView(await service.edit(sessionOf(caller).userId, params.id, change, now), scopes));
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/tokens/{id}/rotate',
      operationId: 'rotateToken',
      summary: 'Rotate a token',
      description:
        'Replaces the secret. The new one is returned only in this response; the old one stops working immediately, or after `overlap_seconds`. A second rotation ends the first overlap. Scopes, allowlist, expiry, rate limit counts, open streams and usage are unchanged.',
      params: TokenParams,
      body: RotateInput,
      bodyIsOptional: true,
      showsSecret: true,
      errors: ['not_found', 'bad_request', ...FACTOR_ERRORS],
      ok: {
        description: 'The token with its new secret.',
        schema: RotatedToken,
        otherStatuses: {
          202: 'The rotation is stored but not yet in effect (`pending` is true): the new secret works within a minute or so.',
        },
      },
    }).handle(async ({ caller, params, body, now, waitUntil, settings }) => {
      await confirmSuperuser(sessionOf(caller), body.code, { settings, now, waitUntil });
      const rotated = await service.rotate(sessionOf(caller).userId, params.id, body.overlap_seconds, { now, waitUntil });
      const reply = withSecret(rotated, scopes);
      return rotated.isPending ? json({ ...reply, pending: true }, { status: 202 }) : json(reply);
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/tokens/{id}/revoke',
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      description: 'Permanently revokes the token, effective from the next request. Idempotent.',
      params: TokenParams,
      body: RevokeInput,
      errors: ['not_found'],
      ok: { description: 'The updated token.', schema: TokenView },
    }).handle(async ({ caller, params, body, now }) =>
      json(toTokenView(await service.revoke(sessionOf(caller).userId, params.id, body.reason, now), scopes)),
    ),
  ];
}

const withSecret = ({ token, secret }: CreatedToken, scopes: ScopeRegistry) => ({ ...toTokenView(token, scopes), token: secret });
