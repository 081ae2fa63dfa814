/**
 * Every error code the service can answer with: its usual HTTP status, one sentence for the OpenAPI document,
 * and what a client should do about it (shown in the documentation page, one section a code).
 * Codes are stable: clients branch on them.
 */
export const ERROR_CATALOGUE = {
  bad_request: {
    status: 400,
    summary: 'The request is malformed.',
    guide:
      'The body is not JSON, has the wrong content type, is too large (413), asks for a range that does not exist (416), or breaks a rule that `message` states. Correct the request; repeating it unchanged gives the same answer.',
  },
  captcha_failed: {
    status: 400,
    summary: 'The captcha was not solved (developer portal).',
    guide: 'Solve the captcha again: an answer to it is good for five minutes and for one use.',
  },
  disposable_email: {
    status: 400,
    summary: 'The e-mail address is a disposable one (developer portal).',
    guide: 'Use an address of a permanent mailbox.',
  },
  password_breached: {
    status: 400,
    summary: 'The password is known from a data breach (developer portal).',
    guide: 'Choose another password. `details.breach_count` is the number of times it occurs in known breaches.',
  },
  not_authenticated: {
    status: 401,
    summary: 'The credential is missing, invalid, expired or revoked.',
    guide:
      'Send `Authorization: Bearer <API token>`. A malformed, revoked or expired token is refused on public endpoints too: leave the header out to call them anonymously.',
  },
  invalid_credentials: {
    status: 401,
    summary: 'Wrong e-mail address or password (developer portal).',
    guide: 'Check both. After some failures in a row the account is locked for a quarter of an hour.',
  },
  insufficient_scope: {
    status: 403,
    summary: 'The token lacks the scope of this endpoint.',
    guide: 'Mint a token that carries the scope named in `details.scope`. The scopes of a token cannot be changed.',
  },
  ip_not_allowed: {
    status: 403,
    summary: "The caller's address is not on the allowlist of the token.",
    guide: 'Add the address to the allowlist of the token in the developer portal, or call from an address that is on it.',
  },
  email_unverified: {
    status: 403,
    summary: 'The e-mail address of the account is not verified (developer portal).',
    guide: 'Open the link in the verification mail, or ask for another one.',
  },
  forbidden: {
    status: 403,
    summary: 'Authenticated, but not allowed.',
    guide: 'The endpoint needs the token of a superuser.',
  },
  not_found: {
    status: 404,
    summary: 'The resource does not exist, or is switched off.',
    guide: 'Check the path and the identifiers in it. Areas that are switched off look like paths that do not exist.',
  },
  method_not_allowed: {
    status: 405,
    summary: 'The path exists, but not with this method.',
    guide: 'The `Allow` header lists the methods of the path.',
  },
  conflict: {
    status: 409,
    summary: 'The request collides with another one.',
    guide:
      'A request with the same `Idempotency-Key` is still running, or succeeded with a response that was not stored (over 64 KiB, or showing a secret), or the thing to create exists. Wait and repeat, or read the present state.',
  },
  email_taken: {
    status: 409,
    summary: 'There is an account with this e-mail address (developer portal).',
    guide: 'Sign in, or ask for a new password.',
  },
  validation_error: {
    status: 422,
    summary: 'A parameter or field has a value that is not allowed.',
    guide:
      '`details` lists every problem as `{loc, msg, type}`; `loc` starts with `query`, `path`, `header` or `body` and names the field. Where the values are enumerated, `allowed` lists them and `nearest` is the one that was probably meant; a 400 or 404 for such a value has the same `details`.',
  },
  rate_limited: {
    status: 429,
    summary: 'The budget of this window is spent.',
    guide:
      'Wait `Retry-After` seconds. `details` has `limit` and `window_seconds`; the `X-RateLimit-*` headers of every answer tell what is left before it comes to this.',
  },
  account_locked: {
    status: 429,
    summary: 'Too many failed sign-ins for this e-mail address (developer portal).',
    guide: 'Wait `Retry-After` seconds, or set a new password by e-mail.',
  },
  internal_error: {
    status: 500,
    summary: 'Unexpected server error.',
    guide:
      'Nothing about the request was wrong; with 502 an outside service failed. Repeat it later; quote `X-Request-ID` when you report it.',
  },
  service_unavailable: {
    status: 503,
    summary: 'The service cannot take this request right now.',
    guide: 'Wait `Retry-After` seconds and repeat.',
  },
} as const satisfies Record<string, { status: number; summary: string; guide: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** All codes, in the order of the catalogue. */
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
