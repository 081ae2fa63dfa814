import { and, eq, sql } from 'drizzle-orm';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { ApiError } from '../../kit/errors/api-error.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { sessions, users } from '../tokens.tables.ts';
import { secondFactors } from './second-factor.tables.ts';

const ALGORITHM = 'HS256';
/** Shorter secrets are open to brute force. */
const MIN_SECRET_LENGTH = 32;

/** Purpose of a signed token: a token signed for another purpose is invalid. */
export type ClaimsType = 'access' | 'verify' | 'reset' | 'change' | 'device-link' | 'device';

/** Signed tokens with claims (JWT, HS256). */
export interface SignedClaims {
  /** False without a usable secret: nothing can be signed, and every signature is invalid. */
  readonly isConfigured: boolean;
  /** Throws 503 without a secret. */
  sign(type: ClaimsType, claims: Readonly<Record<string, string | number>>, ttlSeconds: number, now: UnixSeconds): Promise<string>;
  /** The claims of a valid, unexpired token of this type; otherwise null. */
  read(type: ClaimsType, text: string, now: UnixSeconds): Promise<JWTPayload | null>;
}

export function createSignedClaims(secret: string | undefined): SignedClaims {
  if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return unconfigured;
  const key = new TextEncoder().encode(secret);
  return {
    isConfigured: true,

    sign(type, claims, ttlSeconds, now) {
      return new SignJWT({ ...claims, type })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuedAt(now)
        .setExpirationTime(now + ttlSeconds)
        .sign(key);
    },

    async read(type, text, now) {
      const options = { algorithms: [ALGORITHM], currentDate: new Date(now * 1000), requiredClaims: ['sub', 'iat', 'exp'] };
      const verified = await jwtVerify(text, key, options).catch(() => null);
      return verified?.payload.type === type ? verified.payload : null;
    },
  };
}

const unconfigured: SignedClaims = {
  isConfigured: false,
  async sign() {
    throw new ApiError('service_unavailable', 'sign-in is not configured', { headers: { 'Retry-After': '3600' } });
  },
  read: async () => null,
};

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
interface SessionClaims {
  userId: string;
  sessionId: string;
  tokenVersion: unknown;
}

export function createSessions(claims: SignedClaims, stored: SessionsStore): Sessions {
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

/** State of a stored session and its account. */
interface SessionState {
  expiresAt: UnixSeconds;
  tokenVersion: number;
  isActive: boolean;
  isVerified: boolean;
  isSuperuser: boolean;
  hasSecondFactor: boolean;
  email: string;
  displayName: string | null;
}

/** Sessions for access control. Not cached, because the end of a session applies at once. */
interface SessionsStore {
  /** Null when the session has ended or belongs to another account. */
  find(sessionId: string, userId: string): Promise<SessionState | null>;
}

export function createSessionsStore(db: Database): SessionsStore {
  return {
    async find(sessionId, userId) {
      const rows = await db
        .select({
          expiresAt: sessions.expiresAt,
          tokenVersion: users.tokenVersion,
          isActive: users.isActive,
          isVerified: users.isVerified,
          isSuperuser: users.isSuperuser,
          email: users.email,
          displayName: users.displayName,
          hasSecondFactor: sql<number>`${secondFactors.confirmedAt} is not null`.mapWith(Boolean),
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .leftJoin(secondFactors, eq(secondFactors.userId, sessions.userId))
        .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
        .limit(1);
      return rows[0] ?? null;
    },
  };
}
