/**
 * Every error code: its default HTTP status, a sentence for the OpenAPI document (`summary`), the default `hint` of the envelope,
 * and the text of the documentation page (`guide`). Codes are stable: clients branch on them.
 */
export const ERROR_CATALOGUE = {
  bad_request: {
    status: 400,
    summary: 'The request is malformed.',
    hint: 'correct the request; retrying the same request returns the same error',
    guide:
      'The body is not JSON, has the wrong content type, is too large (413) or compressed (415), the `Range` is not satisfiable (416), `If-Match` or `If-Unmodified-Since` names another version (412), `Accept` excludes the event stream (406), or the request breaks a rule that `message` states. Correct the request; retrying the same request returns the same error.',
  },
  captcha_failed: {
    status: 400,
    summary: 'The captcha was not solved (developer portal).',
    hint: 'solve the captcha again',
    guide: 'Solve the captcha again. A captcha response token expires after five minutes and can be used once.',
  },
  disposable_email: {
    status: 400,
    summary: 'The email address is disposable (developer portal).',
    hint: 'use a permanent email address',
    guide: 'Use a permanent email address.',
  },
  password_breached: {
    status: 400,
    summary: 'The password is known from a data breach (developer portal).',
    hint: 'choose another password',
    guide: 'Choose another password. `details.breach_count`, when present, is the number of times it occurs in known breaches.',
  },
  not_authenticated: {
    status: 401,
    summary: 'The credential is missing, invalid, expired or revoked.',
    hint: 'send the header Authorization: Bearer <API token>; create a token in the developer portal',
    guide:
      'Send `Authorization: Bearer <API token>`. Public endpoints also reject a malformed, revoked or expired token; omit the header for anonymous requests.',
  },
  invalid_credentials: {
    status: 401,
    summary: 'Wrong email address or password (developer portal).',
    hint: 'check the email address and the password, or request a password reset',
    guide:
      'Check the email address, the password and the code of the second factor. After five consecutive failures the address of the client is locked out of the account for 15 minutes.',
  },
  insufficient_scope: {
    status: 403,
    summary: 'The token lacks the scope of this endpoint.',
    hint: 'create a token with the scope in details.scope; scopes of a token cannot be changed',
    guide: 'Create a token with the scope in `details.scope`. The scopes of a token cannot be changed.',
  },
  ip_not_allowed: {
    status: 403,
    summary: 'The IP address of the client is not on the allowlist of the token.',
    hint: 'add the IP address of the client to the allowlist of the token in the developer portal',
    guide: 'Add the IP address to the allowlist of the token in the developer portal, or send the request from an allowed address.',
  },
  email_unverified: {
    status: 403,
    summary: 'The email address of the account is not verified (developer portal).',
    hint: 'open the link in the verification email, or request a new one',
    guide: 'Open the link in the verification email, or request a new one.',
  },
  second_factor_required: {
    status: 403,
    summary: 'A code of the second factor is required (developer portal).',
    hint: 'send the current code of the authenticator app, or a recovery code, in the field code',
    guide:
      'Send the current code of the authenticator app, or a recovery code, in the field `code`. Without a second factor, set one up on the account page first.',
  },
  device_unconfirmed: {
    status: 403,
    summary: 'The device must be confirmed with a mailed link (developer portal).',
    hint: 'open the link in the mail, which is sent only for the right password',
    guide:
      'After many failed sign-ins, a device that has not signed in to the account before must be confirmed. With the right password, the response is accompanied by a mail: open its link on the device, then sign in again.',
  },
  forbidden: {
    status: 403,
    summary: 'The request is not allowed.',
    hint: 'use the token of a superuser',
    guide: 'The endpoint needs the token of a superuser.',
  },
  not_found: {
    status: 404,
    summary: 'The resource does not exist or is disabled.',
    hint: 'check the path and the identifiers in it against the reference',
    guide: 'Check the path and the identifiers in it. Disabled features return 404 as well.',
  },
  method_not_allowed: {
    status: 405,
    summary: 'The path does not support this method.',
    hint: 'use one of the methods in the Allow header',
    guide: 'The `Allow` header lists the methods of the path.',
  },
  conflict: {
    status: 409,
    summary: 'The request conflicts with another request or with the current state.',
    hint: 'read the current state, then retry the request if it is still needed',
    guide:
      'The resource already exists; or a request with the same `Idempotency-Key` is still running, or succeeded with a response that was not stored (over 64 KiB, or with a secret). While it runs, `details` is `{"in_progress": true}`: send the same request again after `Retry-After` seconds. Otherwise read the current state.',
  },
  email_taken: {
    status: 409,
    summary: 'An account with this email address already exists (developer portal).',
    hint: 'sign in, or request a password reset',
    guide: 'Sign in, or request a password reset.',
  },
  validation_error: {
    status: 422,
    summary: 'A parameter or field has a value that is not allowed.',
    hint: 'correct the fields in details',
    guide:
      '`details` lists every problem as `{loc, msg, type}`; `loc` starts with `query`, `path`, `header` or `body`, followed by the path of the field. For enumerations, `allowed` lists the values and `nearest` is the closest one. A 400 or 404 for such a value has the same `details`.',
  },
  rate_limited: {
    status: 429,
    summary: 'The rate limit of this window is exceeded.',
    hint: 'wait Retry-After seconds before the next request',
    guide:
      'Wait `Retry-After` seconds. `details` has `limit` and `window_seconds`; the `X-RateLimit-*` headers of every response report the remaining requests.',
  },
  account_locked: {
    status: 429,
    summary: 'Too many failed sign-ins from this client to this account (developer portal).',
    hint: 'wait Retry-After seconds, or request a password reset',
    guide: 'Wait `Retry-After` seconds, or request a password reset.',
  },
  internal_error: {
    status: 500,
    summary: 'Unexpected server error.',
    hint: 'retry later; include X-Request-ID when you report the error',
    guide:
      'The error is not caused by the request. 502 means that an upstream service failed. Retry later; include `X-Request-ID` when you report the error.',
  },
  service_unavailable: {
    status: 503,
    summary: 'The service cannot handle this request right now.',
    hint: 'wait Retry-After seconds, then retry the request',
    guide: 'Wait `Retry-After` seconds and retry.',
  },
} as const satisfies Record<string, { status: number; summary: string; hint: string; guide: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** All codes, in the order of the catalogue. */
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

/** One problem in the `details` of a `validation_error`. */
export interface FieldProblem {
  /** Location: `body`, `query`, `path` or `header`, then the path of the field. */
  loc: (string | number)[];
  msg: string;
  type: string;
  /** Allowed values of an enumeration. */
  allowed?: readonly (string | number)[];
  /** The allowed value closest to the one sent. */
  nearest?: string;
}

interface ApiErrorOptions {
  /** Next step for the client. Default: the hint of the code. */
  hint?: string;
  /** HTTP status, if it differs from the catalogue (413 and 416 are `bad_request`, 502 is `internal_error`). */
  status?: number;
  details?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** An expected failure of a request. Any code may throw one; the request pipeline formats the response. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    // No code reads the stack trace, and capturing one costs more than the rest of a 429.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERROR_CATALOGUE[code].status;
    this.details = options.details;
    this.hint = options.hint ?? ERROR_CATALOGUE[code].hint;
    this.headers = options.headers ?? {};
  }
}

