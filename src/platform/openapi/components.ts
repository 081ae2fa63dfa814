import { type Access, isTokenOptional, lastWayOf, requiresCredential } from '../access/policy/policy.ts';
import type { AnyRouteSpec } from '../http/pipeline/define-route.ts';
import type { Table } from '../http/tables/table.ts';
import { ERROR_CATALOGUE, ERROR_CODES, type ErrorCode, errorDocUrl } from '../kit/errors/api-error.ts';

const integerHeader = (description: string, example: number) => ({ description, schema: { type: 'integer' as const }, example });
const textHeader = (description: string, example: string) => ({ description, schema: { type: 'string' as const }, example });

/** Response headers that every operation refers to. */
export const HEADER_COMPONENTS = {
  'X-RateLimit-Limit': integerHeader('Requests allowed per window.', 30),
  'X-RateLimit-Remaining': integerHeader('Requests remaining in the window.', 29),
  'X-RateLimit-Reset': integerHeader('End of the window (unix seconds).', 1_773_156_660),
  RateLimit: textHeader('Remaining requests and seconds until the reset (draft-ietf-httpapi-ratelimit-headers-11).', '"anon";r=29;t=60'),
  'RateLimit-Policy': textHeader('Rate limit policy: quota and window (draft-ietf-httpapi-ratelimit-headers-11).', '"anon";q=30;w=60'),
  'X-Request-ID': textHeader('Id of the request: the one sent if valid, otherwise a new one.', '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11'),
  'X-Ingest-ID': textHeader('Id of the receipt of an insert: `GET /v1/ingest/{id}`.', '5b0a6c1e-7f1d-4c53-8d0b-6a1f6c2f9a11'),
  'Codex-Ordinal': integerHeader('Version of the game that the dump describes.', 412),
  'Token-Ignored': textHeader(
    '`scheme`: the value of `Authorization` was not read as a token, because it does not start with `Bearer`.',
    'scheme',
  ),
  'Unknown-Parameters': textHeader('Query parameters that the operation does not have (RFC 9651 list).', 'att;did-you-mean=at'),
  ETag: textHeader('ETag of the body, for `If-None-Match`.', 'W/"pZrq0V5f7HkC1xyz"'),
  'Cache-Control': textHeader('Cache policy of the response.', 'public, no-cache'),
  'Retry-After': integerHeader('Seconds to wait before the next request.', 20),
  'WWW-Authenticate': textHeader('Authentication scheme.', 'Bearer'),
  'Content-Range': textHeader('First and last byte of the body, and the size of the whole file.', 'bytes 0-1023/146515'),
  'Accept-Encoding': textHeader('The content encoding that a request body may have.', 'identity'),
};

const headerParameter = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: false,
  description,
  schema: { type: 'string' as const },
  example,
});

/** Request headers of conditional reads and of writes that can be retried. */
export const HEADER_PARAMETERS = {
  IfNoneMatch: headerParameter('If-None-Match', '`ETag` of the cached body; returns 304 while it is current.', 'W/"pZrq0V5f7HkC1xyz"'),
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    'Makes the request safe to retry: the same key and body return the first response for a day, or 409 if it was over 64 KiB (8 KiB with a session). While the first request runs: 409 with `details.in_progress: true` and `Retry-After`.',
    '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11',
  ),
};

export type HeaderName = keyof typeof HEADER_COMPONENTS;
const RATE_HEADERS: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'];

