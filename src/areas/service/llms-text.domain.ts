import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { installCommands } from '../../platform/http/pages/client-packages.ts';
import { TOOLS } from '../../platform/http/pages/menu.data.ts';
import { ERROR_CATALOGUE, ERROR_CODES } from '../../platform/kit/errors/api-error.ts';

/** Conventions of all endpoints, for llms.txt. */
const CONVENTIONS: readonly string[] = [
  'Bodies are JSON unless an endpoint states otherwise. Times are integer unix seconds in UTC, unless a field is named `*_iso` or holds an ISO 8601 string.',
  'The game runs on UTC-11 all year: a game day starts at 11:00 UTC, a game week on Monday at 11:00 UTC.',
  'Lists with a history take `limit` and `offset` and return `{items, count, total}`: `count` items are on the page, `total` match.',
  'Unknown query parameters are ignored; the response header `Unknown-Parameters` names them, such as `att;did-you-mean=at`. A repeated parameter returns 422. An empty value counts as absent.',
  'Every response has `X-Request-ID`; send your own (letters, digits, `.`, `_`, `-`, at most 64) to set it.',
  'Public endpoints work without a token. `Authorization: Bearer <API token>` raises the rate limit and gives access to the endpoints that require a token. An invalid token returns 401 on every endpoint. Never put a token into a URL.',
  'Rate limits count requests in fixed windows per address (IPv6: per /64 network) or per token. Counted responses have `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (unix seconds); a 429 has `Retry-After` in seconds. Each operation states its limits in the OpenAPI document as `x-rate-limit`.',
  'Every GET has an `ETag`: send it in `If-None-Match` to get 304 until the body changes. Bodies with countdowns have a weak `ETag` that ignores the running seconds: count down from `ends_at` and the `Date` header.',
  'Send `Idempotency-Key` (1 to 200 characters) with a write to retry it safely: for a day, a request with the same key and body returns the first response.',
  'The data API accepts requests from browsers on any origin (CORS), without cookies.',
  'Within `/v1` nothing is removed or renamed and inputs do not become stricter. A breaking change is announced 12 months ahead with `Deprecation` and `Sunset` headers. New fields, endpoints and scopes may appear at any time.',
];

interface Operation {
  summary?: string;
  tags?: string[];
  'x-access'?: string;
  'x-scope'?: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content?: Record<string, { schema?: SchemaLike }> };
  responses?: Record<string, { content?: Record<string, { schema?: SchemaLike }> }>;
}
interface SchemaLike {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, SchemaLike>;
  items?: SchemaLike;
  anyOf?: SchemaLike[];
}
interface DocumentLike {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, SchemaLike> };
}

/** Maximum number of nesting levels in the outline of a body. */
const MAX_OUTLINE_DEPTH = 2;

export interface GuideLink {
  /** Path below `/docs/`. */
  name: string;
  title: string;
  description: string;
}

interface LlmsContext {
  baseUrl: string;
  scopes: ScopeRegistry;
  guides: readonly GuideLink[];
}

/** Creates llms.txt: conventions, guides, and one line for each operation of the document. */
export function llmsText(document: DocumentLike, { baseUrl, scopes, guides }: LlmsContext): string {
  const install = installCommands(baseUrl);
  const lines = [
    '# Game Data API',
    '',
    '> HTTP JSON API with live data for an online game: rotations, feeds, calculators, game files, leaderboards, market, events.',
    '',
    `Base URL: ${baseUrl}. OpenAPI document: ${baseUrl}/openapi.json. Do not call paths under /auth: they are for the portal.`,
    '',
    `Client libraries: \`${install.typescript}\` for TypeScript, \`${install.python}\` for Python. Guide: ${baseUrl}/docs/clients.`,
    '',
    `Assistants: fifteen read-only tools over the Model Context Protocol (streamable HTTP, no session) at ${baseUrl}/mcp; an API token in the Authorization header is optional.`,
    '',
    '## Conventions',
    '',
    ...CONVENTIONS.map((text) => `- ${text}`),
    '',
    '## Guides',
    '',
    ...guides.map(({ name, title, description }) => `- [${title}](${baseUrl}/docs/${name}): ${description}`),
    '',
    '## Tools for people',
    '',
    ...TOOLS.map(({ name, title, text }) => `- [${title}](${baseUrl}/tools/${name}): ${text}`),
    '',
    '## Errors',
    '',
    'Envelope: {"error": {"code", "message", "details", "hint", "doc_url"}}.',
    ...ERROR_CODES.map((code) => `- ${code} (${ERROR_CATALOGUE[code].status}): ${ERROR_CATALOGUE[code].summary}`),
    '',
    '## Scopes',
    '',
    ...scopes.names.map((scope) => `- ${scope}: ${scopes.descriptionOf(scope)}`),
    '',
    '## Endpoints',
    ...endpointLines(document),
  ];
  return `${lines.join('\n')}\n`;
}

function endpointLines(document: DocumentLike): string[] {
  const byTag = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? 'Other';
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationLine(document, method, path, operation)]);
    }
  }
  return [...byTag].flatMap(([tag, lines]) => ['', `### ${tag}`, '', ...lines]);
}

function operationLine(document: DocumentLike, method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => (parameter.required ? parameter.name : `${parameter.name}?`));
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  const scope = operation['x-scope'] ? ` ${operation['x-scope']}` : '';
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const bodyOutline = body ? ` body ${outlineOf(document, body, MAX_OUTLINE_DEPTH)}` : '';
  return `- ${method.toUpperCase()} ${path}${query} [${operation['x-access']}${scope}] ${operation.summary}.${bodyOutline} -> ${responseOutline(document, operation)}`;
}

function responseOutline(document: DocumentLike, operation: Operation): string {
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
  const [type, content] = Object.entries(success?.content ?? {})[0] ?? [];
  if (type === undefined) return 'no body';
  return type === 'application/json' && content?.schema ? outlineOf(document, content.schema, MAX_OUTLINE_DEPTH) : type;
}

function outlineOf(document: DocumentLike, schema: SchemaLike, depth: number): string {
  const resolved = resolveSchema(document, schema);
  if (resolved?.items) return depth > 0 ? `[${outlineOf(document, resolved.items, depth - 1)}]` : '[…]';
  if (!resolved?.properties) return resolved?.type === 'object' ? '{…}' : String(resolved?.type ?? 'any');
  if (depth <= 0) return '{…}';
  const fields = Object.entries(resolved.properties).map(([name, field]) => {
    const resolvedField = resolveSchema(document, field);
    return resolvedField?.items || resolvedField?.properties ? `${name}: ${outlineOf(document, field, depth - 1)}` : name;
  });
  return `{${fields.join(', ')}}`;
}

/** Resolves `$ref`. Returns the first of several alternatives. */
function resolveSchema({ components }: DocumentLike, schema: SchemaLike): SchemaLike | undefined {
  const choice = schema.anyOf?.[0] ?? schema;
  return choice.$ref ? components?.schemas?.[choice.$ref.split('/').at(-1) ?? ''] : choice;
}
