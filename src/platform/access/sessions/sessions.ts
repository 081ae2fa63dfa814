import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { SessionsRepository } from './sessions.repository.ts';
import type { SignedClaims } from './signed-claims.ts';

/** Lifetime of a session credential. The refresh token renews it. */
export const CREDENTIAL_SECONDS = 900;

/** A client with a portal session. */
export interface SessionCaller {
  kind: 'session';
  userId: string;
  sessionId: string;
  isVerified: boolean;
  isSuperuser: boolean;
  hasSecondFactor: boolean;
  /** Display name of the account, otherwise its email address. */
  name: string;
}

/** Issues and checks the credentials of the portal's sessions. */
export interface Sessions {
  /** Creates a credential for a stored session. Throws 503 while sign-in is not configured. */
  issue(session: { id: string; userId: string; tokenVersion: number }, now: UnixSeconds): Promise<string>;
  /** The claims of a credential; null when it is forged, expired or of another kind. Reads no storage. */
  read(credential: string, now: UnixSeconds): Promise<SessionClaims | null>;
  /** The session and its account; null when either has ended. */
  find(claims: SessionClaims, now: UnixSeconds): Promise<SessionCaller | null>;
}

/** Claims with a valid signature. The session itself may have ended. */
export interface SessionClaims {
  userId: string;
  sessionId: string;
  tokenVersion: unknown;
}

export function createSessions(claims: SignedClaims, stored: SessionsRepository): Sessions {
  return {
    issue({ id, userId, tokenVersion }, now) {
      return claims.sign('access', { sub: userId, ver: tokenVersion, sid: id }, CREDENTIAL_SECONDS, now);
    },

    async read(credential, now) {
      const payload = await claims.read('access', credential, now);
      if (typeof payload?.sub !== 'string' || typeof payload.sid !== 'string') return null;
      return { userId: payload.sub, sessionId: payload.sid, tokenVersion: payload.ver };
    },

    async find({ userId, sessionId, tokenVersion }, now) {
      const found = await stored.find(sessionId, userId);
      if (!found?.isActive || found.tokenVersion !== tokenVersion || found.expiresAt <= now) return null;
      const { isVerified, isSuperuser, hasSecondFactor, email, displayName } = found;
      return { kind: 'session', userId, sessionId, isVerified, isSuperuser, hasSecondFactor, name: displayName ?? email };
    },
  };
}
