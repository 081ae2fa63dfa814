import { CREDENTIAL_SECONDS, type Sessions } from '../../platform/access/sessions/sessions.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { log } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { wrongPasswordError } from './account-rules.ts';
import { REFRESH_TTL_SECONDS } from './accounts.data.ts';
import type { Account, AccountsRepository, ExtraStatement } from './accounts.repository.ts';
import { rememberDevice } from './device.domain.ts';
import type { RefreshRepository, Session } from './refresh.repository.ts';
import { hashesOf, newRefreshToken, nextRefreshToken, refreshVerdict } from './refresh-token.ts';

/** Tokens returned by a sign-in: the access token and the refresh token. */
export interface SignedIn {
  credential: string;
  credentialSeconds: number;
  refreshToken: string;
  refreshSeconds: number;
}

export interface SessionServiceDeps {
  sessions: Sessions;
  refreshTokens: RefreshRepository;
  accounts: Pick<AccountsRepository, 'byId'>;
  /** Key that derives refresh tokens; undefined when sign-in is not configured. */
  refreshKey: string | undefined;
  newId(): string;
}

export interface SessionService {
  /**
   * Starts a session. `aboutDevice`: statement that runs when the device is new. Throws 401 when the token version of the account has changed
   * since the account was read: a sign-in does not outlive a new password.
   */
  start(account: Account, device: string | null, now: UnixSeconds, aboutDevice?: () => ExtraStatement): Promise<SignedIn>;
  /** Returns the next tokens. Throws 401 for an unknown, expired or used token; a used one also ends the session. */
  refresh(token: string, now: UnixSeconds): Promise<SignedIn>;
  /** Ends the session of a token, if valid. */
  endByToken(token: string): Promise<void>;
}

const sessionEndedError = () =>
  new ApiError('not_authenticated', 'the session has ended; sign in again', { headers: { 'WWW-Authenticate': 'Bearer' } });

export function createSessionService({ sessions, refreshTokens, accounts, refreshKey = '', newId }: SessionServiceDeps): SessionService {
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
    const verdict = refreshVerdict(session, refreshHash, now);
    if (verdict === 'expired') throw sessionEndedError();
    if (verdict === 'stolen') return endStolen(session);
    const next = nextRefreshToken(token, refreshKey);
    if (verdict === 'repeat') return next;
    if (await refreshTokens.rotate(session, hashesOf(next)?.refreshHash ?? '', now, now + REFRESH_TTL_SECONDS)) return next;
    const latest = await refreshTokens.bySelector(session.selectorHash);
    if (!latest || refreshVerdict(latest, refreshHash, now) !== 'repeat') throw sessionEndedError();
    return next;
  }

  return {
    async start(account, device, now, aboutDevice) {
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

    async refresh(token, now) {
      const hashes = hashesOf(token);
      const session = hashes && (await refreshTokens.bySelector(hashes.selectorHash));
      if (!session) throw sessionEndedError();
      const account = await accounts.byId(session.userId);
      if (!account?.isActive || account.tokenVersion !== session.tokenVersion) throw sessionEndedError();
      const next = await rotateToken(token, session, hashes.refreshHash, now);
      return issueTokens(session, next, now);
    },

    async endByToken(token) {
      const hashes = hashesOf(token);
      const session = hashes && (await refreshTokens.bySelector(hashes.selectorHash));
      if (session) await refreshTokens.end(session.id, session.userId);
    },
  };
}
