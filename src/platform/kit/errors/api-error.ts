import { ERROR_CATALOGUE, type ErrorCode } from './catalogue.ts';

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
