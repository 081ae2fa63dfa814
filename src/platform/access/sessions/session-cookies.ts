import { parse, serialize } from 'hono/utils/cookie';

/** The cookie that pages of the portal read: a session credential, for navigation alone. */
const PAGE_COOKIE = 'portal_session';
/** The cookie that makes the next credential. */
const REFRESH_COOKIE = 'portal_refresh';
const PAGE_PATH = '/portal';
const REFRESH_PATH = '/auth';

/** Value of one cookie of a request; null when it has none. */
function cookieOf(request: Request, name: string): string | null {
  const header = request.headers.get('Cookie');
  return header === null ? null : (parse(header, name)[name] ?? null);
}

export const pageCredentialOf = (request: Request): string | null => cookieOf(request, PAGE_COOKIE);
export const refreshTokenOf = (request: Request): string | null => cookieOf(request, REFRESH_COOKIE);

/** `Set-Cookie` values of a session: no script can read them, and no other site can make them be sent. */
export function sessionCookies(
  session: { credential: string; credentialSeconds: number; refreshToken: string; refreshSeconds: number },
  isSecure: boolean,
): string[] {
  return [
    serialize(REFRESH_COOKIE, session.refreshToken, cookieOptions(REFRESH_PATH, session.refreshSeconds, isSecure)),
    serialize(PAGE_COOKIE, session.credential, cookieOptions(PAGE_PATH, session.credentialSeconds, isSecure)),
  ];
}

/** `Set-Cookie` values that end both. */
export function endedCookies(isSecure: boolean): string[] {
  return [
    serialize(REFRESH_COOKIE, '', cookieOptions(REFRESH_PATH, 0, isSecure)),
    serialize(PAGE_COOKIE, '', cookieOptions(PAGE_PATH, 0, isSecure)),
  ];
}

function cookieOptions(path: string, maxAge: number, secure: boolean) {
  return { path, maxAge, secure, httpOnly: true, sameSite: 'Strict' as const };
}
