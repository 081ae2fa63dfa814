import { OpenAPIHono } from '@hono/zod-openapi';
import {
  type Access,
  type ChargeRule,
  isTokenOptional,
  lastWayOf,
  requiresCredential,
  type Way,
  waysOfPrograms,
} from '../access/policy/policy.ts';
import { type RateLimits, rateLimitsFrom } from '../access/policy/rate-limits.ts';
import { bodyLimitOf, sizeText } from '../http/bodies/body.ts';
import type { Endpoint } from '../http/pipeline/define-route.ts';
import { INGEST_ID } from '../http/replies/headers.ts';
import { ERROR_CATALOGUE, type ErrorCode } from '../kit/errors/api-error.ts';
import type { FeatureName, Settings } from '../settings/settings.data.ts';
import {
  ERROR_SCHEMAS,
  errorComponent,
  HEADER_COMPONENTS,
  HEADER_PARAMETERS,
  type HeaderName,
  headersOf,
  isCounted,
  notModifiedComponent,
  tableContent,
  tableSentence,
} from './components.ts';
import { finishDocument, type Node } from './finish.ts';
import type { OutgoingRequest } from './outgoing.ts';
import { type SampledSchema, sampleOf } from './samples.ts';

type Registry = OpenAPIHono['openAPIRegistry'];
type RouteConfig = Parameters<Registry['registerPath']>[0];

const SECURITY_SCHEME = 'APIToken';

/** Contents of a document other than its operations. */
export interface DocumentAbout {
  /** Title and introduction. */
  info: Parameters<OpenAPIHono['getOpenAPI31Document']>[0]['info'];
  /** Descriptions by tag. */
  tags: Readonly<Record<string, string>>;
  /** Requests that the service sends to URLs of users, by name. */
  webhooks: Readonly<Record<string, OutgoingRequest>>;
}

/** Builds the OpenAPI 3.1 document of the endpoints that the settings enable. */
export function buildDocument(endpoints: readonly Endpoint[], settings: Settings, baseUrl: string, about: DocumentAbout): Node {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent('securitySchemes', SECURITY_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token of the developer portal, sent as `Authorization: Bearer <API token>`.',
  });
  for (const [name, header] of Object.entries(HEADER_COMPONENTS)) registry.registerComponent('headers', name, header);
  for (const [name, parameter] of Object.entries(HEADER_PARAMETERS)) registry.registerComponent('parameters', name, parameter);
  for (const [name, schema] of Object.entries(ERROR_SCHEMAS)) registry.registerComponent('schemas', name, schema);
  const rateLimits = rateLimitsFrom(settings, 1);
  const isOn = (feature: FeatureName | undefined) => feature === undefined || settings[feature];
  const documented = documentedEndpoints(endpoints, settings);
  const responses = new SharedResponses();
  for (const endpoint of documented) registry.registerPath(operationOf(endpoint, rateLimits, responses));
  for (const [name, request] of Object.entries(about.webhooks)) {
    if (isOn(request.feature)) registry.registerWebhook(webhookOf(name, request));
  }
  for (const [name, response] of responses.all) registry.registerComponent('responses', name, response);
  const tags = [...new Set(documented.map(({ spec }) => spec.tag))].map((name) => ({ name, description: about.tags[name] }));
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: about.info,
    servers: [{ url: baseUrl, description: 'The data API' }],
    tags,
    externalDocs: { url: `${baseUrl}/docs`, description: 'Documentation' },
  });
  return withBodyExamples(finishDocument(document, settings));
}

/** The endpoints that the documentation contains with these settings. */
export function documentedEndpoints(endpoints: readonly Endpoint[], settings: Settings): Endpoint[] {
  return endpoints.filter(({ spec }) => !spec.hidden && (spec.feature === undefined || settings[spec.feature]));
}

/** Adds a complete example to each JSON request body. Few tools combine the examples of the fields into a valid body. */
function withBodyExamples(document: Node): Node {
  for (const item of Object.values(document.paths as Record<string, Record<string, PathOperation>>)) {
    for (const { requestBody } of Object.values(item)) {
      const media = requestBody?.content?.['application/json'];
      const sample = media?.schema && media.example === undefined ? sampleOf(document, media.schema) : null;
      if (media && sample?.ok) media.example = sample.value;
    }
  }
  return document;
}

interface PathOperation {
  requestBody?: { content?: Record<string, { schema?: SampledSchema; example?: unknown }> };
}

/** Collects responses that several operations share. */
class SharedResponses {
  readonly all = new Map<string, ReturnType<typeof errorComponent> | ReturnType<typeof notModifiedComponent>>();

  /** Adds a response for error codes with the same status. */
  errors(codes: readonly ErrorCode[]): Reference {
    return this.#share(codes.join('-'), () => errorComponent(codes));
  }

  /** Adds an error response with its own description and headers. */
  error(name: string, code: ErrorCode, description: string, headers: readonly HeaderName[] = []): Reference {
    return this.#share(name, () => errorComponent([code], { description, headers }));
  }

