import { MINTING_LIMIT } from '../../platform/access/policy/budgets.ts';
import { openAccess } from '../../platform/access/policy/policy.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { PortalConfigBody } from './portal-config.schemas.ts';

/** Suggested reasons for revoking a token. */
const SUGGESTED_REASONS = ['no longer used', 'rotating to a new token', 'possibly compromised', 'created by mistake'] as const;

/** `GET /config`. */
export function createPortalConfigEndpoint(appName: string, captchaSiteKey: () => string | null, registry: ScopeRegistry): Endpoint {
  const scopes = registry.names.map((key) => ({
    key,
    bit: registry.bitOf(key),
    resource: key.split(':')[0] ?? key,
    description: registry.descriptionOf(key),
  }));
  return defineRoute({
    tag: 'Tokens',
    surface: 'portal',
    hidden: true,
    access: openAccess,
    method: 'get',
    path: '/config',
    operationId: 'getPortalConfig',
    summary: 'Get the portal configuration',
    description: 'Returns the configuration that the developer portal pages load at start.',
    ok: { description: 'The configuration.', schema: PortalConfigBody },
  }).handle(({ baseUrl }) =>
    json({
      app_name: appName,
      api_url: baseUrl,
      captcha_provider: captchaSiteKey() === null ? null : ('turnstile' as const),
      captcha_sitekey: captchaSiteKey(),
      require_verified_for_tokens: true,
      scopes,
      token_creation_daily_limit: MINTING_LIMIT,
      revoke_reasons: [...SUGGESTED_REASONS],
    }),
  );
}
