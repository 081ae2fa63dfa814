/**
 * Every error code of the service: its usual HTTP status, one sentence for the OpenAPI document, what a client does next
 * (the `hint` of the envelope unless the error has a better one), and the section of the documentation page.
 * Codes are stable: clients branch on them.
 */
export const ERROR_CATALOGUE = {
  bad_request: {
    status: 400,
    summary: 'The request is malformed.',
    hint: 'correct the request; the same request gets the same response',
    guide:
      'The body is not JSON, has the wrong content type, is too large (413), asks for a range that does not exist (416), or breaks a rule that `message` states. Correct the request; repeating it unchanged gives the same answer.',
  },
  captcha_failed: {
    status: 400,
    summary: 'The captcha was not solved (developer portal).',
    hint: 'solve the captcha again',
    guide: 'Solve the captcha again: an answer to it is good for five minutes and for one use.',
  },
  disposable_email: {
    status: 400,
    summary: 'The e-mail address is a disposable one (developer portal).',
    hint: 'use an address of a permanent mailbox',
    guide: 'Use an address of a permanent mailbox.',
  },
  password_breached: {
    status: 400,
    summary: 'The password is known from a data breach (developer portal).',
    hint: 'choose another password',
    guide: 'Choose another password. `details.breach_count` is the number of times it occurs in known breaches.',
  },
  not_authenticated: {
    status: 401,
    summary: 'The credential is missing, invalid, expired or revoked.',
    hint: 'send the header Authorization: Bearer <API token>; create a token in the developer portal',
    guide:
      'Send `Authorization: Bearer <API token>`. A malformed, revoked or expired token is refused on public endpoints too: leave the header out to call them anonymously.',
  },
  invalid_credentials: {
    status: 401,
    summary: 'Wrong e-mail address or password (developer portal).',
    hint: 'check the address and the password, or request a password reset',
    guide: 'Check both. After some failures in a row the account is locked for a quarter of an hour.',
  },
  insufficient_scope: {
    status: 403,
    summary: 'The token lacks the scope of this endpoint.',
    hint: 'create a token with the scope in details.scope; scopes of a token cannot be changed',
    guide: 'Mint a token that carries the scope named in `details.scope`. The scopes of a token cannot be changed.',
  },
  ip_not_allowed: {
    status: 403,
    summary: "The caller's address is not on the allowlist of the token.",
    hint: 'add the address of the client to the allowlist of the token in the developer portal',
    guide: 'Add the address to the allowlist of the token in the developer portal, or call from an address that is on it.',
  },
  email_unverified: {
    status: 403,
    summary: 'The e-mail address of the account is not verified (developer portal).',
    hint: 'open the link in the verification mail, or request another one',
    guide: 'Open the link in the verification mail, or ask for another one.',
  },
  forbidden: {
    status: 403,
    summary: 'Authenticated, but not allowed.',
    hint: 'use the token of a superuser',
    guide: 'The endpoint needs the token of a superuser.',
  },
  not_found: {
    status: 404,
    summary: 'The resource does not exist, or is switched off.',
    hint: 'check the path and the identifiers in it against the reference',
    guide: 'Check the path and the identifiers in it. Areas that are switched off look like paths that do not exist.',
  },
  method_not_allowed: {
    status: 405,
    summary: 'The path exists, but not with this method.',
    hint: 'use one of the methods in the Allow header',
    guide: 'The `Allow` header lists the methods of the path.',
  },
  conflict: {
    status: 409,
    summary: 'The request collides with another one.',
    hint: 'read the current state, then send the request again if it is still needed',
    guide:
      'A request with the same `Idempotency-Key` is still running, or succeeded with a response that was not stored (over 64 KiB, or showing a secret), or the thing to create exists. Wait and repeat, or read the present state.',
  },
  email_taken: {
    status: 409,
    summary: 'There is an account with this e-mail address (developer portal).',
    hint: 'sign in, or request a password reset',
    guide: 'Sign in, or ask for a new password.',
  },
  validation_error: {
    status: 422,
    summary: 'A parameter or field has a value that is not allowed.',
    hint: 'correct the fields in details',
    guide:
      '`details` lists every problem as `{loc, msg, type}`; `loc` starts with `query`, `path`, `header` or `body` and names the field. Where the values are enumerated, `allowed` lists them and `nearest` is the one that was probably meant; a 400 or 404 for such a value has the same `details`.',
  },
  rate_limited: {
    status: 429,
    summary: 'The budget of this window is spent.',
    hint: 'wait Retry-After seconds before the next request',
    guide:
      'Wait `Retry-After` seconds. `details` has `limit` and `window_seconds`; the `X-RateLimit-*` headers of every answer tell what is left before it comes to this.',
  },
  account_locked: {
    status: 429,
    summary: 'Too many failed sign-ins for this e-mail address (developer portal).',
    hint: 'wait Retry-After seconds, or request a password reset',
    guide: 'Wait `Retry-After` seconds, or set a new password by e-mail.',
  },
  internal_error: {
    status: 500,
    summary: 'Unexpected server error.',
    hint: 'send the request again later; quote X-Request-ID when you report the error',
    guide:
      'Nothing about the request was wrong; with 502 an outside service failed. Repeat it later; quote `X-Request-ID` when you report it.',
  },
  service_unavailable: {
    status: 503,
    summary: 'The service cannot take this request right now.',
    hint: 'wait Retry-After seconds, then send the request again',
    guide: 'Wait `Retry-After` seconds and repeat.',
  },
} as const satisfies Record<string, { status: number; summary: string; hint: string; guide: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** All codes, in the order of the catalogue. */
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
