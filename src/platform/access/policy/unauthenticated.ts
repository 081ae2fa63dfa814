import { ApiError } from '../../errors/api-error.ts';
import { isWellFormedToken, tokenFault } from '../tokens/token-format.ts';
import { type Credential, schemeOf } from './credentials.ts';

const REPLACE = 'copy the complete token, or create another one in the developer portal';

/** Message and hint of each cause of a 401. */
const CAUSES = {
  missing: ['an API token is required', undefined],
  in_url: [
    'API tokens are not read from the URL',
    'send the token as Authorization: Bearer <API token>, and rotate it: URLs are stored in logs and histories',
  ],
  no_scheme: [
    'the Authorization header has a token without the scheme Bearer',
    'write Bearer and a space before the token: Authorization: Bearer <API token>',
  ],
  empty: ['Authorization header has no token after Bearer', undefined],
  malformed: ['the credential is not an API token', REPLACE],
  checksum: ['the API token has a wrong checksum: characters are missing or mistyped', REPLACE],
  session: [
    'a session of the developer portal is not an API token',
    'create a token in the developer portal and send it as Authorization: Bearer <API token>',
  ],
  not_signed_in: ['sign in to the developer portal first', undefined],
  session_ended: ['the session has ended', 'sign in to the developer portal again'],
  unknown: ['the API token is unknown or was revoked', 'create another token in the developer portal'],
  expired: ['the API token has expired', 'rotate the token in the developer portal, or create another one'],
} as const;

export type UnauthenticatedCause = keyof typeof CAUSES;

/** 401 with its cause. */
export function notAuthenticated(cause: UnauthenticatedCause): ApiError {
  const [message, hint] = CAUSES[cause];
  return unauthenticated(message, hint);
}

/** 401 for a token endpoint without a Bearer credential. */
export function missingToken(authorization: string | null, query: URLSearchParams, tokenPrefix: string): ApiError {
  if (authorization !== null && isWellFormedToken(authorization.trim(), tokenPrefix)) return notAuthenticated('no_scheme');
  const scheme = schemeOf(authorization);
  if (scheme !== null) {
    const message = `the scheme of the Authorization header must be Bearer, not ${scheme}`;
    return scheme.toLowerCase() === 'bearer' ? notAuthenticated('empty') : unauthenticated(message);
  }
  for (const value of query.values()) if (isWellFormedToken(value, tokenPrefix)) return notAuthenticated('in_url');
  return notAuthenticated('missing');
}

/** 401 for a credential that is not a well-formed token. */
export function malformedToken({ kind, value }: Exclude<Credential, { kind: 'none' }>, tokenPrefix: string): ApiError {
  return notAuthenticated(kind === 'session' ? 'session' : tokenFault(value, tokenPrefix));
}

function unauthenticated(message: string, hint?: string): ApiError {
  return new ApiError('not_authenticated', message, { ...(hint === undefined ? {} : { hint }), headers: { 'WWW-Authenticate': 'Bearer' } });
}
