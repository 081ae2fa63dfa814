import {
  isSuccessStatus,
  type LocatedOperation,
  type OpenApiDocument,
  operationsIn,
  type ResponseObject,
  resolved,
  type SchemaObject,
  typesOf,
} from './openapi-model.ts';
import { mediaSample, parameterSample } from './openapi-samples.ts';

/** Something in the document that falls short of what we promise of it. */
export interface DocumentProblem {
  /** Where: an operation, or a named part. */
  at: string;
  rule: string;
  detail: string;
}

/** Budgets that operations of each kind of access charge, as `x-rate-limit` names them. */
const BUDGETS_BY_ACCESS: Readonly<Record<string, readonly string[]>> = {
  open: [],
  'any-token': [],
  public: ['anonymous', 'token'],
  tokenless: ['anonymous', 'token'],
  token: ['token'],
  master: ['ingest', 'token'],
  admin: ['token'],
  feedback: ['feedback'],
};
/** Further budgets of operations with a scope. */
const BUDGETS_BY_SCOPE: Readonly<Record<string, readonly string[]>> = { 'ocr:read': ['ocr'] };
const SCOPED_ACCESS = ['public', 'tokenless', 'token'];

/** Our own rules, beyond what a general linter knows: everything is described, shown and accounted for. */
export function findDocumentProblems(document: OpenApiDocument): DocumentProblem[] {
  return [
    ...Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => namedSchemaProblems(document, name, schema)),
    ...Object.entries(document.components?.responses ?? {}).flatMap(([name, response]) =>
      responseProblems(document, `response ${name}`, response),
    ),
    ...Object.entries(document.components?.headers ?? {}).flatMap(([name, header]) => described(`header ${name}`, header)),
    ...operationsIn(document).flatMap((located) => operationProblems(document, located)),
  ];
}

const isBlank = (text: string | undefined) => text === undefined || text.trim() === '';

function described(at: string, { description }: { description?: string | undefined }): DocumentProblem[] {
  return isBlank(description) ? [{ at, rule: 'description', detail: 'has no description' }] : [];
}

function namedSchemaProblems(document: OpenApiDocument, name: string, schema: SchemaObject): DocumentProblem[] {
  const at = `schema ${name}`;
  // A nullable property of a named schema must not turn the schema itself nullable wherever else it is used.
  const isNullable =
    typesOf(schema).includes('null') || [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some((part) => part.type === 'null');
  const nullable = isNullable ? [{ at, rule: 'not-nullable', detail: 'a named schema is never null; say so where it is used' }] : [];
  return [...described(at, schema), ...nullable, ...propertyProblems(document, at, schema)];
}

/** Properties without a description: their own, or that of the named schema they refer to. */
function propertyProblems(document: OpenApiDocument, at: string, schema: SchemaObject): DocumentProblem[] {
  if (schema.$ref !== undefined) return [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...described(`${at}.${name}`, property.$ref === undefined ? property : resolved(document, property)),
    ...propertyProblems(document, `${at}.${name}`, property),
  ]);
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.prefixItems ?? [])];
  const inner = [...parts, ...(schema.items ? [schema.items] : [])].flatMap((part) => propertyProblems(document, at, part));
  const { additionalProperties } = schema;
  return [
    ...own,
    ...inner,
    ...(typeof additionalProperties === 'object' ? propertyProblems(document, `${at}.*`, additionalProperties) : []),
  ];
}

function operationProblems(document: OpenApiDocument, located: LocatedOperation): DocumentProblem[] {
  const { method, path, operation, parameters } = located;
  const at = `${method.toUpperCase()} ${path}`;
  const missing = (['operationId', 'summary', 'description'] as const)
    .filter((field) => isBlank(operation[field]))
    .map((field) => ({ at, rule: field, detail: `has no ${field}` }));
  const body = operation.requestBody && resolved(document, operation.requestBody);
  return [
    ...missing,
    ...(operation.tags?.length === 1 ? [] : [{ at, rule: 'tag', detail: 'has not exactly one tag' }]),
    ...accessProblems(at, located),
    ...parameters.flatMap((parameter) => {
      const sample = parameterSample(document, parameter);
      const example = sample.ok ? [] : [{ at: `${at} ${parameter.name}`, rule: 'example', detail: 'has no example' }];
      return [...described(`${at} ${parameter.name}`, parameter), ...example];
    }),
    ...Object.entries(body?.content ?? {}).flatMap(([type, media]) => mediaProblems(document, `${at} body ${type}`, type, media)),
    ...Object.entries(operation.responses ?? {}).flatMap(([status, response]) => responseProblems(document, `${at} ${status}`, response)),
  ];
}

/** Who may call, what it costs and how it fails are stated, and fit together. */
function accessProblems(at: string, { operation }: LocatedOperation): DocumentProblem[] {
  const access = operation['x-access'] ?? '';
  const ofAccess = BUDGETS_BY_ACCESS[access];
  if (!ofAccess) return [{ at, rule: 'x-access', detail: access === '' ? 'is missing' : `unknown: ${access}` }];
  const budgets = [...ofAccess, ...(BUDGETS_BY_SCOPE[operation['x-scope'] ?? ''] ?? [])].sort();
  const problems: DocumentProblem[] = [];
  const stated = Object.keys(operation['x-rate-limit'] ?? {}).sort();
  if (stated.join() !== budgets.join())
    problems.push({ at, rule: 'x-rate-limit', detail: `states ${stated.join() || 'nothing'}, charges ${budgets.join()}` });
  if (SCOPED_ACCESS.includes(access) === isBlank(operation['x-scope'])) {
    problems.push({ at, rule: 'x-scope', detail: SCOPED_ACCESS.includes(access) ? 'is missing' : 'plays no part here' });
  }
  const statuses = Object.keys(operation.responses ?? {});
  if (!statuses.some(isSuccessStatus)) problems.push({ at, rule: 'responses', detail: 'no success' });
  if (access !== 'open' && !statuses.includes('401')) problems.push({ at, rule: 'responses', detail: 'no 401' });
  if (budgets.length > 0 && !statuses.includes('429')) problems.push({ at, rule: 'responses', detail: 'no 429' });
  if (operation.security === undefined) problems.push({ at, rule: 'security', detail: 'is not stated' });
  return problems;
}

function responseProblems(document: OpenApiDocument, at: string, response: ResponseObject): DocumentProblem[] {
  if (response.$ref !== undefined) return [];
  return [
    ...described(at, response),
    ...Object.entries(response.headers ?? {}).flatMap(([name, header]) => described(`${at} ${name}`, resolved(document, header))),
    ...Object.entries(response.content ?? {}).flatMap(([type, media]) => mediaProblems(document, `${at} ${type}`, type, media)),
  ];
}

function mediaProblems(document: OpenApiDocument, at: string, type: string, media: Parameters<typeof mediaSample>[1]): DocumentProblem[] {
  const inline = media.schema ? propertyProblems(document, at, media.schema) : [];
  const sample = type === 'application/json' && media.schema?.type !== 'string' ? mediaSample(document, media) : { ok: true as const };
  return sample.ok ? inline : [...inline, { at, rule: 'example', detail: `no example at ${sample.at}` }];
}
