import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentDocument } from '../openapi/openapi-document.ts';
import { inRoot } from '../paths.ts';
import { PYTHON_CLIENT } from './python-client.ts';
import { pythonTypes } from './python-types.ts';
import { type TypedDocument, typescriptTypes } from './typescript-types.ts';

/** Git-ignored files: the packages of the clients have them, and a checkout builds them. */
const TYPES = inRoot('clients', 'typescript', 'src', 'schema.d.ts');
const PYTHON_TYPES = join(PYTHON_CLIENT, 'game_data_types.py');
/** Paths included in the client. */
const PUBLISHED = /^\/(?:v1\/|health$)/;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name?: string; in?: string; required?: boolean; schema?: Json; description?: string }[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Json }> };
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>;
}

/** Writes the types of both clients from the OpenAPI document of the sources. */
export async function writeClientTypes(): Promise<void> {
  const document = await clientDocument();
  const typed = document as unknown as TypedDocument;
  const schemas = (document.components as { schemas: JsonObject }).schemas;
  for (const [path, text] of [
    [TYPES, typescriptTypes(typed)],
    [PYTHON_TYPES, pythonTypes(schemas)],
  ] as const) {
    // An unchanged file keeps its time, by which programs that watch it know that nothing changed.
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}

/** Whether both clients have types, maybe of an earlier document. */
export const haveClientTypes = () => existsSync(TYPES) && existsSync(PYTHON_TYPES);

/** The document reduced to a client's needs: data paths, inputs, success bodies, and one error. Examples and headers would triple the types. */
async function clientDocument(): Promise<JsonObject> {
  const { paths, components } = (await currentDocument()) as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: JsonObject };
  };
  const slim = Object.entries(paths)
    .filter(([path]) => PUBLISHED.test(path))
    .map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, slimOperation(operation)])),
    ]);
  const used = { paths: Object.fromEntries(slim) } as JsonObject;
  return {
    openapi: '3.1.0',
    info: { title: 'Game Data API', version: '1' },
    ...used,
    components: { schemas: reachable(used, withoutExamples(components.schemas) as JsonObject) },
  };
}

function slimOperation({ operationId, summary, parameters = [], requestBody, responses }: Operation): Json {
  const contentOf = (content: Record<string, { schema?: Json }>) =>
    Object.fromEntries(Object.entries(content).map(([type, { schema = {} }]) => [type, { schema: withoutExamples(schema) }]));
  const successes = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => [status, { description: '', ...(content ? { content: contentOf(jsonOnly(content)) } : {}) }]);
  const failure = { description: '', content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } } };
  const inputs = parameters
    .filter((parameter) => parameter.name !== undefined && parameter.in !== 'header')
    .map(({ name = '', in: place = '', required = false, schema = {}, description = '' }) => ({
      name,
      in: place,
      required,
      description,
      schema: withoutExamples(schema),
    }));
  return {
    operationId,
    summary,
    parameters: inputs,
    ...(requestBody ? { requestBody: { required: requestBody.required ?? false, content: contentOf(requestBody.content) } } : {}),
    responses: { ...Object.fromEntries(successes), default: failure },
  };
}

/** Keeps JSON, the default format: with CSV every body type would include `string`. */
function jsonOnly<Content>(content: Record<string, Content>): Record<string, Content> {
  const json = content['application/json'];
  return json === undefined ? content : { 'application/json': json };
}

function withoutExamples(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([name, child]) => !(name === 'example' || name === 'examples') || isSchema(child));
  return Object.fromEntries(entries.map(([name, child]) => [name, withoutExamples(child)]));
}

/** Whether the value is the schema of a property named `example`. */
function isSchema(value: Json): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && ('type' in value || '$ref' in value);
}

/** The schemas that the paths reference, in their order. */
function reachable(paths: JsonObject, schemas: JsonObject): JsonObject {
  const names = new Set<string>();
  const visit = (value: Json): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(schemas[name] ?? null);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}
