import { z } from '@hono/zod-openapi';
import { TokenOfUser, TokenView } from '../../platform/access/tokens/token-view.schemas.ts';
import { DEFAULT_EXPIRY_DAYS, EXPIRY_DAYS, MAX_OVERLAP_SECONDS, MAX_REASON_LENGTH, MAX_TOKEN_NAME_LENGTH } from './tokens.data.ts';

const MAX_GIVEN_ADDRESSES = 200;
const MAX_ADDRESS_LENGTH = 64;
const MAX_CODE_LENGTH = 40;

const name = z.string().trim().min(1).max(MAX_TOKEN_NAME_LENGTH).openapi({ description: 'Name of the token.', example: 'my bot' });
const addresses = z
  .array(z.string().max(MAX_ADDRESS_LENGTH).openapi({ example: '198.51.100.0/24' }))
  .max(MAX_GIVEN_ADDRESSES)
  .openapi({ description: 'IP addresses and networks that may use the token; empty: any. At most 64.', example: ['198.51.100.7'] });

/** Only superusers with a second factor need a code. */
const code = z
  .string()
  .max(MAX_CODE_LENGTH)
  .nullish()
  .openapi({
    type: ['string', 'null'],
    description: 'For a superuser with a second factor: code of the authenticator app, or a recovery code.',
    example: null,
  });

export const MintInput = z
  .object({
    name,
    scopes: z.number().int().default(0).openapi({ description: 'Scope mask; 0 means all scopes, present and future.', example: 1 }),
    allowed_ips: addresses.default([]),
    expires_in_days: z
      .literal(EXPIRY_DAYS)
      .nullable()
      .default(DEFAULT_EXPIRY_DAYS)
      .openapi({ type: ['integer', 'null'], description: 'Lifetime in days, or null for no expiry.', example: 30 }),
    code,
  })
  .openapi('MintToken');

export const EditInput = z
  .object({
    name: name.optional(),
    allowed_ips: addresses.nullish().openapi({ description: 'Replaces the allowlist; [] clears it, null keeps it.', example: [] }),
  })
  .openapi('EditToken');

export const RotateInput = z
  .object({
    overlap_seconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(0)
      .openapi({ description: 'How long the old secret still works, in seconds. 0: it stops working immediately.', example: 3600 }),
    code,
  })
  .openapi('RotateToken');

export const RevokeInput = z
  .object({
    reason: z.string().trim().min(1).max(MAX_REASON_LENGTH).openapi({ description: 'Reason.', example: 'no longer used' }),
  })
  .openapi('RevokeToken');

export const AdminRevokeInput = z
  .object({
    reason: z.string().trim().min(1).max(MAX_REASON_LENGTH).optional().openapi({ description: 'Reason.', example: 'abuse' }),
  })
  .openapi('AdminRevokeToken');

export const TokensBody = z.array(TokenView).openapi({ description: 'Newest first.' });

export const TokensOfUserBody = z.array(TokenOfUser).openapi({ description: 'Newest first.' });
export const RevokedBody = z
  .object({ revoked: z.number().int().openapi({ description: 'Number of tokens revoked by this request.', example: 2 }) })
  .openapi('RevokedTokens');
