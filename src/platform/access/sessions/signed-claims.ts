import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { ApiError } from '../../kit/errors/api-error.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';

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
