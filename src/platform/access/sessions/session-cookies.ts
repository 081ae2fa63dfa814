import { parse, serialize } from 'hono/utils/cookie';
import { SECONDS_PER_DAY } from '../../kit/time/clock.ts';

/** Session credential for pages. Every page gets it, because some public pages show more to an account. */
const PAGE_COOKIE = 'portal_session';
/** Refresh token. */
const REFRESH_COOKIE = 'portal_refresh';
/** Proves that the device has signed in to the account. Survives sign-out. */
const DEVICE_COOKIE = 'portal_device';
/** Lifetime of the device cookie in seconds; each sign-in renews it. */
export const DEVICE_TTL_SECONDS = 365 * SECONDS_PER_DAY;
const PAGE_PATH = '/';
const REFRESH_PATH = '/auth';
/** Browsers accept a cookie with this prefix only over https: a network attacker cannot set one over http. */
const SECURE_PREFIX = '__Secure-';

const nameOf = (name: string, isSecure: boolean) => (isSecure ? SECURE_PREFIX + name : name);

/** Value of one cookie of a request; null without one. Over https, names without the prefix are ignored. */
function cookieOf(request: Request, plainName: string): string | null {
  const name = nameOf(plainName, request.url.startsWith('https:'));
  const header = request.headers.get('Cookie');
  return header === null ? null : (parse(header, name)[name] ?? null);
}

export const pageCredentialOf = (request: Request): string | null => cookieOf(request, PAGE_COOKIE);
export const deviceCookieOf = (request: Request): string | null => cookieOf(request, DEVICE_COOKIE);
export const refreshTokenOf = (request: Request): string | null => cookieOf(request, REFRESH_COOKIE);

/** `Set-Cookie` values of a session: unreadable for scripts, and never sent by other sites. */
export function sessionCookies(
  session: { credential: string; credentialSeconds: number; refreshToken: string; refreshSeconds: number },
  isSecure: boolean,
): string[] {
  return [
    setCookie(REFRESH_COOKIE, session.refreshToken, { path: REFRESH_PATH, maxAge: session.refreshSeconds, isSecure }),
    setCookie(PAGE_COOKIE, session.credential, { path: PAGE_PATH, maxAge: session.credentialSeconds, isSecure }),
  ];
}

/** `Set-Cookie` value of a device that has signed in. */
export function deviceCookie(value: string, isSecure: boolean): string {
  return setCookie(DEVICE_COOKIE, value, { path: REFRESH_PATH, maxAge: DEVICE_TTL_SECONDS, isSecure });
}

/** `Set-Cookie` values that delete the cookies of the session. */
export function endedCookies(isSecure: boolean): string[] {
  return [
    setCookie(REFRESH_COOKIE, '', { path: REFRESH_PATH, maxAge: 0, isSecure }),
    setCookie(PAGE_COOKIE, '', { path: PAGE_PATH, maxAge: 0, isSecure }),
  ];
}

function setCookie(name: string, value: string, { path, maxAge, isSecure }: { path: string; maxAge: number; isSecure: boolean }): string {
  return serialize(nameOf(name, isSecure), value, { path, maxAge, secure: isSecure, httpOnly: true, sameSite: 'Strict' });
}
