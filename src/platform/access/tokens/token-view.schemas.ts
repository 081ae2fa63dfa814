import { z } from '@hono/zod-openapi';
import { toIso, type UnixSeconds } from '../../kit/time/clock.ts';
import type { ScopeRegistry } from '../policy/scopes.ts';
import type { ApiTokenRow } from '../tokens.tables.ts';

/** Path parameter of a token. */
export const TokenParams = z.object({
  id: z.string().max(64).openapi({ description: 'Id of the token.', example: 'bot0Example' }),
});

/** Path parameter of an account. */
export const UserParams = z.object({
  id: z.string().max(64).openapi({ description: 'Id of the account.', example: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11' }),
});

const EXAMPLE_TIME = '2026-03-10T15:30:00.000Z';
const isoTime = (description: string) => z.string().openapi({ description, example: EXAMPLE_TIME });
const isoTimeOrNull = (description: string) => z.string().nullable().openapi({ description, example: null });

const viewFields = {
  id: z.string().openapi({ description: 'Id of the token.', example: 'bot0Example' }),
  name: z.string().openapi({ description: 'Name of the token.', example: 'my bot' }),
  prefix: z.string().openapi({ description: 'First characters of the secret, to identify the token.', example: 'gda_A4C6zbWP' }),
  scopes: z.number().int().openapi({ description: 'Scope mask; 0 means all scopes.', example: 1 }),
  scope_names: z
    .array(z.string().openapi({ example: 'things:read' }))
    .openapi({ description: 'Scopes of the mask; empty for mask 0.', example: ['things:read'] }),
  allowed_ip_count: z.number().int().openapi({ description: 'Number of entries in the IP allowlist; 0 allows every address.', example: 0 }),
  revoked: z.boolean().openapi({ description: 'Whether the token was revoked.', example: false }),
  revoked_at: isoTimeOrNull('Time when the token was revoked, or null.'),
  revoke_reason: z.string().nullable().openapi({ description: 'Reason for the revocation, or null.', example: null }),
  created_at: isoTime('Time when the token was created.'),
  last_used_at: isoTimeOrNull('Last request with the current secret, or null.'),
  rotated_at: isoTimeOrNull('Time when the token was last rotated, or null.'),
  previous_secret_until: isoTimeOrNull('Time until which the secret before the last rotation works, or null.'),
  expires_at: isoTimeOrNull('Time when the token expires, or null.'),
  request_count: z.number().int().openapi({ description: 'Number of requests.', example: 1024 }),
};

/** A token without its secret. */
export const TokenView = z.object(viewFields).openapi('TokenView');

/** A token with its secret. */
export const TokenWithSecret = z
  .object({
    ...viewFields,
    token: z.string().openapi({
      description: 'The secret. Returned only once; rotate the token to replace a lost secret.',
      example: 'gda_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_nYPti',
    }),
  })
  .openapi('TokenWithSecret');

/** A token after a rotation. */
export const RotatedToken = z
  .object({
    ...TokenWithSecret.shape,
    pending: z.literal(true).optional().openapi({ description: 'Present while the rotation is not yet in effect.', example: true }),
  })
  .openapi('RotatedToken');

/** A token in the responses for administrators. */
export const TokenOfUser = z
  .object({
    ...viewFields,
    user_id: z.string().openapi({ description: 'Account that owns the token.', example: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11' }),
  })
  .openapi('TokenOfUser');

const isoOrNull = (at: UnixSeconds | null) => (at === null ? null : toIso(at));

export function toTokenView(token: ApiTokenRow, scopes: ScopeRegistry): z.infer<typeof TokenView> {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    scopes: token.scopes,
    scope_names: scopes.namesOf(token.scopes),
    allowed_ip_count: token.allowlist.length,
    revoked: token.revoked,
    revoked_at: isoOrNull(token.revokedAt),
    revoke_reason: token.revokeReason,
    created_at: toIso(token.createdAt),
    last_used_at: isoOrNull(token.lastUsedAt),
    rotated_at: isoOrNull(token.rotatedAt),
    previous_secret_until: isoOrNull(token.previousUntil),
    expires_at: isoOrNull(token.expiresAt),
    request_count: token.requestCount,
  };
}

export function toTokenOfUser(token: ApiTokenRow, scopes: ScopeRegistry): z.infer<typeof TokenOfUser> {
  return { ...toTokenView(token, scopes), user_id: token.userId };
}
