import { z } from '@hono/zod-openapi';
import type { LocatedOperation, OpenApiDocument, SchemaObject } from '../../scripts/lib/openapi/openapi-model.ts';
import { operationsIn } from '../../scripts/lib/openapi/openapi-model.ts';
import { documentInfo } from '../../src/areas/service/document.data.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { buildDocument } from '../../src/platform/openapi/document.ts';
import { ABOUT, ALL_ON, ENDPOINTS } from './endpoints.ts';
import { ORIGIN } from './requests.ts';

/** All endpoints, with `hidden` removed. */
const unhidden = ENDPOINTS.map((endpoint) => ({ ...endpoint, spec: { ...endpoint.spec, hidden: false } }));

/** Document of all registered endpoints, including those hidden from the published document. */
export const FULL_DOCUMENT = buildDocument(unhidden, ALL_ON, ORIGIN, { ...ABOUT, info: documentInfo }) as OpenApiDocument;

const operations = new Map<string, LocatedOperation>(
  operationsIn(FULL_DOCUMENT).map((operation) => [`${operation.method} ${operation.path}`, operation]),
);

/** The operation that describes an endpoint. */
export function operationOf({ spec }: Endpoint): LocatedOperation {
  const operation = operations.get(`${spec.method} ${spec.path}`);
  if (!operation) throw new Error(`${spec.method} ${spec.path} is not in the document`);
  return operation;
}

const validators = new WeakMap<SchemaObject, z.ZodType>();

/**
 * Violations of a document's schema by a value. Uses the published schema, not the
 * service's own validation.
 */
export function schemaProblems(document: OpenApiDocument, schema: SchemaObject, value: unknown): string[] {
  let validator = validators.get(schema);
  if (!validator) {
    validator = z.fromJSONSchema(selfContained(document, schema));
    validators.set(schema, validator);
  }
  const result = validator.safeParse(value);
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('/')}: ${issue.message}`);
}

const NAMED_SCHEMA = /"#\/components\/schemas\/([^"]+)"/g;

/** The schema with all referenced schemas, as one JSON Schema. */
function selfContained(document: OpenApiDocument, schema: SchemaObject): Parameters<typeof z.fromJSONSchema>[0] {
  const reached: Record<string, SchemaObject> = {};
  const unread: SchemaObject[] = [schema];
  for (let next = unread.pop(); next !== undefined; next = unread.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(NAMED_SCHEMA)) {
      const named = document.components?.schemas?.[name];
      if (!named || Object.hasOwn(reached, name)) continue;
      reached[name] = named;
      unread.push(named);
    }
  }
  return JSON.parse(JSON.stringify({ ...schema, $defs: reached }).replaceAll('"#/components/schemas/', '"#/$defs/'));
}
