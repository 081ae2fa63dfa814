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
import { outcomeFor, rateLimitsOfPrograms } from './access-checks.ts';
import type { CredentialName } from './access-table.data.ts';
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
      const isAdmitted = (name: CredentialName) => outcomeFor(spec.access, name).status === 'success';
      const optional = isAdmitted('malformed') ? [] : [{ APIToken: [] }, {}];
      expect(operation?.security).toEqual(isAdmitted('none') ? optional : [{ APIToken: [] }]);
    }
  });

  it('declares the rate limit that each operation charges', () => {
    const stated = new Map(operationsIn(document).map((located) => [`${located.method} ${located.path}`, located.operation]));
    for (const { spec } of ENDPOINTS.filter((endpoint) => !endpoint.spec.hidden)) {
      const operation = stated.get(`${spec.method} ${spec.path}`);
      expect(operation?.['x-rate-limit'], spec.operationId).toEqual(rateLimitsOfPrograms(spec.access));
    }
  });
});
