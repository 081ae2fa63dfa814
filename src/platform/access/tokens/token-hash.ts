import { createHash } from 'node:crypto';

/**
 * SHA-256 of a whole token as lower-case hex: the only form in which a token is stored or looked up. Lookup by hash makes the
 * comparison independent of the length of a matching prefix. A fast hash is sufficient for a 256-bit random secret.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
