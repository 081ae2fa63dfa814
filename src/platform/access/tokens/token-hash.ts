import { createHash } from 'node:crypto';

/**
 * SHA-256 of a token in lower-case hex: the only stored form of a token. Lookup by hash leaks no timing about the token. A fast
 * hash is sufficient for a 256-bit random secret.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
