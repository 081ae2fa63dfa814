import { ALLOWED_REQUEST_HEADERS } from './request-headers.data.ts';
/** Id of the receipt of an insert, for `GET /v1/ingest/{id}`. */
export const INGEST_ID = 'X-Ingest-ID';

/** Version of the game that a dump describes. */
export const CODEX_ORDINAL = 'Codex-Ordinal';

/** Names why the `Authorization` header of a public endpoint was not read as a token. */
export const TOKEN_IGNORED = 'Token-Ignored';

/** Response headers that scripts of other origins may read. */
const EXPOSED_RESPONSE_HEADERS = [
  'X-Request-ID',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Archive-Limit',
  'X-RateLimit-Archive-Remaining',
  'X-RateLimit-Archive-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Age',
  'Date',
  'Link',
  'Vary',
  'Content-Disposition',
  'Content-Range',
  'Accept-Ranges',
  'Allow',
  'WWW-Authenticate',
  'Idempotent-Replay',
  INGEST_ID,
  CODEX_ORDINAL,
  'Unknown-Parameters',
  TOKEN_IGNORED,
  'Deprecation',
  'Sunset',
].join(', ');

/** Headers with which pages of other origins may load and read a public file. */
const PUBLIC_FILE_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  // Pages that isolate themselves (COEP) load images and data only with this header.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

const CORS_HEADERS = { ...PUBLIC_FILE_HEADERS, 'Access-Control-Expose-Headers': EXPOSED_RESPONSE_HEADERS };

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Permissions-Policy': 'geolocation=(), microphone=(), camera=()',
};

/** Headers of every response of the portal. Scripts of other origins cannot read it. */
const PORTAL_HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
} as const;

/** Headers of every API response. */
export const API_HEADERS = { ...CORS_HEADERS, ...PORTAL_HEADERS } as const;

/**
 * Headers of every HTML page. Content comes from the same origin, nothing is inline, images may come from any https origin. Other
 * origins cannot read or embed a page, because its header names the account.
 */
const PAGE_HEADERS = {
  ...SECURITY_HEADERS,
  // Isolates the window of the page from windows of other origins.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data: https:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

/** Time for which browsers reuse a static file of a page. */
export const ASSET_MAX_AGE_SECONDS = 3600;

/** Headers of the static files of pages, which are served without the Worker. */
export const ASSET_HEADERS = { ...PAGE_HEADERS, ...PUBLIC_FILE_HEADERS, 'Cache-Control': `public, max-age=${ASSET_MAX_AGE_SECONDS}` };

/** Clients of an endpoint: `api`: programs; `page`: browsers; `portal`: scripts of the portal and administrators. */
export type Surface = 'api' | 'page' | 'portal';

/** Headers of every response by surface. */
export const SURFACE_HEADERS: Readonly<Record<Surface, Readonly<Record<string, string>>>> = {
  api: API_HEADERS,
  page: PAGE_HEADERS,
  portal: PORTAL_HEADERS,
};

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...API_HEADERS,
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': ALLOWED_REQUEST_HEADERS.join(', '),
  'Access-Control-Max-Age': '86400',
};
