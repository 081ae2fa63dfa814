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
  'session_of_ordinary_user',
  'session_of_superuser',
  'project_key',
  'project_key_ip_wrong',
  'project_key_ended',
] as const;
export type CredentialName = (typeof CREDENTIALS)[number];

/**
 * Groups of credentials with the same decision in the same line of code. One endpoint per class is requested with all of a group,
 * the other endpoints with the first.
 */
export const EQUIVALENT: readonly (readonly CredentialName[])[] = [
  ['none', 'other_scheme', 'empty_bearer'],
  ['malformed', 'bad_checksum', 'session_invalid'],
  ['revoked', 'unknown', 'expired', 'owner_inactive', 'owner_deleted'],
  ['scope_ip_wrong', 'no_scope_ip_wrong', 'superuser_ip_wrong'],
  ['scope_ip_ok', 'every_scope_any_ip'],
];

/**
 * Endpoints of a class have the same decisions; the codexes differ from `public` and `token` only in their rate limits. `master`
 * endpoints accept captures, `admin` endpoints administer the service, `session` and `address` endpoints belong to the portal.
 */
export type EndpointClass =
  | 'public'
  | 'optional_token'
  | 'token'
  | 'any_token'
  | 'master'
  | 'admin'
  | 'feedback'
  | 'session'
  | 'address'
  | 'project'
  | 'open';

/** A decision. `charges`: the group of rate limits in which the request is counted. */
export interface Outcome {
  status: 'success' | 401 | 403;
  code: ErrorCode | null;
  charges: 'anonymous' | 'token' | 'feedback' | 'address' | 'session' | 'project-key' | null;
  /** Whether the insert also starts the cooldown of its endpoint. */
  startsCooldown?: boolean;
}

export const OUTCOMES = {
  /** Success, counted for the client's address. */
  anonymous: { status: 'success', code: null, charges: 'anonymous' },
  /** Success, counted for the token. */
  token: { status: 'success', code: null, charges: 'token' },
  /** Success, not counted. */
  free: { status: 'success', code: null, charges: null },
  /** Success, counted in the feedback limit of the address. */
  feedback: { status: 'success', code: null, charges: 'feedback' },
  /** Success, counted in the endpoint's own limit of the address. */
  address_rate_limit: { status: 'success', code: null, charges: 'address' },
  /** Success, counted for the account of the session. */
  session: { status: 'success', code: null, charges: 'session' },
  /** Success of an insert with a superuser's token. */
  insert: { status: 'success', code: null, charges: 'token', startsCooldown: true },
  unauthenticated: { status: 401, code: 'not_authenticated', charges: null },
  address: { status: 403, code: 'ip_not_allowed', charges: null },
  scope: { status: 403, code: 'insufficient_scope', charges: 'token' },
  forbidden: { status: 403, code: 'forbidden', charges: 'token' },
  /** Success, counted for the project key. */
  projectKey: { status: 'success', code: null, charges: 'project-key' },
  endedKey: { status: 403, code: 'forbidden', charges: 'project-key' },
  keyAddress: { status: 403, code: 'ip_not_allowed', charges: 'project-key' },
  forbiddenFree: { status: 403, code: 'forbidden', charges: null },
} as const satisfies Record<string, Outcome>;
export type OutcomeName = keyof typeof OUTCOMES;

/** Credentials that every endpoint that checks credentials refuses, including public ones. */
const BROKEN = {
  malformed: 'unauthenticated',
  bad_checksum: 'unauthenticated',
  unknown: 'unauthenticated',
  revoked: 'unauthenticated',
  expired: 'unauthenticated',
  owner_inactive: 'unauthenticated',
  owner_deleted: 'unauthenticated',
  session_invalid: 'unauthenticated',
  // Project keys are for the publishing endpoints only.
  project_key: 'unauthenticated',
  project_key_ip_wrong: 'unauthenticated',
  project_key_ended: 'unauthenticated',
} as const;

