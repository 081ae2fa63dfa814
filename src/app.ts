import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { isRefused } from './platform/access/limits/window.ts';
import type { TokenGate } from './platform/access/tokens/token-gate.ts';
import type { Traffic } from './platform/access/usage/traffic.ts';
import type { RefusedLimit, UsageRecord } from './platform/access/usage/usage-buffer.ts';
import type { Endpoint } from './platform/http/pipeline/define-route.ts';
import { correctedPaths, isApiRoot, nearestPath, withNearestArea } from './platform/http/pipeline/nearest-path.ts';
import { createPipeline, type PipelineDeps, toApiError } from './platform/http/pipeline/pipeline.ts';
import type { RequestClock, RequestScope } from './platform/http/pipeline/request-scope.ts';
import { loadRoutes, type Routes, sectionOf } from './platform/http/pipeline/route-groups.ts';
import { PREFLIGHT_HEADERS, SURFACE_HEADERS } from './platform/http/replies/headers.ts';
import { respondError } from './platform/http/replies/respond.ts';
import { ApiError } from './platform/kit/errors/api-error.ts';
import { log, logError } from './platform/kit/logging.ts';
import type { Settings } from './platform/settings/settings.data.ts';

export interface AppDeps extends PipelineDeps {
  endpoints: readonly Routes[];
  time: RequestClock;
  /** Records each finished request that sent a token. */
  usage: Pick<TokenGate, 'recordRequest'>;
  /** Counts each finished request. */
  traffic: Pick<Traffic, 'record'>;
  /** Share of requests with a log line, 0 to 1. A response with status 500 or above always has one. */
  logSample: number;
  /** Uniform in [0, 1). */
  random(): number;
}

type AppContext = Context<{ Bindings: Env }>;

const TEST_NOW = /^\d{1,12}$/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const NO_PARAMS: Record<string, string> = {};
/** Longer paths are truncated in the usage statistics. */
const MAX_ROUTE_PATH_LENGTH = 200;
const API_ROOT_HINT = 'see /docs/reference for all endpoints, or /openapi.json for their description';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Routes of one section, mounted. */
interface Router {
  app: Hono<{ Bindings: Env }>;
  endpointFor(method: string, path: string): Endpoint | undefined;
}

/**
 * Creates the HTTP application: endpoints run in one pipeline; other requests get the error envelope. The first request for a section of
 * paths loads the routes of that section.
 */
