import { Buffer } from 'node:buffer';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { CREDENTIAL_SECONDS, type Sessions } from '../../platform/access/sessions/sessions.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { log } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { REFRESH_GRACE_SECONDS, REFRESH_TTL_SECONDS } from './accounts.data.ts';
import { rememberDevice, wrongPasswordError } from './accounts.domain.ts';
import type { Account, AccountsStore, ExtraStatement } from './accounts.store.ts';
import type { RefreshStore, Session } from './refresh.store.ts';

/** Tokens returned by a sign-in: the access token and the refresh token. */
export interface SignedIn {
  credential: string;
  credentialSeconds: number;
  refreshToken: string;
  refreshSeconds: number;
}

interface SessionServiceDeps {
  sessions: Sessions;
  refreshTokens: RefreshStore;
  accounts: Pick<AccountsStore, 'byId'>;
  /** Key that derives refresh tokens; undefined when sign-in is not configured. */
  refreshKey: string | undefined;
  newId(): string;
}

export type SessionService = ReturnType<typeof createSessionService>;

const sessionEndedError = () =>
  new ApiError('not_authenticated', 'the session has ended; sign in again', { headers: { 'WWW-Authenticate': 'Bearer' } });

export function createSessionService({ sessions, refreshTokens, accounts, refreshKey = '', newId }: SessionServiceDeps) {
  async function issueTokens(session: { id: string; userId: string; tokenVersion: number }, refreshToken: string, now: UnixSeconds) {
    const credential = await sessions.issue(session, now);
    return { credential, credentialSeconds: CREDENTIAL_SECONDS, refreshToken, refreshSeconds: REFRESH_TTL_SECONDS };
  }

  /** Ends a session whose old token was reused, because one of the two clients has a stolen copy. */
  async function endStolen({ id, userId }: Session): Promise<never> {
    await refreshTokens.end(id, userId);
    log({ level: 'warning', message: 'refresh token reused: session ended', session_id: id, user_id: userId });
    throw sessionEndedError();
  }

  /** Rotates the token. Accepts a concurrent rotation to the same next token. */
  async function rotateToken(token: string, session: Session, refreshHash: string, now: UnixSeconds): Promise<string> {
    const status = refreshStatus(session, refreshHash, now);
    if (status === 'expired') throw sessionEndedError();
    if (status === 'stolen') return endStolen(session);
    const next = nextRefreshToken(token, refreshKey);
    if (status === 'repeat') return next;
    if (await refreshTokens.rotate(session, hashesOf(next)?.refreshHash ?? '', now, now + REFRESH_TTL_SECONDS)) return next;
    const latest = await refreshTokens.bySelector(session.selectorHash);
    if (!latest || refreshStatus(latest, refreshHash, now) !== 'repeat') throw sessionEndedError();
    return next;
  }

  return {
    /**
     * Starts a session. `aboutDevice`: statement that runs when the device is new. Throws 401 when the token version of the account has changed
     * since the account was read: a sign-in does not outlive a new password.
     */
    async start(account: Account, device: string | null, now: UnixSeconds, aboutDevice?: () => ExtraStatement): Promise<SignedIn> {
      const { known, isNew } = rememberDevice(account.knownDevices, device);
      const refreshToken = newRefreshToken();
      const hashes = hashesOf(refreshToken);
      if (!hashes) throw new Error('derived refresh token is malformed');
      const session = { id: newId(), userId: account.id, tokenVersion: account.tokenVersion };
      // First, because it throws when sign-in is not configured, and nothing must be stored then.
      const result = await issueTokens(session, refreshToken, now);
      const times = { createdAt: now, refreshedAt: now, lastUsedAt: now, expiresAt: now + REFRESH_TTL_SECONDS };
      const row = { ...session, ...hashes, device, ...times };
      if (!(await refreshTokens.start(row, known, ...(isNew && aboutDevice ? [aboutDevice()] : [])))) throw wrongPasswordError();
      return result;
    },

    /** Returns the next tokens. Throws 401 for an unknown, expired or used token; a used one also ends the session. */
    async refresh(token: string, now: UnixSeconds): Promise<SignedIn> {
      const hashes = hashesOf(token);
      const session = hashes && (await refreshTokens.bySelector(hashes.selectorHash));
      if (!session) throw sessionEndedError();
      const account = await accounts.byId(session.userId);
      if (!account?.isActive || account.tokenVersion !== session.tokenVersion) throw sessionEndedError();
      const next = await rotateToken(token, session, hashes.refreshHash, now);
      return issueTokens(session, next, now);
    },

    /** Ends the session of a token, if valid. */
    async endByToken(token: string): Promise<void> {
      const hashes = hashesOf(token);
      const session = hashes && (await refreshTokens.bySelector(hashes.selectorHash));
      if (session) await refreshTokens.end(session.id, session.userId);
    },
  };
}

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
interface RefreshState {
  refreshHash: string;
  previousHash: string | null;
  refreshedAt: UnixSeconds;
  expiresAt: UnixSeconds;
}

/** `repeat`: the previous token within its grace period. `stolen`: an older token, so there is a copy. */
type RefreshStatus = 'current' | 'repeat' | 'stolen' | 'expired';

export function refreshStatus(state: RefreshState, refreshHash: string, now: UnixSeconds): RefreshStatus {
  if (state.expiresAt <= now) return 'expired';
  if (isSame(state.refreshHash, refreshHash)) return 'current';
  const isPrevious = state.previousHash !== null && isSame(state.previousHash, refreshHash);
  return isPrevious && now <= state.refreshedAt + REFRESH_GRACE_SECONDS ? 'repeat' : 'stolen';
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
