import { type LocatedOperation, type OpenApiDocument, operationsIn, resolved, type SchemaObject, typesOf } from './openapi-model.ts';
import { mediaSample, parameterSample } from './openapi-samples.ts';
import { findShapeProblems } from './openapi-shape-rules.ts';

/** A violation of a rule for the document. */
export interface DocumentProblem {
  /** Location: an operation or a named component. */
  at: string;
  rule: string;
  detail: string;
}

/** Rules that `redocly.yaml` cannot express, because it cannot distinguish a property from its subschemas or build samples. */
export function findDocumentProblems(document: OpenApiDocument): DocumentProblem[] {
  return [
    ...findShapeProblems(document),
    ...Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => [
      ...described(`schema ${name}`, schema),
      ...notNullable(`schema ${name}`, schema),
      ...propertyProblems(document, `schema ${name}`, schema),
    ]),
    ...operationsIn(document).flatMap((located) => operationProblems(document, located)),
  ];
}

function described(at: string, { description = '' }: { description?: string | undefined }): DocumentProblem[] {
  return description.trim() === '' ? [{ at, rule: 'description', detail: 'has no description' }] : [];
}

/** A named schema must not be nullable, because it would be nullable wherever it is used. */
function notNullable(at: string, schema: SchemaObject): DocumentProblem[] {
  const parts = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const isNullable = parts.some((part) => typesOf(part).includes('null'));
  return isNullable
    ? [{ at, rule: 'not-nullable', detail: 'a named schema must not be nullable; declare null where the schema is used' }]
    : [];
}

/** Properties without a description of their own or of the referenced schema. */
function propertyProblems(document: OpenApiDocument, at: string, schema: SchemaObject): DocumentProblem[] {
  if (schema.$ref !== undefined) return [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...described(`${at}.${name}`, property.$ref === undefined ? property : resolved(document, property)),
    ...propertyProblems(document, `${at}.${name}`, property),
  ]);
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.prefixItems ?? [])];
  const rest = [schema.items, typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined];
  return [...own, ...[...parts, ...rest].flatMap((part) => (part ? propertyProblems(document, at, part) : []))];
}

function operationProblems(document: OpenApiDocument, { method, path, operation, parameters }: LocatedOperation): DocumentProblem[] {
  const at = `${method.toUpperCase()} ${path}`;
  const body = operation.requestBody && resolved(document, operation.requestBody);
  const media = [{ name: 'body', content: body?.content }];
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    media.push({ name: status, content: resolved(document, response).content });
  }
  return [
    ...parameters.flatMap((parameter) =>
      parameterSample(document, parameter).ok ? [] : [{ at: `${at} ${parameter.name}`, rule: 'example', detail: 'has no example' }],
    ),
    ...media.flatMap(({ name, content = {} }) =>
      Object.entries(content).flatMap(([type, one]) => mediaProblems(document, `${at} ${name} ${type}`, type, one)),
    ),
  ];
}

function mediaProblems(document: OpenApiDocument, at: string, type: string, media: Parameters<typeof mediaSample>[1]): DocumentProblem[] {
  const inline = media.schema ? propertyProblems(document, at, media.schema) : [];
  const sample = type === 'application/json' && media.schema?.type !== 'string' ? mediaSample(document, media) : { ok: true as const };
  return sample.ok ? inline : [...inline, { at, rule: 'example', detail: `no example at ${sample.at}` }];
}