export function createApp(deps: AppDeps) {
  const run = createPipeline(deps, (request) => pathNotFound(new URL(request.url).pathname));
  const { logSample } = deps;
  /** Routers by section. Bounded by the declared sections. */
  const routers = new Map<string, Router>();
  const empty = createRouter([]);
  const sections = deps.endpoints.flatMap((route) => ('load' in route ? route.sections : [sectionOf(route.spec.path)]));
  /** First segments of the paths below `/v1`. */
  const areaNames = [...new Set(sections.filter((section) => section.startsWith('/v1/')).map((section) => section.slice('/v1/'.length)))];

  function fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    const section = sectionOf(getPath(request));
    const router = routers.get(section);
    // Hono has a type of its own for the context.
    const respond = ({ app }: Router) => app.fetch(request, env, context as Parameters<typeof app.fetch>[2]);
    return router ? respond(router) : loadRouter(section).then(respond);
  }

  async function loadRouter(section: string): Promise<Router> {
    const routes = deps.endpoints.filter((route) =>
      'load' in route ? route.sections.includes(section) : sectionOf(route.spec.path) === section,
    );
    if (routes.length === 0) return empty;
    const endpoints = (await loadRoutes(routes)).filter(({ spec }) => sectionOf(spec.path) === section);
    const router = routers.get(section) ?? createRouter(endpoints);
    routers.set(section, router);
    return router;
  }

  /** Logs a share of the requests. Failures of the service are always logged. */
  function logRequest(scope: RequestScope, route: string, status: number): void {
    if (status >= 500) writeRequestLog(scope, route, status, 1);
    else if (logSample > 0 && deps.random() < logSample) writeRequestLog(scope, route, status, logSample);
  }

  function createRouter(endpoints: readonly Endpoint[]): Router {
    const app = new Hono<{ Bindings: Env }>();
    const endpointOf = new Map<unknown, Endpoint>();
    /** Endpoints without path parameters. They are mounted first, and no path with parameters matches their paths, for any method. */
    const staticEndpoints = endpoints.filter(({ spec }) => !spec.params);
    const staticPaths = new Set(staticEndpoints.map(({ spec }) => spec.path));

    function endpointFor(method: string, path: string): Endpoint | undefined {
      const [[first] = []] = app.router.match(method, path);
      const matched = endpointOf.get(first?.[0]?.[0]);
      return matched?.spec.params && staticPaths.has(path) ? undefined : matched;
    }

    for (const endpoint of [...staticEndpoints, ...endpoints.filter(({ spec }) => spec.params)]) {
      const { method, path } = endpoint.spec;
      const paramsOf = createParamsReader(path);
      const handler = async (c: AppContext) => {
        if (endpoint.spec.params && staticPaths.has(c.req.path)) return c.notFound();
        const scope = openScope(c.req.raw, deps);
        if (endpoint.spec.streams && c.req.raw.method === 'HEAD') {
          return respondError(scope, methodNotAllowed('HEAD', await allowedMethods(c.req.path, endpointFor)));
        }
        // Errors after the response can only be logged.
        const waitUntil = (promise: Promise<unknown>) =>
          c.executionCtx.waitUntil(promise.catch((error: unknown) => logError('background work failed', error, { route: path })));
        const params = endpoint.spec.params ? paramsOf(c) : NO_PARAMS;
        const dispatch = async (request: Request) => fetch(request, c.env, c.executionCtx as ExecutionContext);
        const response = await run({ scope, endpoint, params, waitUntil, dispatch });
        logRequest(scope, path, response.status);
        countRequest(scope, response.status, waitUntil);
        if (scope.tokenId !== null) deps.usage.recordRequest(scope.tokenId, usageOf(scope, path, response.status), waitUntil);
        return response;
      };
      endpointOf.set(handler, endpoint);
      app.on(method.toUpperCase(), routePattern(path), handler);
    }

    app.notFound((c) => respondUnmatched(c, endpointFor));
    app.onError((error, c) => {
      const scope = openScope(c.req.raw, deps);
      return respondError(scope, toApiError(error, scope));
    });
    return { app, endpointFor };
  }

  function countRequest(scope: RequestScope, status: number, waitUntil: (work: Promise<unknown>) => void): void {
    const durationMs = Math.round(performance.now() - scope.startedAt);
    deps.traffic.record({ hasToken: scope.tokenId !== null, status, durationMs, at: scope.now }, waitUntil);
  }

  /** Allowed methods of a path; empty for an unknown path and for one whose feature is switched off. */
  async function allowedMethods(path: string, endpointFor: Router['endpointFor']): Promise<string[]> {
    const settings = await deps.settings.current();
    const methods = METHODS.filter((method) => isEnabled(endpointFor(method, path), settings));
    const hasHead = endpointFor('GET', path)?.spec.streams === undefined && methods.includes('GET');
    return methods.length === 0 ? [] : [...(hasHead ? ['HEAD'] : []), ...methods, 'OPTIONS'];
  }

  /** True for paths of the portal and of administrators, which scripts of other origins must not call. */
  async function isPortalPath(path: string, endpointFor: Router['endpointFor']): Promise<boolean> {
    const settings = await deps.settings.current();
    return METHODS.map((method) => endpointFor(method, path)).some(
      (endpoint) => isEnabled(endpoint, settings) && endpoint?.spec.surface === 'portal',
    );
  }

  /** Creates the 404 of an unknown path. Its hint names the closest published path, if one is similar. */
  async function pathNotFound(path: string): Promise<ApiError> {
    if (isApiRoot(path)) return new ApiError('not_found', 'path not found', { hint: API_ROOT_HINT });
    const settings = await deps.settings.current();
    const isPublished = (endpoint: Endpoint) =>
      isRead(endpoint) && !endpoint.spec.hidden && endpoint.spec.surface !== 'portal' && isEnabled(endpoint, settings);
    const corrected = [...new Set(correctedPaths(path).flatMap((candidate) => [candidate, withNearestArea(candidate, areaNames)]))];
    const routers = await Promise.all(corrected.map((candidate) => loadRouter(sectionOf(candidate))));
    const likelyEndpoint = corrected
      .flatMap((candidate, index) => METHODS.map((method) => routers[index]?.endpointFor(method, candidate)))
      .find((endpoint) => endpoint !== undefined && isPublished(endpoint));
    const nearest =
      likelyEndpoint?.spec.path ??
      nearestPath(
        path,
        (await loadRoutes(deps.endpoints))
          .filter((endpoint) => !endpoint.spec.params && isPublished(endpoint))
          .map(({ spec }) => spec.path),
      );
    return new ApiError('not_found', 'path not found', nearest === undefined ? {} : { hint: `did you mean ${nearest}?` });
  }

  /** Responds to a request that matches no endpoint. */
  async function respondUnmatched(c: AppContext, endpointFor: Router['endpointFor']): Promise<Response> {
    const { method, path } = c.req;
    const scope = openScope(c.req.raw, deps);
    const isPortal = () => isPortalPath(path, endpointFor);
    if (method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') !== undefined && !(await isPortal())) {
      return new Response(null, { status: 204, headers: { ...PREFLIGHT_HEADERS, 'X-Request-ID': scope.requestId } });
    }
    const allowed = await allowedMethods(path, endpointFor);
    if (method === 'OPTIONS' && allowed.length > 0) {
      const headers = SURFACE_HEADERS[(await isPortal()) ? 'portal' : 'api'];
      return new Response(null, { status: 204, headers: { ...headers, 'X-Request-ID': scope.requestId, Allow: allowed.join(', ') } });
    }
    const response = respondError(scope, allowed.length > 0 ? methodNotAllowed(method, allowed) : await pathNotFound(path));
    logRequest(scope, '(none)', response.status);
    countRequest(scope, response.status, (work) => c.executionCtx.waitUntil(work));
    return response;
  }

  return { fetch };
}