/** Decisions by endpoint class and kind of credential. */
export const ACCESS_TABLE: Readonly<Record<EndpointClass, Readonly<Record<CredentialName, OutcomeName>>>> = {
  public: {
    ...BROKEN,
    none: 'anonymous',
    other_scheme: 'anonymous',
    empty_bearer: 'anonymous',
    // Without the scope the token and its allowlist are ignored.
    no_scope_ip_ok: 'anonymous',
    no_scope_ip_wrong: 'anonymous',
    scope_ip_ok: 'token',
    scope_ip_wrong: 'address',
    every_scope_any_ip: 'token',
    superuser_ip_ok: 'token',
    superuser_ip_wrong: 'address',
    superuser_without_scope: 'anonymous',
    session_of_ordinary_user: 'unauthenticated',
    session_of_superuser: 'unauthenticated',
  },
  optional_token: {
    ...BROKEN,
    none: 'anonymous',
    other_scheme: 'anonymous',
    empty_bearer: 'anonymous',
    // The scopes decide only what the response contains.
    no_scope_ip_ok: 'token',
    no_scope_ip_wrong: 'address',
    scope_ip_ok: 'token',
    scope_ip_wrong: 'address',
    every_scope_any_ip: 'token',
    superuser_ip_ok: 'token',
    superuser_ip_wrong: 'address',
    superuser_without_scope: 'token',
    session_of_ordinary_user: 'unauthenticated',
    session_of_superuser: 'unauthenticated',
  },
  token: {
    ...BROKEN,
    none: 'unauthenticated',
    other_scheme: 'unauthenticated',
    empty_bearer: 'unauthenticated',
    no_scope_ip_ok: 'scope',
    no_scope_ip_wrong: 'address',
    scope_ip_ok: 'token',
    scope_ip_wrong: 'address',
    every_scope_any_ip: 'token',
    superuser_ip_ok: 'token',
    superuser_ip_wrong: 'address',
    superuser_without_scope: 'scope',
    session_of_ordinary_user: 'unauthenticated',
    session_of_superuser: 'unauthenticated',
  },
  any_token: {
    ...BROKEN,
    none: 'unauthenticated',
    other_scheme: 'unauthenticated',
    empty_bearer: 'unauthenticated',
    no_scope_ip_ok: 'free',
    no_scope_ip_wrong: 'address',
    scope_ip_ok: 'free',
    scope_ip_wrong: 'address',
    every_scope_any_ip: 'free',
    superuser_ip_ok: 'free',
    superuser_ip_wrong: 'address',
    superuser_without_scope: 'free',
    session_of_ordinary_user: 'unauthenticated',
    session_of_superuser: 'unauthenticated',
  },
  master: {
    ...BROKEN,
    none: 'unauthenticated',
    other_scheme: 'unauthenticated',
    empty_bearer: 'unauthenticated',
    // Scopes are not checked.
    no_scope_ip_ok: 'forbidden',
    no_scope_ip_wrong: 'address',
    scope_ip_ok: 'forbidden',
    scope_ip_wrong: 'address',
    every_scope_any_ip: 'forbidden',
    superuser_ip_ok: 'insert',
    superuser_ip_wrong: 'address',
    superuser_without_scope: 'insert',
    session_of_ordinary_user: 'forbiddenFree',
    session_of_superuser: 'free',
  },
  admin: {
    ...BROKEN,
    none: 'unauthenticated',
    other_scheme: 'unauthenticated',
    empty_bearer: 'unauthenticated',
    no_scope_ip_ok: 'forbidden',
    no_scope_ip_wrong: 'address',
    scope_ip_ok: 'forbidden',
    scope_ip_wrong: 'address',
    every_scope_any_ip: 'forbidden',
    superuser_ip_ok: 'token',
    superuser_ip_wrong: 'address',
    // Administration requires a token with every scope.
    superuser_without_scope: 'forbidden',
    session_of_ordinary_user: 'forbiddenFree',
    session_of_superuser: 'free',
  },
  feedback: {
    ...BROKEN,
    none: 'feedback',
    other_scheme: 'feedback',
    empty_bearer: 'feedback',
    // A token does not change the limit, so its scopes and allowlist are ignored.
    no_scope_ip_ok: 'feedback',
    no_scope_ip_wrong: 'feedback',
    scope_ip_ok: 'feedback',
    scope_ip_wrong: 'feedback',
    every_scope_any_ip: 'feedback',
    superuser_ip_ok: 'feedback',
    superuser_ip_wrong: 'feedback',
    superuser_without_scope: 'feedback',
    session_of_ordinary_user: 'unauthenticated',
    session_of_superuser: 'unauthenticated',
  },
  // Requires a session; API tokens are refused.
  session: {
    ...(Object.fromEntries(CREDENTIALS.map((name) => [name, 'unauthenticated'])) as Record<CredentialName, 'unauthenticated'>),
    session_of_ordinary_user: 'session',
    session_of_superuser: 'session',
  },
  // A project key or a session; API tokens are refused.
  project: {
    ...(Object.fromEntries(CREDENTIALS.map((name) => [name, 'unauthenticated'])) as Record<CredentialName, 'unauthenticated'>),
    session_of_ordinary_user: 'session',
    session_of_superuser: 'session',
    project_key: 'projectKey',
    project_key_ip_wrong: 'keyAddress',
    project_key_ended: 'endedKey',
  },
  address: Object.fromEntries(CREDENTIALS.map((name) => [name, 'address_rate_limit'])) as Record<CredentialName, 'address_rate_limit'>,
  open: Object.fromEntries(CREDENTIALS.map((name) => [name, 'free'])) as Record<CredentialName, 'free'>,
};

