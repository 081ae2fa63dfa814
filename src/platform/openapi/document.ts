import { OpenAPIHono } from '@hono/zod-openapi';
import { type Budgets, budgetsFrom } from '../access/policy/budgets.ts';
import { type Access, STANDARD_GROUP } from '../access/policy/policy.ts';
import { ERROR_CATALOGUE, type ErrorCode } from '../errors/catalogue.ts';
import { bodyLimitOf, sizeText } from '../http/body-limit.ts';
import type { Endpoint } from '../http/pipeline/define-route.ts';
import type { Settings } from '../settings/settings.data.ts';
import { errorComponent, HEADER_COMPONENTS, HEADER_PARAMETERS, headersOf } from './components.ts';
import { tableContent, tableSentence } from './table-content.ts';

type Registry = OpenAPIHono['openAPIRegistry'];
type RouteConfig = Parameters<Registry['registerPath']>[0];

const SECURITY_SCHEME = 'APIToken';

/** Title and introduction of a document. */
export type DocumentInfo = Parameters<OpenAPIHono['getOpenAPI31Document']>[0]['info'];

/** The OpenAPI 3.1 document of the endpoints that the given settings leave switched on. */
export function buildDocument(
  endpoints: readonly Endpoint[],
  settings: Settings,
  baseUrl: string,
  tagTexts: Readonly<Record<string, string>>,
  info: DocumentInfo,
): object {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent('securitySchemes', SECURITY_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token of the developer portal, sent as `Authorization: Bearer <API token>`.',
  });
  for (const [name, header] of Object.entries(HEADER_COMPONENTS)) registry.registerComponent('headers', name, header);
  for (const [name, parameter] of Object.entries(HEADER_PARAMETERS)) registry.registerComponent('parameters', name, parameter);
  const budgets = budgetsFrom(settings, 1);
  const shown = endpoints.filter(({ spec }) => !spec.hidden && (spec.feature === undefined || settings[spec.feature]));
  const shared = new Set<ErrorCode>();
  for (const endpoint of shown) {
    for (const [code, ...more] of errorsByStatus(endpoint).values()) if (code && more.length === 0) shared.add(code);
    registry.registerPath(operationOf(endpoint, budgets));
  }
  for (const code of shared) registry.registerComponent('responses', code, errorComponent(code));
  const tags = [...new Set(shown.map(({ spec }) => spec.tag))].map((name) => ({ name, description: tagTexts[name] }));
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info,
    servers: [{ url: baseUrl, description: 'The data API' }],
    tags,
    externalDocs: { url: `${baseUrl}/docs`, description: 'Documentation' },
  });
}

function operationOf(endpoint: Endpoint, budgets: Budgets): RouteConfig {
  const { spec } = endpoint;
  const request: NonNullable<RouteConfig['request']> = {};
  if (spec.params) request.params = spec.params;
  if (spec.query) request.query = spec.query;
  if (spec.body) {
    const description = `At most ${sizeText(bodyLimitOf(spec))}.`;
    request.body = { required: !spec.bodyIsOptional, description, content: { 'application/json': { schema: spec.body } } };
  }
  if (spec.rawBody) request.body = rawBody(spec.rawBody);
  return {
    method: spec.method,
    path: spec.path,
    operationId: spec.operationId,
    tags: [spec.tag],
    summary: spec.summary,
    description: `${spec.description}\n\n${accessSentence(spec.access)}${repetitionSentence(spec)}${tableSentence(spec)}`,
    security: securityOf(spec.access),
    request,
    parameters: headerParametersOf(spec),
    responses: { ...successOf(endpoint), ...errorResponses(endpoint) },
    ...extensionsOf(spec.access, budgets),
  } as RouteConfig;
}

/** Kinds of access whose callers have a credential that scopes an `Idempotency-Key`. */
const WITH_CREDENTIAL: readonly Access['kind'][] = ['token', 'master', 'admin', 'session'];

function takesIdempotencyKey({ method, access, isStateless }: Endpoint['spec']): boolean {
  return method !== 'get' && !isStateless && WITH_CREDENTIAL.includes(access.kind);
}

/** What a client needs to know before it repeats a write; empty where nothing is special. */
function repetitionSentence({ method, isStateless, showsSecret }: Endpoint['spec']): string {
  if (method !== 'get' && isStateless) return ' Stores nothing: it is safe to repeat, and an `Idempotency-Key` is ignored.';
  return showsSecret ? ' The response is never stored: a repeat with the same `Idempotency-Key` is 409.' : '';
}

/** Request headers that change what an operation does. */
function headerParametersOf(spec: Endpoint['spec']): RouteConfig['parameters'] {
  const name = spec.method === 'get' ? (spec.streams ? null : 'IfNoneMatch') : takesIdempotencyKey(spec) ? 'IdempotencyKey' : null;
  return name === null ? [] : [{ $ref: `#/components/parameters/${name}` }];
}

function rawBody({ contentTypes, description, schema }: NonNullable<Endpoint['spec']['rawBody']>) {
  const content = Object.fromEntries(
    contentTypes.map((type) => [type, { schema: schema ?? { type: 'string' as const, format: 'binary' } }]),
  );
  return { required: true, description, content };
}