/** False for no endpoint, and for one whose feature is switched off. */
function isEnabled(endpoint: Endpoint | undefined, settings: Settings): boolean {
  return endpoint !== undefined && !(endpoint.spec.feature && !settings[endpoint.spec.feature]);
}

/** True for an endpoint that changes nothing. Hints name no other: clients follow them without reading. */
function isRead({ spec }: Endpoint): boolean {
  return spec.method === 'get' || spec.isStateless === true;
}

/** A path parameter, with the file extension after it in paths such as `/badge/{name}.svg`. */
const PARAMETER = /\{(\w+)\}(\.\w+)?/g;

/** Converts an OpenAPI path to the syntax of the router, where a parameter spans a whole segment. */
function routePattern(path: string): string {
  return path.replaceAll(PARAMETER, (_, name: string, extension?: string) => (extension ? `:${name}{[^/]+\\${extension}}` : `:${name}`));
}

/** Reads the path parameters without the file extension, which belongs to the path. */
function createParamsReader(path: string): (c: AppContext) => Record<string, string> {
  const suffixed = [...path.matchAll(PARAMETER)].flatMap(([, name = '', extension]) => (extension ? [{ name, extension }] : []));
  if (suffixed.length === 0) return (c) => c.req.param();
  return (c) => {
    const params: Record<string, string> = { ...c.req.param() };
    for (const { name, extension } of suffixed) params[name] = (params[name] ?? '').slice(0, -extension.length);
    return params;
  };
}

