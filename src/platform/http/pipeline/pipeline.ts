import type { z } from '@hono/zod-openapi';
import { addCharges } from '../../access/limits/window.ts';
import type { AccessServices, Admission, Refusal } from '../../access/policy/admission.ts';
import { admit } from '../../access/policy/admit.ts';
import { ignoresToken } from '../../access/policy/credentials.ts';
import { pageCredentialOf } from '../../access/sessions/session-cookies.ts';
import { ApiError } from '../../kit/errors/api-error.ts';
import { infrastructureFaultOf } from '../../kit/errors/infrastructure-fault.ts';
import { logError } from '../../kit/logging.ts';
import type { Settings } from '../../settings/settings.data.ts';
import type { SettingsSource } from '../../settings/settings-cache.ts';
import { bodyLimitOf, checkContentEncoding, checkDeclaredLength, parseJsonBody, type Reserve, readBytes } from '../bodies/body.ts';
import { createBodyMemory, type MemoryPool } from '../bodies/memory-pool.ts';
import { type Idempotency, idempotencyKeyOf, outcomeUnknown, type WriteResult } from '../idempotency/idempotency.ts';
import type { RawReply, Reply, Representation } from '../replies/reply.ts';
import { etagOf } from '../replies/reply.ts';
import { respond, respondError, respondReplay } from '../replies/respond.ts';
import type { Table } from '../tables/table.ts';
import { bomParameter, formatOf, tableReply } from '../tables/table-reply.ts';
import type { Endpoint, PartSwitch, RouteInput } from './define-route.ts';
import { runLogged } from './logged-insert.ts';
import { type IngestLog, NO_RECEIPT } from './receipt.ts';
import type { RequestScope } from './request-scope.ts';
import { readQuery, unknownParametersOf, validate } from './validation.ts';

export interface PipelineDeps {
  access: AccessServices;
  settings: SettingsSource;
  idempotency: Idempotency;
  memory: MemoryPool;
  /** The log of the inserts (`log` of a route). */
  ingestLog: IngestLog;
  /** Configured public URL. Empty: the origin of the request. */
  baseUrl: string;
}

/** One request, its endpoint and its path parameters. */
interface Exchange {
  scope: RequestScope;
  endpoint: Endpoint;
  params: Record<string, string>;
  waitUntil(promise: Promise<unknown>): void;
  dispatch(request: Request): Promise<Response>;
}

/** Handles one request. Never rejects: errors become responses. */
export type Pipeline = (exchange: Exchange) => Promise<Response>;

/** The body of a request: its bytes if they were read for an idempotency key, and the reservation of memory for reading it. */
interface RequestBody {
  bytes: Uint8Array | null;
  reserve: Reserve;
}

function partDisabled({ name }: PartSwitch): ApiError {
  const details = { feature_disabled: true };
  return new ApiError('not_found', `${name} are switched off`, { details, hint: 'this endpoint is switched off' });
}

/** 503 for a write that was interrupted: it may have been done. Without `Retry-After`, because a repeat may do it twice. */
class UnknownOutcome extends ApiError {
  constructor() {
    super('service_unavailable', 'the request was interrupted', {
      hint: 'outcome unknown; read before you repeat',
      details: { outcome_unknown: true },
    });
  }
}

/** `Retry-After` of a request that the platform interrupted before it changed anything, in seconds: an object moves within that time. */
const INTERRUPTED_RETRY_SECONDS = 2;

const NO_BODY: RequestBody = { bytes: null, reserve: () => {} };
const NO_QUERY = new URLSearchParams();

/**
 * Creates the pipeline. Steps in order: feature switch, origin check of browser writes, declared body size, access and rate limit,
 * idempotency, validation, handler, response. Access comes before validation: an unauthenticated client must not learn the input of
 * a protected endpoint. `pathNotFound`: creates the 404 of an unknown path.
 */
