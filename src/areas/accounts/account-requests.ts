import { endedCookies, sessionCookies } from '../../platform/access/sessions/session-cookies.ts';
import { parseUserAgent } from '../../platform/http/pipeline/user-agent.ts';
import { json, noContent } from '../../platform/http/replies/reply.ts';
import type { RequestContext } from './account-rules.ts';
import { deviceLabel } from './device.domain.ts';
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

/** Cookies omit `Secure` only on localhost. */
export function isSecure({ request }: Pick<AccountRequest, 'request'>, isNonProduction: boolean): boolean {
  return !(isNonProduction && request.url.startsWith('http:'));
}

/** Sign-in response: access token in the body, refresh token in an `HttpOnly` cookie. */
export function signedInReply(session: SignedIn, secure: boolean) {
  const body = { access_token: session.credential, token_type: 'bearer' as const, expires_in: session.credentialSeconds };
  return json(body, { cookies: sessionCookies(session, secure) });
}

export function signedOutReply(secure: boolean) {
  return noContent({ cookies: endedCookies(secure) });
}
