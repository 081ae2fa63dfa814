import { randomBytes } from 'node:crypto';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { ApiTokenRow } from '../tokens.tables.ts';
import { createAllowlist } from './token-decision.ts';
import { createTokenId, createTokenSecret, displayPrefix, type RandomBytes, type TokenFormat } from './token-format.ts';
import { hashToken } from './token-hash.ts';
import { tokensNotConfigured } from './token-keys.ts';

export interface TokenRowInput {
  userId: string;
  name: string;
  /** Scope mask; 0 is every scope. */
  scopes: number;
  allowedIps: readonly string[];
  expiresAt: UnixSeconds | null;
  now: UnixSeconds;
  format: TokenFormat;
}

/** A new secret of a token with the columns that identify it. The secret is shown once. */
export interface MintedSecret {
  secret: string;
  hashedToken: string;
  prefix: string;
}

const SALT_BYTES = 16;

/** Creates a secret for a token id. Throws 503 without `TOKEN_KEY`. */
export function mintSecret(id: string, { prefix, key, kind }: TokenFormat, random: RandomBytes = randomBytes): MintedSecret {
  if (key === null) throw tokensNotConfigured();
  const secret = createTokenSecret(prefix, key, id, random, kind);
  return { secret, hashedToken: hashToken(secret), prefix: displayPrefix(secret) };
}

/**
 * Creates a token: the secret, which is shown once, and the row to store. Throws `RangeError` for an invalid allowlist entry, and 503
 * without `TOKEN_KEY`.
 */
export function createTokenRow(request: TokenRowInput, random: RandomBytes = randomBytes): { secret: string; row: ApiTokenRow } {
  const id = createTokenId(random);
  const { secret, hashedToken, prefix } = mintSecret(id, request.format, random);
  const ipSalt = randomBytes(SALT_BYTES).toString('base64url');
  return {
    secret,
    row: {
      id,
      userId: request.userId,
      name: request.name,
      prefix,
      hashedToken,
      previousHash: null,
      previousUntil: null,
      version: 0,
      scopes: request.scopes,
      ipSalt,
      allowlist: createAllowlist(request.allowedIps, ipSalt),
      revoked: false,
      revokedAt: null,
      revokeReason: null,
      expiresAt: request.expiresAt,
      createdAt: request.now,
      lastUsedAt: null,
      rotatedAt: null,
      requestCount: 0,
      usageSequence: 0,
      expiryWarned: false,
      expiryNotices: 0,
    },
  };
}