export function createPipeline(deps: PipelineDeps, pathNotFound: (request: Request) => Promise<ApiError>): Pipeline {
  async function run(exchange: Exchange): Promise<Response> {
    const { scope, endpoint } = exchange;
    const { spec } = endpoint;
    const query = queryOf(scope.request.url);
    const current = deps.settings.current();
    const settings = current instanceof Promise ? await current : current;
    // A disabled endpoint must not be distinguishable from an unknown path.
    if (spec.feature && !settings[spec.feature]) return respondError(scope, await pathNotFound(scope.request));
    if ((spec.surface ?? 'api') === 'api' && query.size > 0) scope.unknownParameters = unknownParametersOf(query, namesOf(spec.query));
    scope.ignoresToken = ignoresToken(spec.access, scope.request.headers.get('Authorization'));
    if (spec.method !== 'get') {
      checkContentEncoding(scope.request);
      // Runs before the rate limits: a page of another site must not use up those of the visitor.
      if (isForBrowsers(spec.surface)) requireSameOrigin(scope.request, scope.baseUrl);
      checkDeclaredLength(scope.request, bodyLimitOf(spec));
    }
    const admission = await admitUnder(exchange, settings, query);
    // Kept for a refusal too: headers and statistics name what it charged.
    scope.charges = admission.charges;
    scope.tokenId = admission.tokenId;
    if ('error' in admission) throw admission.error;
    scope.caller = admission.caller;
    if (spec.method === 'get') return toResponse(exchange, await runHandler(exchange, admission, settings, NO_BODY));
    const memory = createBodyMemory(deps.memory, scope.request.signal, spec.memory ?? 1);
    try {
      return await runWrite(exchange, admission, settings, memory.reserve);
    } finally {
      memory.release();
    }
  }

  function admitUnder({ scope, endpoint }: Exchange, settings: Settings, query: URLSearchParams): Promise<Admission | Refusal> {
    const { request, now } = scope;
    return admit(endpoint.spec.access, {
      services: deps.access,
      authorization: request.headers.get('Authorization'),
      callerAddress: request.headers.get('CF-Connecting-IP'),
      location: locationOf(request),
      pageCredential: () => pageCredentialOf(request),
      hasApiKeyHeader: () => request.headers.has('X-Api-Key'),
      query,
      now,
      settings,
      streams: endpoint.spec.streams,
      ownRead: endpoint.ownRead,
    });
  }

  /** Runs a write. The idempotency key is checked first: a retry is replayed even during the cooldown of the first request. */
  async function runWrite(exchange: Exchange, admission: Admission, settings: Settings, reserve: Reserve): Promise<Response> {
    const { scope, endpoint } = exchange;
    const { isStateless = false, showsSecret = false } = endpoint.spec;
    const key = isStateless ? null : idempotencyKeyOf(scope.request, admission.caller);
    if (!key) return runReserved(exchange, admission, settings, { bytes: null, reserve });
    const bytes = await readBytes(scope.request, bodyLimitOf(endpoint.spec), reserve);
    const started = await deps.idempotency.begin({ ...key, request: scope.request, body: bytes, hasSecret: showsSecret, now: scope.now });
    if (started.kind === 'replay') return respondReplay(scope, endpoint, started.response);
    let result: WriteResult = null;
    try {
      const response = await runReserved(exchange, admission, settings, { bytes, reserve });
      result = response;
      return response;
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) throw error;
      result = 'unknown';
      throw outcomeUnknown();
    } finally {
      await started.finish(result);
    }
  }

  /** Runs a write and settles its reservation: the cooldown of a master insert starts only if the insert was accepted. */
  async function runReserved(exchange: Exchange, admission: Admission, settings: Settings, body: RequestBody): Promise<Response> {
    const { scope } = exchange;
    const reserved = await admission.reserve?.();
    if (reserved) scope.charges = addCharges(scope.charges, reserved.charges);
    if (reserved && 'error' in reserved) throw reserved.error;
    let accepted = false;
    try {
      const reply = await runHandler(exchange, admission, settings, body);
      accepted = reply.kind === 'raw' || reply.accepted !== false;
      return toResponse(exchange, reply);
    } finally {
      if (reserved) scope.charges = addCharges(scope.charges, (await reserved.settle(accepted)).charges);
    }
  }

  async function runHandler(
    exchange: Exchange,
    admission: Admission,
    settings: Settings,
    { bytes, reserve }: RequestBody,
  ): Promise<Reply<unknown>> {
    const { scope, endpoint } = exchange;
    const { url } = scope.request;
    const { spec } = endpoint;
    const { caller, chargeLater } = admission;
    // Before the validation: the path of a disabled part is never reported as an invalid parameter.
    if (spec.part && !spec.part.isOn(settings)) throw partDisabled(spec.part);
    const input = {
      params: spec.params && validate(spec.params, 'path', exchange.params, textsOf(spec)),
      query: spec.query && parseQuery(spec.query, url, textsOf(spec)),
      body: spec.body && parseBody(endpoint, scope.request, bytes ?? (await readBytes(scope.request, bodyLimitOf(spec), reserve))),
      now: scope.now,
      baseUrl: scope.baseUrl,
      caller,
      admission,
      settings,
      request: bytes && spec.rawBody ? new Request(scope.request, { body: bytes }) : scope.request,
      reserve,
      receipt: NO_RECEIPT,
      async chargeLater() {
        const charged = await chargeLater?.();
        if (charged) scope.charges = addCharges(scope.charges, charged.charges);
        return charged && 'error' in charged ? charged.error : null;
      },
      waitUntil: exchange.waitUntil,
      dispatch: exchange.dispatch,
    } as RouteInput<undefined, undefined, undefined>;
    const handle = (handlerInput: typeof input) => withKnownOutcome(exchange, async () => endpoint.handler(handlerInput));
    if (spec.log === undefined) return spec.method === 'get' ? endpoint.handler(input) : handle(input);
    const insert = { endpoint: spec.log, caller, now: scope.now };
    return runLogged(deps.ingestLog, insert, (receipt) => handle({ ...input, receipt }));
  }

  /** A write that the platform interrupted may have been done: its error says so. */
  async function withKnownOutcome({ scope, endpoint }: Exchange, handle: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> {
    try {
      return await handle();
    } catch (error) {
      if (endpoint.spec.isStateless || infrastructureFaultOf(error) === null) throw error;
      logError('write with an unknown outcome', error, { request_id: scope.requestId });
      throw new UnknownOutcome();
    }
  }

  function toResponse({ scope, endpoint }: Exchange, reply: Representation | RawReply): Response {
    if (endpoint.spec.method !== 'get') return respond(scope, endpoint, reply, null);
    const etag = etagOf(reply);
    if (reply.kind === 'raw' && endpoint.spec.surface === 'page')
      return respond(scope, endpoint, { ...reply, headers: { ...reply.headers, Link: canonicalLink(scope, endpoint.spec) } }, etag);
    if (!endpoint.spec.table || reply.kind === 'raw' || etag === null) return respond(scope, endpoint, reply, etag);
    const table = negotiateReply(scope, endpoint.spec, endpoint.spec.table, { ...reply, etag });
    return respond(scope, endpoint, table, table.etag);
  }

  async function respondTo(exchange: Exchange): Promise<Response> {
    try {
      return await run(exchange);
    } catch (error) {
      return respondError(exchange.scope, toApiError(error, exchange.scope), exchange.endpoint.spec.surface);
    }
  }

  return (exchange) => {
    const response = respondTo(exchange);
    // The platform stops a request when the client disconnects and does not run `finally`: memory, cooldowns and keys would stay
    // reserved. Reads reserve nothing.
    if (exchange.endpoint.spec.method !== 'get') exchange.waitUntil(response);
    return response;
  };
}