function references(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** True if requests with this access count against a rate limit that the headers show. */
export function isCounted(access: Access): boolean {
  return lastWayOf(access).charges.some((charge) => 'group' in charge || charge.shown === undefined);
}

/** Headers of successful responses of an operation. `own`: those that only this operation has. */
export function headersOf(access: Access, hasETag: boolean, own: readonly HeaderName[] = []) {
  return references([
    'X-Request-ID',
    'Cache-Control',
    'Unknown-Parameters',
    ...(isTokenOptional(access) ? (['Token-Ignored'] as const) : []),
    ...(hasETag ? (['ETag'] as const) : []),
    ...own,
    ...(isCounted(access) ? RATE_HEADERS : []),
  ]);
}

const ERROR_HEADERS: Partial<Record<ErrorCode, HeaderName[]>> = {
  not_authenticated: ['WWW-Authenticate'],
  // Only while the first request with the same idempotency key runs.
  conflict: ['Retry-After'],
  rate_limited: ['Retry-After', ...RATE_HEADERS],
  service_unavailable: ['Retry-After'],
};

const DETAILS_EXAMPLES: Partial<Record<ErrorCode, unknown>> = {
  password_breached: { breach_count: 3 },
  rate_limited: { limit: 30, window_seconds: 60 },
  method_not_allowed: { allowed: ['HEAD', 'GET', 'OPTIONS'] },
  validation_error: [{ loc: ['query', 'limit'], msg: 'must be an integer between 1 and 200', type: 'too_big' }],
};

/** Schemas of the error envelope; every error response refers to them. */
export const ERROR_SCHEMAS = {
  ErrorCode: { type: 'string' as const, enum: [...ERROR_CODES], description: 'Error code. Stable.' },
  ApiError: {
    type: 'object' as const,
    description: 'The envelope of every error.',
    required: ['error'],
    properties: {
      error: {
        type: 'object' as const,
        description: 'The error.',
        required: ['code', 'message', 'hint', 'doc_url'],
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          message: { type: 'string' as const, description: 'Human-readable message; may change.' },
          details: { description: 'Details of the error, depending on the code.' },
          hint: { type: 'string' as const, description: 'Human-readable hint; may change.' },
          doc_url: { type: 'string' as const, format: 'uri', description: 'URL of the documentation of the code.' },
        },
      },
    },
  },
};

/** The error response of one code, or of several codes with the same status. `x-error-codes` lists the codes. */
export function errorComponent(
  codes: readonly ErrorCode[],
  {
    description,
    headers = [],
    baseUrl = 'https://api.example.com',
  }: { description?: string; headers?: readonly HeaderName[]; baseUrl?: string } = {},
) {
  const [first = 'internal_error'] = codes;
  const entry = ERROR_CATALOGUE[first];
  const details = DETAILS_EXAMPLES[first];
  return {
    description: description ?? codes.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].summary}`).join(' '),
    headers: references(['X-Request-ID', ...(ERROR_HEADERS[first] ?? []), ...headers]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ApiError' },
        example: {
          error: {
            code: first,
            message: entry.summary,
            ...(details === undefined ? {} : { details }),
            hint: entry.hint,
            doc_url: errorDocUrl(baseUrl, first),
          },
        },
      },
    },
    'x-error-codes': [...codes],
  };
}

/** The 304 response of a conditional read. */
export function notModifiedComponent(access: Access) {
  return { description: 'Not modified: the `ETag` sent in `If-None-Match` is still current.', headers: headersOf(access, true) };
}

/** Media types of a table in addition to JSON. */
export function tableContent({ columns, rowOf }: Table) {
  const header = columns.map(({ name }) => name).join(',');
  return {
    'text/csv': {
      schema: {
        type: 'string' as const,
        description: `One row for each ${rowOf}. Columns: ${columns.map(({ name }) => `\`${name}\``).join(', ')}.`,
      },
      example: `${header}\r\n`,
    },
    'application/x-ndjson': {
      schema: { type: 'string' as const, description: `One JSON object per line for each ${rowOf}.` },
    },
  };
}

/** Sentence about downloading a table; empty for operations without one. */
export function tableSentence({ table, access }: AnyRouteSpec): string {
  if (!table) return '';
  const formats =
    'Also available as CSV and JSON Lines: send `format=csv` or `format=jsonl`, or name `text/csv` or `application/x-ndjson` in `Accept`.';
  const isPublic = !requiresCredential(access);
  return `\n\n${formats} ${isPublic ? 'Spreadsheets can load the CSV by its URL.' : 'Spreadsheets cannot load the CSV by its URL, because the token belongs in a header.'}`;
}