/** URL of the documentation of a code. */
export function errorDocUrl(baseUrl: string, code: ErrorCode): string {
  return `${baseUrl}/docs/errors#${code}`;
}

/** Serializes the error envelope. `baseUrl`: public URL of the service. */
export function errorText({ code, message, details, hint }: ApiError, baseUrl: string): string {
  return JSON.stringify({
    error: { code, message, ...(details === undefined ? {} : { details }), hint, doc_url: errorDocUrl(baseUrl, code) },
  });
}

/** Creates an error whose `details` are the problems and whose message names the first field. */
export function problemsError(code: ErrorCode, problems: readonly FieldProblem[]): ApiError {
  const first = problems[0];
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const message = first ? `${first.loc.join('.')}: ${first.msg}${others}` : 'invalid request';
  const nearest = problems.find((problem) => problem.nearest !== undefined)?.nearest;
  return new ApiError(code, message, { details: problems, ...(nearest === undefined ? {} : { hint: `did you mean ${nearest}?` }) });
}

/** Creates a 422 with the problems. */
export const validationError = (problems: readonly FieldProblem[]): ApiError => problemsError('validation_error', problems);
export const badRequest = (message: string, details?: unknown, hint?: string): ApiError =>
  new ApiError('bad_request', message, { details, ...(hint === undefined ? {} : { hint }) });
export const notFound = (message: string): ApiError => new ApiError('not_found', message);

/** Creates a 502: an upstream service failed during the request. */
export const upstreamFailed = (message: string): ApiError => new ApiError('internal_error', message, { status: 502 });

/** Creates a 413 for a body over `limit` bytes. */
export function bodyTooLarge(limit: number): ApiError {
  return new ApiError('bad_request', `the request body must have at most ${limit} bytes`, {
    status: 413,
    details: { limit_bytes: limit },
  });
}
