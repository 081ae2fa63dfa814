import { ApiError } from '../../kit/errors/api-error.ts';
import { BoundedMap } from '../../storage/memory-caches.ts';
import {
  hashToken,
  hasValidCheck,
  isWellFormedToken,
  type TokenFormat,
  tokenFault,
  tokenIdOf,
  tokensNotConfigured,
} from '../tokens/token-format.ts';
import { type Access, isTokenOptional } from './policy.ts';

const RECENT_TOKENS = 5000;

/** Where a request may carry a credential. */
interface CredentialContext {
  authorization: string | null;
  /** Whether the request has the header `X-Api-Key`, which other services read. */
  hasApiKeyHeader(): boolean;
  query: URLSearchParams;
  services: { readToken: TokenReader; projectKeys: { read: TokenReader }; tokenPrefix: string };
}

/** Credential of an `Authorization` header, classified by syntax alone. */
export type Credential = { kind: 'none' } | { kind: 'session'; value: string } | { kind: 'token'; value: string };

const NO_CREDENTIAL: Credential = { kind: 'none' };

/** Matches the scheme only: a pattern for the whole header would take quadratic time on a header of many spaces. */
const SCHEME = /^bearer\s+/i;

/** A scheme of at most 20 characters, for error messages: registered schemes are shorter. */
const NAMED_SCHEME = /^[a-z0-9-]{1,20}(?=\s|$)/i;

/** The scheme of an `Authorization` header as sent; null without one. */
export function schemeOf(header: string | null): string | null {
  return NAMED_SCHEME.exec(header?.trim() ?? '')?.[0] ?? null;
}

/**
 * Reads an `Authorization` header: `none` when the header is missing, empty, or has a scheme other than Bearer. A session
 * credential has exactly two dots, a token has none.
 */
export function readCredential(header: string | null): Credential {
  const text = header?.trim() ?? '';
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return NO_CREDENTIAL;
  const value = text.slice(scheme.length);
  return { kind: value.split('.').length === 3 ? 'session' : 'token', value };
}

/**
 * True if a public endpoint serves the request as anonymous although its `Authorization` header has a value: a token without `Bearer`, or
 * another scheme. `Bearer` without a token is not a value.
 */
export function ignoresToken(access: Access, header: string | null): boolean {
  if (header === null || !isTokenOptional(access)) return false;
  return !/^(?:bearer)?\s*$/i.test(header.trim()) && readCredential(header).kind === 'none';
}

/** A token as a client sent it. */
export interface PresentedToken {
  id: string;
  /** SHA-256 of the whole token, hex. */
  hash: string;
}

/**
 * Reads tokens without storage: `malformed` has a wrong format or checksum, `forged` was not created with a key of this deployment.
 * Throws 503 while the deployment has no key.
 */
export type TokenReader = (text: string) => PresentedToken | 'malformed' | 'forged';

export function createTokenReader(format: TokenFormat): TokenReader {
  const { prefix, key, verifiesCheck } = format;
  /** Genuine tokens of recent requests: saves a checksum, an HMAC and a hash per request. */
  const recent = new BoundedMap<string, PresentedToken>(RECENT_TOKENS);
  return (text) => {
    const known = recent.get(text);
    if (known) return known;
    if (!isWellFormedToken(text, prefix)) return 'malformed';
    if (key === null && verifiesCheck) throw tokensNotConfigured();
    const id = tokenIdOf(text, prefix);
    if (id === null || !hasValidCheck(text, format)) return 'forged';
    const token = { id, hash: hashToken(text) };
    recent.set(text, token);
    return token;
  };
}

/** The token, or the project key, of a request; null without one. Throws 401 for a malformed or forged one, and for one of the other kind. */
export function tokenOf({ authorization, services }: CredentialContext, kind: 'token' | 'project key' = 'token'): PresentedToken | null {
  const readers = { token: services.readToken, 'project key': services.projectKeys.read };
  const credential = readCredential(authorization);
  if (credential.kind === 'none') return null;
  const token = credential.kind === 'session' ? 'malformed' : readers[kind](credential.value);
  if (token === 'malformed') throw malformedToken(credential, services.tokenPrefix);
  if (token === 'forged') {
    const other = kind === 'token' ? 'project key' : 'token';
    throw notAuthenticated(typeof readers[other](credential.value) === 'string' ? 'unknown' : `is ${other}`);
  }
  return token;
}

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
  api_key: ['API tokens are not read from X-Api-Key', undefined],
  empty: ['Authorization header has no token after Bearer', undefined],
  malformed: ['the credential is not an API token', REPLACE],
  checksum: ['the API token has a wrong checksum: characters are missing or mistyped', REPLACE],
  session: [
    'a session of the developer portal is not an API token',
    'create a token in the developer portal and send it as Authorization: Bearer <API token>',
  ],
  'is project key': [
    'this endpoint takes an API token, not the key of a mod project',
    'create a token in the developer portal and send it as Authorization: Bearer <API token>',
  ],
  'is token': [
    'this endpoint takes the key of a mod project, not an API token',
    'create a key on the page of the project in the developer portal',
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
export function missingToken({ authorization, hasApiKeyHeader, query, services }: CredentialContext): ApiError {
  if (authorization !== null && isWellFormedToken(authorization.trim(), services.tokenPrefix)) return notAuthenticated('no_scheme');
  const scheme = schemeOf(authorization);
  if (scheme !== null) {
    const message = `the scheme of the Authorization header must be Bearer, not ${scheme}`;
    return scheme.toLowerCase() === 'bearer' ? notAuthenticated('empty') : unauthenticated(message);
  }
  for (const value of query.values()) if (isWellFormedToken(value, services.tokenPrefix)) return notAuthenticated('in_url');
  return notAuthenticated(hasApiKeyHeader() ? 'api_key' : 'missing');
}

/** 401 for a credential that is not a well-formed token. */
function malformedToken({ kind, value }: Exclude<Credential, { kind: 'none' }>, tokenPrefix: string): ApiError {
  return notAuthenticated(kind === 'session' ? 'session' : tokenFault(value, tokenPrefix));
}

function unauthenticated(message: string, hint?: string): ApiError {
  return new ApiError('not_authenticated', message, { ...(hint === undefined ? {} : { hint }), headers: { 'WWW-Authenticate': 'Bearer' } });
}
