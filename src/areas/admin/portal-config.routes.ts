import { z } from '@hono/zod-openapi';
import { openAccess } from '../../platform/access/policy/policy.ts';
import { MINTING_LIMIT } from '../../platform/access/policy/rate-limits.ts';
import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';

/** Configuration that portal pages load at start. */
const PortalConfigBody = z
  .object({
    app_name: z.string().openapi({ description: 'Name of the service.', example: 'Game Data API' }),
    api_url: z.string().openapi({ description: 'Base URL of the API.', example: 'https://api.example.com' }),
    captcha_provider: z
      .enum(['turnstile'])
      .nullable()
      .openapi({ description: 'Captcha provider of sign-up and sign-in, or null.', example: null }),
    captcha_sitekey: z.string().nullable().openapi({ description: 'Public site key of the captcha, or null.', example: null }),
    require_verified_for_tokens: z
      .boolean()
      .openapi({ description: 'Whether creating tokens requires a verified email address.', example: true }),
    scopes: z
      .array(
        z
          .object({
            key: z.string().openapi({ description: 'Name of the scope.', example: 'rotations:read' }),
            bit: z.number().int().openapi({ description: 'Bit in the scope mask.', example: 1 }),
            resource: z.string().openapi({ description: 'Title of the scope.', example: 'rotations' }),
            description: z.string().openapi({ description: 'Data covered by the scope.', example: 'server time, bonuses' }),
          })
          .openapi('ScopeInfo'),
      )
      .openapi({ description: 'All scopes.' }),
    token_creation_daily_limit: z.number().int().openapi({ description: 'Tokens that an account may create per day.', example: 3 }),
    revoke_reasons: z
      .array(z.string().openapi({ example: 'no longer used' }))
      .openapi({ description: 'Suggested reasons.', example: ['no longer used'] }),
  })
  .openapi('PortalConfig');

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
