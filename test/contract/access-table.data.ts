import type { SessionLevel, TokenRequirement, Way } from '../../src/platform/access/policy/policy.ts';
import type { ErrorCode } from '../../src/platform/kit/errors/api-error.ts';

/**
 * Kinds of credentials. A "session" is the credential of a browser that is signed in to the portal, of the named owner: three
 * segments separated by dots.
 */
export const CREDENTIALS = [
  'none',
  'other_scheme',
  'empty_bearer',
  'malformed',
  'bad_checksum',
  'unknown',
  'revoked',
  'expired',
  'owner_inactive',
  'owner_deleted',
  'no_scope_ip_ok',
  'no_scope_ip_wrong',
  'scope_ip_ok',
  'scope_ip_wrong',
  'every_scope_any_ip',
  'superuser_ip_ok',
  'superuser_ip_wrong',
  'superuser_without_scope',
  'session_invalid',
  'session_of_unverified_user',
  'session_of_ordinary_user',
  'session_of_superuser',
  'project_key',
  'project_key_ip_wrong',
  'project_key_ended',
] as const;
export type CredentialName = (typeof CREDENTIALS)[number];

/**
 * Groups of credentials with the same decision in the same line of code. The counts of other rate limits are read after one of each group,
 * another one at each kind of access.
 */
export const EQUIVALENT: readonly (readonly CredentialName[])[] = [
  ['none', 'other_scheme', 'empty_bearer'],
  ['malformed', 'bad_checksum', 'session_invalid'],
  ['revoked', 'unknown', 'expired', 'owner_inactive', 'owner_deleted'],
  ['scope_ip_wrong', 'no_scope_ip_wrong', 'superuser_ip_wrong'],
  ['scope_ip_ok', 'every_scope_any_ip'],
];

/** A decision of a way. `charged`: the charges of the way that it makes. */
interface Decision {
  status: 'success' | 401 | 403;
  code: ErrorCode | null;
  charged: 'all' | 'first' | 'none';
}

export const DECISIONS = {
  admitted: { status: 'success', code: null, charged: 'all' },
  unauthenticated: { status: 401, code: 'not_authenticated', charged: 'none' },
  address: { status: 403, code: 'ip_not_allowed', charged: 'none' },
  scope: { status: 403, code: 'insufficient_scope', charged: 'first' },
  forbidden: { status: 403, code: 'forbidden', charged: 'first' },
  forbiddenFree: { status: 403, code: 'forbidden', charged: 'none' },
  unverified: { status: 403, code: 'email_unverified', charged: 'first' },
  /** A project key counts before it is looked up. */
  keyAddress: { status: 403, code: 'ip_not_allowed', charged: 'first' },
} as const satisfies Record<string, Decision>;
/** `pass`: the request has no credential for the way. After the last way this is `unauthenticated`. */
export type DecisionName = keyof typeof DECISIONS | 'pass';

type ByCredential = Readonly<Record<CredentialName, DecisionName>>;
const all = <Name extends DecisionName>(decision: Name) =>
  Object.fromEntries(CREDENTIALS.map((name) => [name, decision])) as Record<CredentialName, Name>;

/** Credentials that every way with tokens refuses, also where a token is optional. Project keys are for the publishing endpoints only. */
const WITH_TOKENS = {
  none: 'pass',
  other_scheme: 'pass',
  empty_bearer: 'pass',
  malformed: 'unauthenticated',
  bad_checksum: 'unauthenticated',
  unknown: 'unauthenticated',
  revoked: 'unauthenticated',
  expired: 'unauthenticated',
  owner_inactive: 'unauthenticated',
  owner_deleted: 'unauthenticated',
  session_invalid: 'unauthenticated',
  session_of_unverified_user: 'unauthenticated',
  session_of_ordinary_user: 'unauthenticated',
  session_of_superuser: 'unauthenticated',
  project_key: 'unauthenticated',
  project_key_ip_wrong: 'unauthenticated',
  project_key_ended: 'unauthenticated',
} as const;

/** A valid token from an address of its allowlist, or none, whatever its scopes. */
const ANY_VALID_TOKEN = {
  ...WITH_TOKENS,
  no_scope_ip_ok: 'admitted',
  no_scope_ip_wrong: 'address',
  scope_ip_ok: 'admitted',
  scope_ip_wrong: 'address',
  every_scope_any_ip: 'admitted',
  superuser_ip_ok: 'admitted',
  superuser_ip_wrong: 'address',
  superuser_without_scope: 'admitted',
} as const;

export type WayName =
  | Exclude<Way['credential'], 'token' | 'session'>
  | `session ${SessionLevel}`
  | `token ${'scope' | 'scope, or none' | Extract<TokenRequirement, string>}`;

/** What each way decides for each credential. */
export const WAYS: Readonly<Record<WayName, ByCredential>> = {
  none: all('admitted'),
  // No request of these tests has a cookie.
  cookie: all('pass'),
  'token scope': { ...ANY_VALID_TOKEN, no_scope_ip_ok: 'scope', superuser_without_scope: 'scope' },
  // Without the scope the token and its allowlist are ignored.
  'token scope, or none': { ...ANY_VALID_TOKEN, no_scope_ip_ok: 'pass', no_scope_ip_wrong: 'pass', superuser_without_scope: 'pass' },
  'token nothing': ANY_VALID_TOKEN,
  'token superuser': { ...ANY_VALID_TOKEN, no_scope_ip_ok: 'forbidden', scope_ip_ok: 'forbidden', every_scope_any_ip: 'forbidden' },
  'token superuser with every scope': {
    ...ANY_VALID_TOKEN,
    no_scope_ip_ok: 'forbidden',
    scope_ip_ok: 'forbidden',
    every_scope_any_ip: 'forbidden',
    superuser_without_scope: 'forbidden',
  },
  'described token': ANY_VALID_TOKEN,
  // A token does not change the limit, so its scopes and allowlist are ignored.
  'ignored token': {
    ...WITH_TOKENS,
    no_scope_ip_ok: 'pass',
    no_scope_ip_wrong: 'pass',
    scope_ip_ok: 'pass',
    scope_ip_wrong: 'pass',
    every_scope_any_ip: 'pass',
    superuser_ip_ok: 'pass',
    superuser_ip_wrong: 'pass',
    superuser_without_scope: 'pass',
  },
  'session ordinary': {
    ...all('pass'),
    session_invalid: 'unauthenticated',
    session_of_unverified_user: 'admitted',
    session_of_ordinary_user: 'admitted',
    session_of_superuser: 'admitted',
  },
  'session verified': {
    ...all('pass'),
    session_invalid: 'unauthenticated',
    session_of_unverified_user: 'unverified',
    session_of_ordinary_user: 'admitted',
    session_of_superuser: 'admitted',
  },
  'session superuser': {
    ...all('pass'),
    session_invalid: 'unauthenticated',
    session_of_unverified_user: 'forbidden',
    session_of_ordinary_user: 'forbidden',
    session_of_superuser: 'admitted',
  },
  'superuser session': {
    ...all('pass'),
    session_invalid: 'unauthenticated',
    session_of_unverified_user: 'forbiddenFree',
    session_of_ordinary_user: 'forbiddenFree',
    session_of_superuser: 'admitted',
  },
  'project key': { ...all('pass'), project_key: 'admitted', project_key_ip_wrong: 'keyAddress', project_key_ended: 'forbidden' },
};
