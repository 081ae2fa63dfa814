import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { installCommands } from '../../platform/http/pages/client-packages.ts';
import { ERROR_CATALOGUE, ERROR_CODES } from '../../platform/kit/errors/catalogue.ts';
import { CONVENTIONS } from './conventions.data.ts';

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
