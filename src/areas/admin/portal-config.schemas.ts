import { z } from '@hono/zod-openapi';

/** What the pages of the portal start from. */
export const PortalConfigBody = z
  .object({
    app_name: z.string().openapi({ description: 'Name of the service.', example: 'Game Data API' }),
    api_url: z.string().openapi({ description: 'Address of the API.', example: 'https://api.example.com' }),
    captcha_provider: z
      .enum(['turnstile'])
      .nullable()
      .openapi({ description: 'Captcha of sign-up and sign-in; null: none.', example: null }),
    captcha_sitekey: z.string().nullable().openapi({ description: 'Its public key; null: none.', example: null }),
    require_verified_for_tokens: z.boolean().openapi({ description: 'Whether tokens need a verified address.', example: true }),
    scopes: z
      .array(
        z
          .object({
            key: z.string().openapi({ description: 'Name of the scope.', example: 'rotations:read' }),
            bit: z.number().int().openapi({ description: 'Its bit of the mask.', example: 1 }),
            resource: z.string().openapi({ description: 'What it is about.', example: 'rotations' }),
            description: z.string().openapi({ description: 'What it covers.', example: 'server time, bonuses' }),
          })
          .openapi('ScopeInfo'),
      )
      .openapi({ description: 'Every scope.' }),
    token_creation_daily_limit: z.number().int().openapi({ description: 'Tokens an account may make a day.', example: 3 }),
    revoke_reasons: z
      .array(z.string().openapi({ example: 'not used any more' }))
      .openapi({ description: 'Reasons to propose.', example: ['not used any more'] }),
  })
  .openapi('PortalConfig');
