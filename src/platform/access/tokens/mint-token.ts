import { randomBytes, randomUUID } from 'node:crypto';
import type { UnixSeconds } from '../../time/clock.ts';
import { createAllowlist } from '../policy/allowlist.ts';
import type { ApiTokenRow } from '../tokens.tables.ts';
import { createTokenSecret, displayPrefix, type RandomBytes } from './token-format.ts';
import { hashToken } from './token-hash.ts';

export interface TokenRowInput {
  userId: string;
  name: string;
  /** Scope mask; 0 is every scope. */
  scopes: number;
  allowedIps: readonly string[];
  expiresAt: UnixSeconds | null;
  now: UnixSeconds;
  tokenPrefix: string;
}

const SALT_BYTES = 16;

/** Creates a token: the secret, which is shown once, and the row to store. Throws `RangeError` for an invalid allowlist entry. */
export function createTokenRow(request: TokenRowInput, random: RandomBytes = randomBytes): { secret: string; row: ApiTokenRow } {
  const secret = createTokenSecret(request.tokenPrefix, random);
  const ipSalt = randomBytes(SALT_BYTES).toString('base64url');
  return {
    secret,
    row: {
      id: randomUUID(),
      userId: request.userId,
      name: request.name,
      prefix: displayPrefix(secret),
      hashedToken: hashToken(secret),
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
