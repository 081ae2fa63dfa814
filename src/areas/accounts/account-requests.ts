import { endedCookies, sessionCookies } from '../../platform/access/sessions/session-cookies.ts';
import { parseUserAgent } from '../../platform/http/pipeline/user-agent.ts';
import { json, noContent } from '../../platform/http/replies/reply.ts';
import type { RequestContext } from './account-rules.ts';
import { deviceLabel } from './device.domain.ts';
import type { SignedIn } from './session.service.ts';

/** What the handlers of accounts read from a request. */
interface AccountRequest {
  request: Request;
  baseUrl: string;
  now: number;
  waitUntil(promise: Promise<unknown>): void;
}

export function contextOf({ baseUrl, now, waitUntil }: AccountRequest): RequestContext {
  return { baseUrl, now, later: waitUntil };
}

/** Browser and system of a request, coarsely. */
export function deviceOf(request: Request): string | null {
  return deviceLabel(parseUserAgent(request.headers.get('User-Agent'), ''));
}

/** Cookies may do without TLS only on a developer's machine. */
export function isSecure({ request }: Pick<AccountRequest, 'request'>, isForTesting: boolean): boolean {
  return !(isForTesting && request.url.startsWith('http:'));
}

/** The answer to a sign-in: the credential in the body, the refresh token in a cookie that no script can read. */
export function signedInReply(session: SignedIn, secure: boolean) {
  const body = { access_token: session.credential, token_type: 'bearer' as const, expires_in: session.credentialSeconds };
  return json(body, { cookies: sessionCookies(session, secure) });
}

export function signedOutReply(secure: boolean) {
  return noContent({ cookies: endedCookies(secure) });
}
