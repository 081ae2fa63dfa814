import type { BreakingRule } from '../../../scripts/lib/openapi/openapi-compat.ts';
import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItem,
  SchemaObject,
} from '../../../scripts/lib/openapi/openapi-model.ts';

export type Schemas = Record<string, SchemaObject>;

/** Builders of small documents. */
export function documentOf(paths: Record<string, PathItem>, schemas: Schemas = {}): OpenApiDocument {
  return { openapi: '3.1.0', paths, components: { schemas } };
}

export function operationOf(operation: OperationObject, schemas?: Schemas): OpenApiDocument {
  return documentOf({ '/things/{id}': { post: { responses: { 200: { description: 'ok' } }, ...operation } } }, schemas);
}

export const jsonContent = (schema: SchemaObject) => ({ 'application/json': { schema } });
export const responding = (schema: SchemaObject, schemas?: Schemas) =>
  operationOf({ responses: { 200: { description: 'ok', content: jsonContent(schema) } } }, schemas);
export const accepting = (schema: SchemaObject, schemas?: Schemas) =>
  operationOf({ requestBody: { content: jsonContent(schema) } }, schemas);
export const withParameters = (...parameters: ParameterObject[]) => operationOf({ parameters });
export const withQuery = (schema: SchemaObject, more: Partial<ParameterObject> = {}) =>
  withParameters({ name: 'q', in: 'query', schema, ...more });
export const withSecurity = (...security: Record<string, string[]>[]) => operationOf({ security });

export const object = (properties: Schemas, required: string[] = []): SchemaObject => ({ type: 'object', properties, required });
export const text: SchemaObject = { type: 'string' };
export const integer: SchemaObject = { type: 'integer' };
export const refTo = (name: string): SchemaObject => ({ $ref: `#/components/schemas/${name}` });

/** A document, a version of it that breaks clients, and one that does not. */
export interface Pair {
  rule: BreakingRule;
  what: string;
  before: OpenApiDocument;
  breaking: OpenApiDocument;
  harmless: OpenApiDocument;
}

/** An operation with an unspecified response. */
export const ok = { responses: { 200: { description: 'ok' } } };
