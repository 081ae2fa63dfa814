import { CREDENTIAL_SECONDS, type Sessions } from '../../platform/access/sessions/sessions.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { log } from '../../platform/logging.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { REFRESH_SECONDS } from './accounts.data.ts';
import type { Account, AccountsRepository, Rider } from './accounts.repository.ts';
import { rememberDevice } from './device.domain.ts';
import type { RefreshRepository, Session } from './refresh.repository.ts';
import { hashesOf, judgeRefresh, newRefreshToken, nextRefreshToken } from './refresh-token.ts';

/** What a sign-in gives: the credential of requests, and the token that makes the next one. */
export interface SignedIn {
  credential: string;
  credentialSeconds: number;
  refreshToken: string;
  refreshSeconds: number;
}

export interface SessionServiceDeps {
  sessions: Sessions;
  stored: RefreshRepository;
  accounts: Pick<AccountsRepository, 'byId'>;
  /** Key that refresh tokens are derived with; undefined while signing in is not configured. */
  refreshKey: string | undefined;
  drawId(): string;
}

export interface SessionService {
  /** Starts a session of an account. `aboutDevice`: a statement to store when the device is a new one. */
  start(account: Account, device: string | null, now: UnixSeconds, aboutDevice?: () => Rider): Promise<SignedIn>;
  /** The next credential. Throws 401 for a token that is unknown, expired or used: the latter also ends the session. */
  refresh(token: string, now: UnixSeconds): Promise<SignedIn>;
  /** Ends the session of a token, if it is one. */
  endByToken(token: string): Promise<void>;
}

const refused = () =>
  new ApiError('not_authenticated', 'the session has ended; sign in again', { headers: { 'WWW-Authenticate': 'Bearer' } });

export function createSessionService({ sessions, stored, accounts, refreshKey = '', drawId }: SessionServiceDeps): SessionService {
  async function signedIn(session: { id: string; userId: string; tokenVersion: number }, refreshToken: string, now: UnixSeconds) {
    const credential = await sessions.issue(session, now);
    return { credential, credentialSeconds: CREDENTIAL_SECONDS, refreshToken, refreshSeconds: REFRESH_SECONDS };
  }

  /** Ends a session of which an old token was used: one of two holders of it is a thief, and nobody can tell which. */
  async function endStolen({ id, userId }: Session): Promise<never> {
    await stored.end(id, userId);
    log({ level: 'warning', message: 'a used refresh token came again: session ended', session_id: id, user_id: userId });
    throw refused();
  }

  /** The token that follows, once it is in force; asked again when another request was quicker. */
  async function rotated(token: string, session: Session, refreshHash: string, now: UnixSeconds): Promise<string> {
    const verdict = judgeRefresh(session, refreshHash, now);
    if (verdict === 'expired') throw refused();
    if (verdict === 'stolen') return endStolen(session);
    const next = nextRefreshToken(token, refreshKey);
    if (verdict === 'repeat') return next;
    if (await stored.rotate(session, hashesOf(next)?.refreshHash ?? '', now, now + REFRESH_SECONDS)) return next;
    const again = await stored.bySelector(session.selectorHash);
    if (!again || judgeRefresh(again, refreshHash, now) !== 'repeat') throw refused();
    return next;
  }

  return {
    async start(account, device, now, aboutDevice) {
      const { known, isNew } = rememberDevice(account.knownDevices, device);
      const refreshToken = newRefreshToken();
      const hashes = hashesOf(refreshToken);
      if (!hashes) throw new Error('a new refresh token is malformed');
      const session = { id: drawId(), userId: account.id, tokenVersion: account.tokenVersion };
      // First, as nothing may be stored while it cannot be done.
      const result = await signedIn(session, refreshToken, now);
      const times = { createdAt: now, refreshedAt: now, lastUsedAt: now, expiresAt: now + REFRESH_SECONDS };
      const row = { id: session.id, userId: account.id, ...hashes, device, ...times };
      await stored.start(row, known, ...(isNew && aboutDevice ? [aboutDevice()] : []));
      return result;
    },

    async refresh(token, now) {
      const hashes = hashesOf(token);
      const session = hashes && (await stored.bySelector(hashes.selectorHash));
      if (!session) throw refused();
      const account = await accounts.byId(session.userId);
      if (!account?.isActive) throw refused();
      const next = await rotated(token, session, hashes.refreshHash, now);
      return signedIn({ id: session.id, userId: account.id, tokenVersion: account.tokenVersion }, next, now);
    },

    async endByToken(token) {
      const hashes = hashesOf(token);
      const session = hashes && (await stored.bySelector(hashes.selectorHash));
      if (session) await stored.end(session.id, session.userId);
    },
  };
}
