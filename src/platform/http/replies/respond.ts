import { writeRateHeaders } from '../../access/limits/window.ts';
import { isShared, lastWayOf, readsSession } from '../../access/policy/policy.ts';
import { type ApiError, errorText } from '../../kit/errors/api-error.ts';
import type { StoredResponse } from '../idempotency/idempotency.object.ts';
import type { Endpoint } from '../pipeline/define-route.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { errorPage, wantsPage } from './error-page.tsx';
import { INGEST_ID, SURFACE_HEADERS, type Surface, TOKEN_IGNORED } from './headers.ts';
import { isNotModified } from './preconditions.ts';
import type { RawReply, Representation } from './reply.ts';

const JSON_TYPE = 'application/json';

/** Headers of every response. A plain object is faster than `Headers`. */
function commonHeaders(scope: RequestScope, surface: Surface): Record<string, string> {
  const headers: Record<string, string> = { ...SURFACE_HEADERS[surface] };
  headers['X-Request-ID'] = scope.requestId;
  headers.Date = new Date(scope.now * 1000).toUTCString();
  if (scope.unknownParameters !== null) headers['Unknown-Parameters'] = scope.unknownParameters;
  if (scope.ignoresToken) headers[TOKEN_IGNORED] = 'scheme';
  writeRateHeaders(headers, scope.charges, scope.now);
  return headers;
}

const NOT_MODIFIED = 304;

/** Responds with the result of a handler, or with 304 if the client has the current version. */
export function respond(scope: RequestScope, endpoint: Endpoint, reply: Representation | RawReply, etag: string | null): Response {
  const { spec } = endpoint;
  const headers = commonHeaders(scope, spec.surface ?? 'api');
  headers['Cache-Control'] = spec.method === 'get' ? cacheControl(scope, endpoint, reply) : 'no-store';
  if (etag !== null) headers.ETag = etag;
  if (readsSession(spec.access)) headers.Vary = 'Cookie';
  if (reply.headers) Object.assign(headers, reply.headers);
  const status = reply.status ?? spec.ok.status ?? 200;
  let isCurrent = true;
  try {
    isCurrent = spec.method === 'get' && isSuccess(status) && isNotModified(scope.request, { etag, lastModified: lastModifiedOf(headers) });
  } finally {
    // An unread stream must be cancelled.
    if (reply.kind === 'raw' && reply.body instanceof ReadableStream && (isCurrent || scope.request.method === 'HEAD')) {
      void reply.body.cancel();
      reply = { ...reply, body: null };
    }
  }
  // A file has compared its ETag itself, before it was opened.
  if (isCurrent || status === NOT_MODIFIED) return new Response(null, { status: NOT_MODIFIED, headers });
  const contentType = reply.kind === 'json' ? JSON_TYPE : reply.contentType;
  if (contentType !== '') headers['Content-Type'] = contentType;
  const response = new Response(reply.kind === 'json' ? reply.text : reply.body, { status, headers });
  for (const cookie of reply.cookies ?? []) response.headers.append('Set-Cookie', cookie);
  return response;
}

const isSuccess = (status: number) => status >= 200 && status < 300;

/** `Last-Modified` of a response in unix seconds; undefined without it. */
function lastModifiedOf(headers: Readonly<Record<string, string>>): number | undefined {
  const date = headers['Last-Modified'];
  return date === undefined ? undefined : Date.parse(date) / 1000;
}

function cacheControl({ caller }: RequestScope, { spec }: Endpoint, reply: Representation | RawReply): string {
  const { access, dependsOnToken = false } = spec;
  // A setting has made the endpoint public if it admitted an anonymous client.
  const isOpened = lastWayOf(access).isOpen !== undefined && caller?.kind === 'anonymous';
  const isForAll = isShared(access) && !dependsOnToken && caller?.kind !== 'session';
  const audience = isForAll || isOpened ? 'public' : 'private';
  return reply.maxAge === undefined ? `${audience}, no-cache` : `${audience}, max-age=${reply.maxAge}`;
}

/** Replays the response to the first request with the same idempotency key. */
export function respondReplay(scope: RequestScope, endpoint: Endpoint, stored: StoredResponse): Response {
  const headers = commonHeaders(scope, endpoint.spec.surface ?? 'api');
  headers['Cache-Control'] = 'no-store';
  if (stored.contentType !== '') headers['Content-Type'] = stored.contentType;
  headers['Idempotent-Replay'] = 'true';
  if (stored.ingestId !== undefined) headers[INGEST_ID] = stored.ingestId;
  return new Response(stored.body.length === 0 ? null : stored.body, { status: stored.status, headers });
}

/** Responds with the error envelope, or with a page to browsers. */
export function respondError(scope: RequestScope, error: ApiError, surface: Surface = 'api'): Response {
  scope.error = error;
  const isPage = surface !== 'portal' && wantsPage(scope.request);
  const headers = commonHeaders(scope, isPage ? 'page' : surface === 'page' ? 'api' : surface);
  headers['Cache-Control'] = 'no-store';
  headers['Content-Type'] = isPage ? 'text/html; charset=utf-8' : JSON_TYPE;
  Object.assign(headers, error.headers);
  return new Response(isPage ? errorPage(error, scope) : errorText(error, scope.baseUrl), { status: error.status, headers });
}
