import { describe, expect, it } from 'vitest';
import {
  type MediaTypeObject,
  type OpenApiDocument,
  operationsIn,
  resolved,
  type SchemaObject,
} from '../../scripts/lib/openapi/openapi-model.ts';
import { schemaProblems } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { call, ORIGIN } from '../support/requests.ts';
import { classOf, rateLimitNamed } from './access-checks.ts';
import { RATE_LIMITS } from './access-table.data.ts';
import { prepare } from './prepare.ts';

await prepare();

/** The published document. */
const document: OpenApiDocument = JSON.parse((await call('/openapi.json')).text);

/** An example value with its schema. */
interface Example {
  at: string;
  schema: SchemaObject;
  value: unknown;
}

function examplesOfSchema(schema: SchemaObject, at: string): Example[] {
  const own = [...(schema.example === undefined ? [] : [schema.example]), ...(schema.examples ?? [])];
  const parts: [string, SchemaObject][] = [
    ...Object.entries(schema.properties ?? {}),
    ...[...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.prefixItems ?? [])].map(
      (part, index): [string, SchemaObject] => [String(index), part],
    ),
    ...(schema.items ? [['[]', schema.items] as [string, SchemaObject]] : []),
    ...(typeof schema.additionalProperties === 'object' ? [['*', schema.additionalProperties] as [string, SchemaObject]] : []),
  ];
  return [...own.map((value) => ({ at, schema, value })), ...parts.flatMap(([name, part]) => examplesOfSchema(part, `${at}/${name}`))];
}

function examplesOfContent(content: Readonly<Record<string, MediaTypeObject>> | undefined, at: string): Example[] {
  return Object.entries(content ?? {}).flatMap(([type, { schema = {}, example, examples }]) => [
    ...[...(example === undefined ? [] : [example]), ...Object.values(examples ?? {}).map(({ value }) => value)].map((value) => ({
      at: `${at} ${type}`,
      schema,
      value,
    })),
    ...examplesOfSchema(schema, `${at} ${type}`),
  ]);
}

/** All examples of the document. */
function examplesIn(): Example[] {
  return [
    ...Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => examplesOfSchema(schema, name)),
    ...Object.entries(document.components?.responses ?? {}).flatMap(([name, { content }]) => examplesOfContent(content, name)),
    ...Object.entries(document.components?.headers ?? {}).map(([at, { schema = {}, example }]) => ({ at, schema, value: example })),
    ...operationsIn(document).flatMap(({ method, path, operation, parameters }) => {
      const at = `${method} ${path}`;
      return [
        ...parameters.flatMap(({ name, schema = {} }) => examplesOfSchema(schema, `${at} ${name}`)),
        ...examplesOfContent(operation.requestBody && resolved(document, operation.requestBody).content, at),
        ...Object.entries(operation.responses ?? {}).flatMap(([status, response]) =>
          examplesOfContent(resolved(document, response).content, `${at} ${status}`),
        ),
      ];
    }),
  ];
}

describe('the OpenAPI document', () => {
  it('has version 3.1 and the origin of the request as its server', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect((document as { servers?: { url: string }[] }).servers?.[0]?.url).toBe(ORIGIN);
  });

  it('lists exactly the endpoints that are not hidden', () => {
    const listed = operationsIn(document).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(listed.sort()).toEqual(
      ENDPOINTS.filter(({ spec }) => !spec.hidden)
        .map(titleOf)
        .sort(),
    );
  });

  it('has examples that match their schemas', () => {
    const examples = examplesIn();
    expect(examples.length).toBeGreaterThan(100);
    const wrong = examples.flatMap(({ at, schema, value }) =>
      schemaProblems(document, schema, value).map((problem) => `${at}: ${problem}`),
    );
    expect(wrong).toEqual([]);
  });

  it('declares the enforced access of each operation', () => {
    const stated = new Map(operationsIn(document).map((located) => [`${located.method} ${located.path}`, located.operation]));
    for (const { spec } of ENDPOINTS.filter((endpoint) => !endpoint.spec.hidden)) {
      const operation = stated.get(`${spec.method} ${spec.path}`);
      expect(operation?.['x-access'], spec.path).toBe(spec.access.kind);
      expect(operation?.['x-scope']).toBe('scope' in spec.access ? spec.access.scope : undefined);
      const endpointClass = classOf(spec.access);
      const optional = [{ APIToken: [] }, {}];
      const security: Record<string, unknown> = { open: [], address: [], public: optional, optional_token: optional, feedback: optional };
      expect(operation?.security).toEqual(security[endpointClass] ?? [{ APIToken: [] }]);
    }
  });

  /** Rate limits of single operations. */
  const CATALOG = [
    'listMods',
    'listPopularMods',
    'getModReleasesFeed',
    'lookUpMods',
    'getMod',
    'listModpacks',
    'listModpacksWithMod',
    'getModpack',
  ];
  const GROUPS: ReadonlyMap<string, string> = new Map([
    ...CATALOG.map((id) => [id, '-mods-catalog'] as const),
    ...['getModImage', 'downloadModRelease', 'downloadModpack'].map((id) => [id, '-mods-files'] as const),
    ['downloadFile', '-updates-file'],
    ['getVideosBImage', '-videos-b-image'],
  ]);

  it('declares the rate limit that each operation charges', () => {
    const stated = (name: keyof typeof RATE_LIMITS) => ({
      limit: RATE_LIMITS[name].limit,
      window_seconds: RATE_LIMITS[name].windowSeconds,
    });
    for (const { method, operation, path } of operationsIn(document)) {
      const group =
        operation['x-scope'] === 'codexes:read'
          ? '-codexes'
          : path.endsWith('.svg')
            ? '-images'
            : (GROUPS.get(operation.operationId ?? '') ?? '');
      const token = stated(rateLimitNamed(`token${group}`));
      const anonymous = stated(rateLimitNamed(`anon${group}`));
      const renders = { anonymous: stated('anon-codex-renders'), token: stated('token-codex-renders') };
      const images = { anonymous: stated('anon-codex-images'), token: stated('token-codex-images'), computed: renders };
      const expected: Record<string, unknown> = {
        public: operation.operationId === 'renderBlueprint' ? images : { anonymous, token },
        tokenless: { anonymous, token },
        'optional-token': { anonymous: stated('anon-search'), token: stated('token-search') },
        token: operation['x-scope'] === 'ocr:read' ? { token, ocr: { limit: 10, window_seconds: 60 } } : { token },
        feedback: { feedback: stated('feedback') },
        address: { mcp: stated('mcp') },
        project: { 'project-key': stated('project-key') },
        master: method === 'get' ? { token } : { token, ingest: stated('ingest') },
      };
      expect(operation['x-rate-limit'], operation.operationId).toEqual(expected[operation['x-access'] ?? '']);
    }
  });
});