  notModified(access: Access): Reference {
    const name = isCounted(access) ? 'not_modified' : 'not_modified_uncounted';
    return this.#share(isTokenOptional(access) ? `${name}_public` : name, () => notModifiedComponent(access));
  }

  #share(name: string, create: () => NonNullable<ReturnType<typeof this.all.get>>): Reference {
    if (!this.all.has(name)) this.all.set(name, create());
    return { $ref: `#/components/responses/${name}` };
  }
}

interface Reference {
  $ref: string;
}

function operationOf(endpoint: Endpoint, rateLimits: RateLimits, shared: SharedResponses): RouteConfig {
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
    description: `${spec.description}\n\n${spec.access.sentence}${retrySentence(spec)}${tableSentence(spec)}`,
    security: securityOf(spec.access),
    request,
    parameters: headerParametersOf(spec),
    responses: { ...successOf(endpoint, shared), ...errorResponses(endpoint, shared) },
    ...extensionsOf(spec.access, rateLimits),
  } as RouteConfig;
}

/** An `Idempotency-Key` belongs to the client, which a described token does not make known. */
function acceptsIdempotencyKey({ method, access, isStateless }: Endpoint['spec']): boolean {
  return method !== 'get' && !isStateless && requiresCredential(access) && lastWayOf(access).credential !== 'described token';
}

/** Sentence about retries of a write; empty for other operations. */
function retrySentence({ method, isStateless, showsSecret }: Endpoint['spec']): string {
  if (method !== 'get' && isStateless) return ' Stateless: safe to retry; an `Idempotency-Key` is ignored.';
  return showsSecret ? ' The response is never stored: a retry with the same `Idempotency-Key` returns 409.' : '';
}

/** Request headers of an operation. */
function headerParametersOf(spec: Endpoint['spec']): RouteConfig['parameters'] {
  const name = isConditional(spec) ? 'IfNoneMatch' : acceptsIdempotencyKey(spec) ? 'IdempotencyKey' : null;
  return name === null ? [] : [{ $ref: `#/components/parameters/${name}` }];
}

function rawBody({ contentTypes, description, schema }: NonNullable<Endpoint['spec']['rawBody']>) {
  const content = Object.fromEntries(
    contentTypes.map((type) => [type, { schema: schema ?? { type: 'string' as const, format: 'binary' } }]),
  );
  return { required: true, description, content };
}

/** True when the operation supports conditional requests. */
function isConditional({ method, streams }: Endpoint['spec']): boolean {
  return method === 'get' && !streams;
}

/** Schema of a body that is not JSON: text, or bytes for binary media types. */
function textSchema(type: string): { type: 'string'; format?: string } {
  return /^(?:text|application\/(?:json|linkset|x-ndjson))|\+(?:json|xml)/.test(type)
    ? { type: 'string' }
    : { type: 'string', format: 'binary' };
}

const exampleOf = ({ example }: { example?: unknown }) => (example === undefined ? {} : { example });

function successOf({ spec }: Endpoint, shared: SharedResponses): RouteConfig['responses'] {
  const { ok } = spec;
  const own = [...(ok.headers ?? []), ...(spec.log === undefined ? [] : ([INGEST_ID] as const))];
  const headers = headersOf(spec.access, isConditional(spec), own);
  const content =
    'schema' in ok
      ? { 'application/json': { schema: ok.schema, ...exampleOf(ok) }, ...(spec.table && tableContent(spec.table)) }
      : Object.fromEntries(ok.contentTypes.map((type) => [type, { schema: ok.document ?? textSchema(type), ...exampleOf(ok) }]));
  const others = Object.entries(ok.otherStatuses ?? {}).map(([status, description]) => [
    status,
    { description, headers, ...('schema' in ok && { content }) },
  ]);
  const partial = spec.servesRanges && {
    206: {
      description: 'The part of the file that `Range` names.',
      headers: headersOf(spec.access, true, [...own, 'Content-Range']),
      content,
    },
  };
  const success = { [ok.status ?? 200]: { description: ok.description, headers, content }, ...partial, ...Object.fromEntries(others) };
  if (!isConditional(spec)) return success;
  return { ...success, 304: shared.notModified(spec.access) };
}

/** Error codes of the ways with a credential. */
const CODES_OF_CREDENTIAL: Record<Way['credential'], readonly ErrorCode[]> = {
  none: [],
  cookie: [],
  'ignored token': ['not_authenticated'],
  'described token': ['not_authenticated', 'ip_not_allowed'],
  token: ['not_authenticated', 'ip_not_allowed'],
  'project key': ['not_authenticated', 'ip_not_allowed', 'forbidden'],
  session: ['not_authenticated'],
  'superuser session': ['forbidden', 'second_factor_required'],
};

