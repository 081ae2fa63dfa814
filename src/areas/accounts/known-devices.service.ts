import { DEVICE_TTL_SECONDS } from '../../platform/access/sessions/session-cookies.ts';
import type { SignedClaims } from '../../platform/access/sessions/sessions.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';

interface KnownDevice {
  id: string;
  userId: string;
  /** Of the account when it was signed: a change that ends all sessions also ends its known devices. */
  tokenVersion: number;
}

/** Signed cookies of devices that have signed in to an account, or were confirmed with a mailed link. They grant no access. */
export type KnownDevices = ReturnType<typeof createKnownDevices>;

export function createKnownDevices(claims: SignedClaims) {
  return {
    /** Value of the cookie. Throws 503 while sign-in is not configured. */
    sign: ({ id, userId, tokenVersion }: KnownDevice, now: UnixSeconds): Promise<string> =>
      claims.sign('device', { sub: userId, jti: id, ver: tokenVersion }, DEVICE_TTL_SECONDS, now),

    /** The device of a cookie; null for an invalid one. */
    async read(cookie: string | null, now: UnixSeconds): Promise<KnownDevice | null> {
      const payload = cookie === null ? null : await claims.read('device', cookie, now);
      if (!payload?.sub || !payload.jti || typeof payload.ver !== 'number') return null;
      return { id: payload.jti, userId: payload.sub, tokenVersion: payload.ver };
    },
  };
}
