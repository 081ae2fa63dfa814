import { addressKey } from '../../platform/access/policy/addresses.ts';
import { deviceCookie, deviceCookieOf, endedCookies, sessionCookies } from '../../platform/access/sessions/session-cookies.ts';
import { parseUserAgent } from '../../platform/http/pipeline/user-agent.ts';
import { json, noContent } from '../../platform/http/replies/reply.ts';
import { deviceLabel, type RequestContext, type SignInClient } from './accounts.domain.ts';
import type { SignedIn } from './session.service.ts';

/** Request data that the account handlers share. */
interface AccountRequest {
  request: Request;
  baseUrl: string;
  now: number;
  waitUntil(promise: Promise<unknown>): void;
}

export function contextOf({ baseUrl, now, waitUntil }: AccountRequest): RequestContext {
  return { baseUrl, now, waitUntil: waitUntil };
}

/** Browser and operating system of a request, without versions. */
export function deviceOf(request: Request): string | null {
  return deviceLabel(parseUserAgent(request.headers.get('User-Agent'), ''));
}

/** The client of a sign-in: its device and its address. */
export function clientOf(request: Request): SignInClient {
  return { label: deviceOf(request), address: addressKey(request.headers.get('CF-Connecting-IP')), cookie: deviceCookieOf(request) };
}

/** Cookies omit `Secure` only on localhost. */
export function isSecure({ request }: Pick<AccountRequest, 'request'>, isNonProduction: boolean): boolean {
  return !(isNonProduction && request.url.startsWith('http:'));
}

/**
 * Sign-in response: access token in the body, refresh token in an `HttpOnly` cookie. `device`: value of the cookie that identifies the device.
 * `more`: further fields of the body.
 */
export function signedInReply<More extends object = object>(
  session: SignedIn,
  secure: boolean,
  { device, more }: { device?: string; more?: More } = {},
) {
  const body = { access_token: session.credential, token_type: 'bearer' as const, expires_in: session.credentialSeconds };
  const cookies = [...sessionCookies(session, secure), ...(device === undefined ? [] : [deviceCookie(device, secure)])];
  return json({ ...body, ...(more as More) }, { cookies });
}

/** Response of a request that confirmed the device. */
export function confirmedReply(message: string, device: string, secure: boolean) {
  return json({ message }, { cookies: [deviceCookie(device, secure)] });
}

export function signedOutReply(secure: boolean) {
  return noContent({ cookies: endedCookies(secure) });
}
