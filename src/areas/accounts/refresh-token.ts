import { Buffer } from 'node:buffer';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { REFRESH_GRACE_SECONDS } from './accounts.data.ts';

/**
 * A refresh token is 48 bytes in base64url: a 16-byte selector, the same for all tokens of the session, and a 32-byte secret, which changes
 * with each use. The selector identifies the session, so the reuse of any earlier token is detected.
 */
const SELECTOR_BYTES = 16;
const SECRET_BYTES = 32;
const TOKEN_FORMAT = /^[\w-]{64}$/;

const sha256 = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex');

export function newRefreshToken(): string {
  return randomBytes(SELECTOR_BYTES + SECRET_BYTES).toString('base64url');
}

/** Hashes for storing and finding a token; null for a malformed token. */
export function hashesOf(token: string): { selectorHash: string; refreshHash: string } | null {
  if (!TOKEN_FORMAT.test(token)) return null;
  return { selectorHash: sha256(Buffer.from(token, 'base64url').subarray(0, SELECTOR_BYTES)), refreshHash: sha256(token) };
}

/**
 * The next token. Derived, not random: two tabs that use the same token concurrently get the same next token, and so does a client that
 * lost the response. Predicting it requires the key.
 */
export function nextRefreshToken(token: string, key: string): string {
  const secret = createHmac('sha256', key).update(`refresh\n${token}`).digest();
  return Buffer.concat([Buffer.from(token, 'base64url').subarray(0, SELECTOR_BYTES), secret]).toString('base64url');
}

/** Token hashes of a session. */
export interface RefreshState {
  refreshHash: string;
  previousHash: string | null;
  refreshedAt: UnixSeconds;
  expiresAt: UnixSeconds;
}

/** `repeat`: the previous token within its grace period. `stolen`: an older token, so there is a copy. */
export type RefreshVerdict = 'current' | 'repeat' | 'stolen' | 'expired';

export function refreshVerdict(state: RefreshState, refreshHash: string, now: UnixSeconds): RefreshVerdict {
  if (state.expiresAt <= now) return 'expired';
  if (isSame(state.refreshHash, refreshHash)) return 'current';
  const isPrevious = state.previousHash !== null && isSame(state.previousHash, refreshHash);
  return isPrevious && now <= state.refreshedAt + REFRESH_GRACE_SECONDS ? 'repeat' : 'stolen';
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
