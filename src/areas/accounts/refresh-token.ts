import { Buffer } from 'node:buffer';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { REFRESH_GRACE_SECONDS } from './accounts.data.ts';

/**
 * A refresh token is 48 bytes as base64url: 16 bytes shared by all tokens of the session and 32 that change with each use.
 * The first part identifies the session, so any earlier token is detected, however old.
 */
const SELECTOR_BYTES = 16;
const SECRET_BYTES = 32;
const FORM = /^[\w-]{64}$/;

const sha256 = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex');

export function newRefreshToken(): string {
  return randomBytes(SELECTOR_BYTES + SECRET_BYTES).toString('base64url');
}

/** Hashes that a token is stored and looked up by; null for malformed input. */
export function hashesOf(token: string): { selectorHash: string; refreshHash: string } | null {
  if (!FORM.test(token)) return null;
  return { selectorHash: sha256(Buffer.from(token, 'base64url').subarray(0, SELECTOR_BYTES)), refreshHash: sha256(token) };
}

/**
 * The next token. It is derived, not random: two tabs that use the same token at the same time get the same next one,
 * and so does a client that lost the response. Predicting it requires the key.
 */
export function nextRefreshToken(token: string, key: string): string {
  const secret = createHmac('sha256', key).update(`refresh\n${token}`).digest();
  return Buffer.concat([Buffer.from(token, 'base64url').subarray(0, SELECTOR_BYTES), secret]).toString('base64url');
}

/** Token hashes stored with a session. */
export interface RefreshState {
  refreshHash: string;
  previousHash: string | null;
  refreshedAt: UnixSeconds;
  expiresAt: UnixSeconds;
}

/** `repeat`: the previous token within its grace period. `stolen`: an older one, so a copy exists. */
export type RefreshVerdict = 'current' | 'repeat' | 'stolen' | 'expired';

export function judgeRefresh(state: RefreshState, refreshHash: string, now: UnixSeconds): RefreshVerdict {
  if (state.expiresAt <= now) return 'expired';
  if (isSame(state.refreshHash, refreshHash)) return 'current';
  const isPrevious = state.previousHash !== null && isSame(state.previousHash, refreshHash);
  return isPrevious && now <= state.refreshedAt + REFRESH_GRACE_SECONDS ? 'repeat' : 'stolen';
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