/** The rate limits of the specification, by their name in the `RateLimit` headers. */
export const RATE_LIMITS = {
  anon: { limit: 30, windowSeconds: 60 },
  token: { limit: 120, windowSeconds: 60 },
  'anon-codexes': { limit: 150, windowSeconds: 60 },
  'token-codexes': { limit: 600, windowSeconds: 60 },
  'anon-codex-images': { limit: 1500, windowSeconds: 60 },
  'token-codex-images': { limit: 6000, windowSeconds: 60 },
  'anon-codex-renders': { limit: 150, windowSeconds: 60 },
  'token-codex-renders': { limit: 600, windowSeconds: 60 },
  'anon-mods-catalog': { limit: 240, windowSeconds: 60 },
  'token-mods-catalog': { limit: 960, windowSeconds: 60 },
  'anon-mods-files': { limit: 900, windowSeconds: 60 },
  'token-mods-files': { limit: 3600, windowSeconds: 60 },
  'anon-updates-file': { limit: 600, windowSeconds: 60 },
  'token-updates-file': { limit: 2400, windowSeconds: 60 },
  'anon-videos-b-image': { limit: 300, windowSeconds: 60 },
  'token-videos-b-image': { limit: 1200, windowSeconds: 60 },
  'anon-images': { limit: 120, windowSeconds: 60 },
  'anon-pages': { limit: 120, windowSeconds: 60 },
  'token-pages': { limit: 480, windowSeconds: 60 },
  'token-images': { limit: 480, windowSeconds: 60 },
  'anon-search': { limit: 120, windowSeconds: 60 },
  'token-search': { limit: 480, windowSeconds: 60 },
  ingest: { limit: 1, windowSeconds: 300 },
  feedback: { limit: 3, windowSeconds: 3600 },
  ocr: { limit: 10, windowSeconds: 60 },
  'ocr-visitor': { limit: 3, windowSeconds: 86_400 },
  reports: { limit: 5, windowSeconds: 3600 },
  session: { limit: 120, windowSeconds: 60 },
  'account-export': { limit: 5, windowSeconds: 3600 },
  'credential-change': { limit: 10, windowSeconds: 3600 },
  'account-deletion': { limit: 10, windowSeconds: 3600 },
  'token-creation': { limit: 3, windowSeconds: 86_400 },
  drawing: { limit: 60, windowSeconds: 60 },
  'signed-webhooks': { limit: 60, windowSeconds: 3600 },
  previews: { limit: 300, windowSeconds: 60 },
  mcp: { limit: 300, windowSeconds: 60 },
  signup: { limit: 5, windowSeconds: 3600 },
  login: { limit: 10, windowSeconds: 300 },
  'session-renewal': { limit: 120, windowSeconds: 60 },
  'sign-out': { limit: 120, windowSeconds: 60 },
  'mail-link': { limit: 10, windowSeconds: 300 },
  'forgot-password': { limit: 5, windowSeconds: 3600 },
  'resend-verification': { limit: 5, windowSeconds: 3600 },
  'project-key': { limit: 120, windowSeconds: 60 },
  'mod-projects': { limit: 10, windowSeconds: 86_400 },
  'mod-claim-checks': { limit: 10, windowSeconds: 3600 },
  'mod-invitation-links': { limit: 30, windowSeconds: 3600 },
  'secret-scanning': { limit: 60, windowSeconds: 60 },
} as const;
export type RateLimitName = keyof typeof RATE_LIMITS;

/** The table's decision for a class and a credential. */
export function outcomeFor(endpointClass: EndpointClass, credential: CredentialName): Outcome {
  return OUTCOMES[ACCESS_TABLE[endpointClass][credential]];
}