function methodNotAllowed(method: string, allowed: readonly string[]): ApiError {
  return new ApiError('method_not_allowed', `${method} is not allowed for this path`, {
    hint: `use ${allowed.filter((name) => name !== 'OPTIONS' && name !== 'HEAD').join(' or ')}`,
    details: { allowed },
    headers: { Allow: allowed.join(', ') },
  });
}

/** Creates the usage record of a request. Records never contain the query. */
function usageOf(scope: RequestScope, route: string, status: number): UsageRecord {
  const { request, requestId, now, startedAt, error } = scope;
  const start = request.url.indexOf('/', request.url.indexOf('//') + 2);
  const path = request.url.slice(start).split('?', 1)[0]?.slice(0, MAX_ROUTE_PATH_LENGTH) ?? '';
  const durationMilliseconds = Math.round(performance.now() - startedAt);
  const record: UsageRecord = { method: request.method, route, path, status, durationMilliseconds, at: now, count: 1, requestId };
  if (error) record.code = error.code;
  if (error?.status === 429) record.refusedBy = refusedLimitOf(error, scope);
  return record;
}

/** The limit that refused a request. Limits without a window, as that of open streams, have no refused charge. */
function refusedLimitOf({ message, headers, details }: ApiError, { charges, now }: RequestScope): RefusedLimit {
  const refused = charges.find(isRefused);
  const waitSeconds = Number(headers['Retry-After']);
  return {
    name: refused?.rateLimit.name ?? null,
    limit: refused?.rateLimit.limit ?? numberOf(details, 'limit'),
    windowSeconds: refused?.rateLimit.windowSeconds ?? numberOf(details, 'window_seconds'),
    resetAt: refused?.resetAt ?? (waitSeconds > 0 ? now + waitSeconds : null),
    message,
  };
}

/** A number in the details of an error; null if it has none. */
function numberOf(details: unknown, name: 'limit' | 'window_seconds'): number | null {
  const value = (details as Record<typeof name, unknown> | undefined)?.[name];
  return typeof value === 'number' ? value : null;
}

/** Logs one structured line. Lines never contain an IP address, a query or a secret. `sample`: share of the requests that are logged. */
function writeRequestLog(scope: RequestScope, route: string, status: number, sample: number): void {
  log({
    level: status >= 500 ? 'error' : 'info',
    sample: sample < 1 ? sample : undefined,
    method: scope.request.method,
    route,
    status,
    duration_ms: Math.round(performance.now() - scope.startedAt),
    token_id: scope.caller?.kind === 'token' ? scope.caller.tokenId : undefined,
    request_id: scope.requestId,
  });
}

/** Starts the state of a request. `baseUrl`: configured public URL. Empty: the origin of the request. */
function openScope(request: Request, { time, baseUrl }: { time: RequestClock; baseUrl: string }): RequestScope {
  const testNow = time.acceptsTestClock ? request.headers.get('X-Test-Now') : null;
  return {
    request,
    requestId: requestIdOf(request),
    now: testNow !== null && TEST_NOW.test(testNow) ? Number(testNow) : time.clock(),
    startedAt: performance.now(),
    baseUrl: baseUrl || originOf(request.url),
    charges: [],
    caller: null,
    unknownParameters: null,
    ignoresToken: false,
    tokenId: null,
    error: null,
  };
}

/** Scheme and host of an absolute URL. */
function originOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2);
  return end < 0 ? url : url.slice(0, end);
}

/** The request id of the client if it is valid, otherwise a new one. */
export function requestIdOf(request: Request): string {
  const sentId = request.headers.get('X-Request-ID');
  return sentId !== null && REQUEST_ID.test(sentId) ? sentId : crypto.randomUUID();
}