/** Converts the reply of a route with a table to the negotiated format. */
function negotiateReply(
  { request }: RequestScope,
  spec: Endpoint['spec'],
  table: Table,
  reply: Representation & { etag: string },
): (Representation | RawReply) & { etag: string } {
  const query = queryOf(request.url);
  const format = formatOf(query.get('format'), request.headers.get('Accept'));
  const withVary = { ...reply, headers: { ...reply.headers, Vary: 'Accept' } };
  return format === 'json'
    ? withVary
    : tableReply(withVary, table, format, fileNameOf(spec), bomParameter.parse(query.get('bom') ?? undefined));
}

/** Header with the address of a page without the parameters that it does not know, for search engines (RFC 6596). */
function canonicalLink({ request, baseUrl }: RequestScope, { query }: Endpoint['spec']): string {
  const sent = queryOf(request.url);
  const known = new URLSearchParams(namesOf(query).flatMap((name) => sent.getAll(name).map((value) => [name, value])));
  const { pathname } = new URL(request.url);
  return `<${baseUrl}${pathname}${known.size === 0 ? '' : `?${known}`}>; rel="canonical"`;
}

/** File name of a table: the operation id without its verb, in lower case with hyphens. */
function fileNameOf({ operationId }: Endpoint['spec']): string {
  const noun = operationId.replace(/^(?:get|list|search)(?=[A-Z])/, '');
  return noun.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/** Code of the data center that received the request; null outside the platform. */
function locationOf({ cf }: Request): string | null {
  return typeof cf?.colo === 'string' ? cf.colo : null;
}

/** True for endpoints that accept the session cookie, which pages of other sites must not use. */
export function isForBrowsers(surface: Endpoint['spec']['surface']): boolean {
  return surface === 'portal' || surface === 'page';
}

/** The query of a URL. Avoids parsing the URL, which is expensive; most requests have no query. */
function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return start < 0 ? NO_QUERY : new URLSearchParams(url.slice(start + 1));
}