function successOf({ spec }: Endpoint): RouteConfig['responses'] {
  const { ok } = spec;
  const headers = headersOf(spec.access, spec.method);
  const content =
    'schema' in ok
      ? { 'application/json': { schema: ok.schema }, ...(spec.table && tableContent(spec.table)) }
      : Object.fromEntries(
          ok.contentTypes.map((type) => [
            type,
            { schema: { type: 'string' as const }, ...(ok.example === undefined ? {} : { example: ok.example }) },
          ]),
        );
  const statuses = { [ok.status ?? 200]: ok.description, ...('otherStatuses' in ok ? ok.otherStatuses : {}) };
  const success = Object.fromEntries(Object.entries(statuses).map(([status, description]) => [status, { description, headers, content }]));
  if (spec.method !== 'get') return success;
  return { ...success, 304: { description: 'Not modified: the `ETag` sent in `If-None-Match` is still current.', headers } };
}

/** Kinds of access that look at no API token. */
const WITHOUT_TOKENS: readonly Access['kind'][] = ['open', 'session', 'page', 'address'];

/** Errors follow from what the route declares; `errors` adds those only its handler knows of. */
export function errorCodesOf({ spec }: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(['internal_error', ...(spec.errors ?? [])]);
  const { kind } = spec.access;
  const looksAtTokens = !WITHOUT_TOKENS.includes(kind);
  if (looksAtTokens || kind === 'session') codes.add('not_authenticated');
  if (looksAtTokens && kind !== 'feedback') codes.add('ip_not_allowed');
  if (looksAtTokens || kind === 'address' || kind === 'session' || kind === 'page') codes.add('rate_limited');
  if (spec.access.kind === 'session' && spec.access.level === 'verified') codes.add('email_unverified');
  if (spec.access.kind === 'session' && spec.access.level === 'superuser') codes.add('forbidden');
  if (spec.method !== 'get' && (spec.surface === 'portal' || spec.surface === 'page')) codes.add('forbidden');
  if (kind === 'token') codes.add('insufficient_scope');
  if (kind === 'master' || kind === 'admin') codes.add('forbidden');
  if (spec.params || spec.query || spec.body) codes.add('validation_error');
  if (spec.body || spec.rawBody) codes.add('bad_request');
  if (spec.feature) codes.add('not_found');
  if (takesIdempotencyKey(spec)) codes.add('conflict');
  if (takesIdempotencyKey(spec) && kind === 'session') codes.add('rate_limited');
  return [...codes];
}

function errorsByStatus(endpoint: Endpoint): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(endpoint)) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** A status of one code refers to the shared response of that code. */
function errorResponses(endpoint: Endpoint): RouteConfig['responses'] {
  const { spec } = endpoint;
  const responses: RouteConfig['responses'] = {};
  for (const [status, codes] of errorsByStatus(endpoint)) {
    const [first] = codes;
    if (codes.length === 1 && first) responses[status] = { $ref: `#/components/responses/${first}` };
    else responses[status] = errorComponent(...codes);
  }
  if (spec.body || spec.rawBody) {
    const description = `The body is larger than ${sizeText(bodyLimitOf(spec))}.`;
    responses[413] = { ...errorComponent('bad_request'), description };
  }
  if (spec.asksUpstream) responses[502] = { ...errorComponent('internal_error'), description: 'An outside service failed.' };
  return responses;
}

function securityOf(access: Access): RouteConfig['security'] {
  if (access.kind === 'open' || access.kind === 'page' || access.kind === 'address') return [];
  if (access.kind === 'public' || access.kind === 'tokenless' || access.kind === 'feedback') return [{}, { [SECURITY_SCHEME]: [] }];
  return [{ [SECURITY_SCHEME]: [] }];
}

function accessSentence(access: Access): string {
  switch (access.kind) {
    case 'open':
      return 'Access: open; no token, no limit.';
    case 'public':
    case 'tokenless':
      return `Access: public. A token with the scope \`${access.scope}\` lifts the budget.`;
    case 'token':
      return `Access: a token with the scope \`${access.scope}\`.`;
    case 'any-token':
      return 'Access: any valid token, free of charge.';
    case 'master':
      return 'Access: the token of a superuser; accepted inserts have a cooldown.';
    case 'session':
      return 'Access: signed in to the developer portal; counted for the account.';
    case 'page':
      return 'Access: a page of the developer portal.';
    case 'address':
      return 'Access: open; counted for the address.';
    case 'admin':
      return 'Access: the token of a superuser with every scope.';
    case 'feedback':
      return 'Access: open; accepted submissions are counted for the address.';
  }
}

function extensionsOf(access: Access, budgets: Budgets): Record<string, unknown> {
  const limitOf = ({ limit, windowSeconds }: { limit: number; windowSeconds: number }) => ({ limit, window_seconds: windowSeconds });
  const scope = 'scope' in access ? { 'x-scope': access.scope } : {};
  const extensions: Record<string, unknown> = { 'x-access': access.kind, ...scope };
  if (access.kind === 'public' || access.kind === 'tokenless') {
    extensions['x-rate-limit'] = {
      anonymous: limitOf(budgets.anonymous(access.budget).budget),
      token: limitOf(budgets.token(access.budget).budget),
    };
  } else if (access.kind === 'token') {
    const extra = access.extra ? { [access.extra.name]: limitOf(budgets.of(access.extra)) } : {};
    extensions['x-rate-limit'] = { token: limitOf(budgets.token(access.budget).budget), ...extra };
  } else if (access.kind === 'master') {
    extensions['x-rate-limit'] = { token: limitOf(budgets.token(STANDARD_GROUP).budget), ingest: limitOf(budgets.ingest) };
  } else if (access.kind === 'address' || access.kind === 'feedback') {
    extensions['x-rate-limit'] = { [access.budget.name]: limitOf(budgets.of(access.budget)) };
  }
  return extensions;
}