/** Error codes of what a way requires. */
function codesOfRequirement(way: Way, access: Access): readonly ErrorCode[] {
  if (way.credential === 'token') return typeof way.requires === 'function' && requiresCredential(access) ? ['insufficient_scope'] : [];
  if (way.credential !== 'session' || way.requires === 'ordinary') return [];
  return way.requires === 'verified' ? ['email_unverified'] : CODES_OF_CREDENTIAL['superuser session'];
}

/** Error codes of an operation: derived from the declaration, plus `errors`, which only the handler throws. */
export function errorCodesOf({ spec }: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(['internal_error', ...(spec.errors ?? [])]);
  const { access } = spec;
  // The last way comes first: most clients take it.
  for (const way of access.ways.toReversed()) {
    for (const code of [...CODES_OF_CREDENTIAL[way.credential], ...codesOfRequirement(way, access)]) codes.add(code);
  }
  if (access.ways.some(({ charges }) => charges.length > 0)) codes.add('rate_limited');
  if (spec.method !== 'get' && (spec.surface === 'portal' || spec.surface === 'page')) codes.add('forbidden');
  if (spec.params || spec.query || spec.body) codes.add('validation_error');
  if (spec.body || spec.rawBody) codes.add('bad_request');
  if (spec.feature || spec.part) codes.add('not_found');
  if (acceptsIdempotencyKey(spec)) codes.add('conflict');
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

function errorResponses(endpoint: Endpoint, shared: SharedResponses): RouteConfig['responses'] {
  const { spec } = endpoint;
  const responses: RouteConfig['responses'] = {};
  for (const [status, codes] of errorsByStatus(endpoint)) responses[status] = shared.errors(codes);
  if (spec.body || spec.rawBody) {
    const size = sizeText(bodyLimitOf(spec));
    responses[413] = shared.error(`larger_than_${size.replace(' ', '_')}`, 'bad_request', `The body is larger than ${size}.`);
  }
  if (spec.method === 'get') {
    const description = '`If-Match` or `If-Unmodified-Since` names another version than the current one.';
    responses[412] = shared.error('precondition_failed', 'bad_request', description, ['ETag']);
  } else {
    responses[415] = shared.error('encoded_body', 'bad_request', '`Content-Encoding` is not `identity`.', ['Accept-Encoding']);
  }
  if (spec.servesRanges) {
    responses[416] = shared.error('range_not_satisfiable', 'bad_request', 'The file has no byte in the `Range`.', ['Content-Range']);
  }
  if (spec.streams) responses[406] = shared.error('not_acceptable', 'bad_request', '`Accept` does not admit the media type of the stream.');
  if (spec.fetchesUpstream) responses[502] = shared.error('upstream_failed', 'internal_error', 'An upstream service failed.');
  return responses;
}

/** Operation id of a webhook: `receiveModRelease` for `mod_release`. */
export function webhookOperationId(name: string): string {
  return `receive${name.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())}`;
}

/** A request that the service sends to a URL of a user. */
function webhookOf(name: string, { summary, description, tag, content }: OutgoingRequest): RouteConfig {
  return {
    method: 'post',
    path: name,
    operationId: webhookOperationId(name),
    tags: [tag],
    summary,
    description,
    security: [],
    request: { body: { required: true, description: 'The message.', content } },
    responses: {
      '2XX': { description: 'The message was accepted.' },
      '4XX': { description: 'The message was rejected; delivery is retried for transient errors.' },
    },
    'x-access': 'outgoing',
  } as RouteConfig;
}

function securityOf(access: Access): RouteConfig['security'] {
  const scheme = { [SECURITY_SCHEME]: [] };
  if (requiresCredential(access)) return [scheme];
  return isTokenOptional(access) ? [scheme, {}] : [];
}

function extensionsOf(access: Access, rateLimits: RateLimits): Record<string, unknown> {
  const limits = limitsOf(access, rateLimits);
  return {
    'x-access': access.kind,
    ...('scope' in access && { 'x-scope': access.scope }),
    ...(Object.keys(limits).length > 0 && { 'x-rate-limit': limits }),
  };
}

/** The rate limits of programs, by name. `computed`: also charged for a response that must be computed. */
function limitsOf(access: Access, rateLimits: RateLimits): Record<string, unknown> {
  const ofCharge = (charge: ChargeRule) => {
    const [name, { limit, windowSeconds }] =
      'rule' in charge
        ? [charge.rule.name, rateLimits.of(charge.rule)]
        : charge.of === 'token'
          ? ['token', rateLimits.token(charge.group).rateLimit]
          : ['anonymous', rateLimits.anonymous(charge.group).rateLimit];
    return [name, { limit, window_seconds: windowSeconds }] as const;
  };
  const ways = waysOfPrograms(access).filter(({ isOpen }) => isOpen === undefined);
  const ofWork = ways.flatMap(({ later }) => (later && 'group' in later ? [ofCharge(later)] : []));
  return {
    ...Object.fromEntries(ways.flatMap(({ charges }) => charges.map(ofCharge))),
    ...(ofWork.length > 0 && { computed: Object.fromEntries(ofWork) }),
  };
}