const namesOf = (schema: z.ZodObject | undefined) => (schema ? Object.keys(schema.shape) : []);

/** Reads accept hidden characters: names in dumps and mirrored texts may contain them. */
const textsOf = ({ method }: Endpoint['spec']) => (method === 'get' ? 'any' : 'typed');

function parseQuery(schema: z.ZodObject, url: string, texts: 'any' | 'typed'): unknown {
  return validate(schema, 'query', readQuery(queryOf(url), namesOf(schema), listNamesOf(schema)), texts);
}

/** Names of the repeatable parameters. */
function listNamesOf({ shape }: z.ZodObject): ReadonlySet<string> {
  return new Set(Object.keys(shape).filter((name) => shape[name]?.def.type === 'array'));
}

function parseBody({ spec }: Endpoint, request: Request, bytes: Uint8Array): unknown {
  const isAbsent = spec.bodyIsOptional === true && bytes.length === 0;
  const parsed = isAbsent ? null : parseJsonBody(bytes, request.headers.get('Content-Type'));
  return spec.body ? validate(spec.body, 'body', spec.bodyIsOptional ? (parsed ?? {}) : parsed) : parsed;
}

/** Converts an unexpected error to a 500, and a fault of the platform to a 503, without details, which are logged with the request id. */
export function toApiError(error: unknown, scope: RequestScope): ApiError {
  if (error instanceof ApiError) return error;
  const fault = infrastructureFaultOf(error);
  logError(fault === null ? 'unexpected error' : 'request interrupted by the platform', error, { request_id: scope.requestId });
  if (fault !== null) {
    return new ApiError('service_unavailable', 'the request was interrupted before it changed anything', {
      headers: { 'Retry-After': String(INTERRUPTED_RETRY_SECONDS) },
    });
  }
  return new ApiError('internal_error', 'unexpected server error');
}

/**
 * Rejects cross-site request forgery: throws 403 for a request that a page of another origin sent. Programs outside a browser send
 * neither `Origin` nor `Sec-Fetch-Site`.
 */
function requireSameOrigin(request: Request, ownOrigin: string): void {
  const origin = request.headers.get('Origin');
  const site = request.headers.get('Sec-Fetch-Site');
  const isOwn = origin === null || origin === ownOrigin || origin === originOfUrl(request.url);
  const isSameSite = site === null || site === 'same-origin' || site === 'none';
  if (!isOwn || !isSameSite) throw new ApiError('forbidden', 'cross-origin requests are not allowed');
}

function originOfUrl(url: string): string {
  return new URL(url).origin;
}
