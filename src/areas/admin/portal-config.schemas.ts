import { z } from '@hono/zod-openapi';

/** Configuration that portal pages load at start. */
export const PortalConfigBody = z
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
