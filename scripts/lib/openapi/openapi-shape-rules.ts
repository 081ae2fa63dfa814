import { type OpenApiDocument, operationsIn, type SchemaObject, typesOf } from './openapi-model.ts';
import type { DocumentProblem } from './openapi-rules.ts';

/** Valid schemas from which client generators create unusable names or types. */
export function findShapeProblems(document: OpenApiDocument): DocumentProblem[] {
  const schemas = Object.entries(document.components?.schemas ?? {});
  const inResponses = reachedByResponses(document);
  const bodies = operationsIn(document).flatMap(({ method, path, operation, parameters }) => [
    ...parameters.map(({ name, schema }): [string, SchemaObject] => [
      `${method.toUpperCase()} ${path} ${name}`,
      withoutNamed(document, schema),
    ]),
    ...schemasIn(operation.requestBody)
      .concat(schemasIn(operation.responses))
      .map((schema): [string, SchemaObject] => [`${method.toUpperCase()} ${path}`, schema]),
  ]);
  return [
    ...[...schemas, ...bodies].flatMap(([name, schema]) =>
      partsOf(schema, name).flatMap((part) => partProblems(part, part.at === name && schemas.some(([known]) => known === name))),
    ),
    ...schemas.filter(([name]) => inResponses.has(name)).flatMap(([name, schema]) => partsOf(schema, name).flatMap(defaultProblems)),
    ...nameProblems(schemas),
  ];
}

interface Part {
  at: string;
  schema: SchemaObject;
}

/** A schema and its inline subschemas, without referenced schemas. */
function partsOf(schema: SchemaObject, at: string): Part[] {
  const inner: [string, SchemaObject][] = [
    ...Object.entries(schema.properties ?? {}).map(([name, property]): [string, SchemaObject] => [`.${name}`, property]),
    ...[...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.prefixItems ?? [])].map(
      (part): [string, SchemaObject] => ['', part],
    ),
    ...(schema.items ? [['[]', schema.items] as [string, SchemaObject]] : []),
    ...(typeof schema.additionalProperties === 'object' ? [['.*', schema.additionalProperties] as [string, SchemaObject]] : []),
  ];
  return [{ at, schema }, ...inner.flatMap(([suffix, part]) => partsOf(part, at + suffix))];
}

function partProblems({ at, schema }: Part, isNamed: boolean): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if (!isNamed && (schema.enum?.length ?? 0) > 1) problems.push({ at, rule: 'named-enum', detail: 'an enum must be a named schema' });
  if (!isNamed && typesOf(schema).includes('null') && typesOf(schema).length > 1) {
    problems.push({ at, rule: 'nullable', detail: 'null is a second type; it must be a branch of anyOf' });
  }
  if (schema.enum?.includes('')) problems.push({ at, rule: 'empty-enum-member', detail: 'an enum must not contain an empty string' });
  if (clashes(schema)) problems.push({ at, rule: 'free-keys', detail: 'optional properties do not match the type of additional keys' });
  return problems;
}

/** Whether optional properties conflict with typed additional keys; an index signature cannot include both. */
function clashes({ properties = {}, required = [], additionalProperties }: SchemaObject): boolean {
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0) return false;
  return Object.keys(properties).some((name) => !required.includes(name));
}

/** Generators treat a field with a default as required, which is wrong for responses. */
function defaultProblems({ at, schema }: Part): DocumentProblem[] {
  return schema.default === undefined ? [] : [{ at, rule: 'default-in-response', detail: 'a schema of a response has a default' }];
}

/** Schema names, and the names that generators derive from schema and property, must differ in more than case and punctuation. */
function nameProblems(schemas: readonly [string, SchemaObject][]): DocumentProblem[] {
  const owners = new Map<string, string>();
  const made = schemas.flatMap(([name, schema]) => [
    name,
    ...Object.entries(schema.properties ?? {}).flatMap(([property, own]) => (isDeclared(own) ? [`${name}.${property}`] : [])),
  ]);
  return made.flatMap((name) => {
    const key = name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
    const owner = owners.get(key);
    owners.set(key, name);
    return owner === undefined ? [] : [{ at: name, rule: 'unique-names', detail: `has the same name as ${owner} for generators` }];
  });
}

/** Whether generators declare a separate type for a property. */
function isDeclared(schema: SchemaObject): boolean {
  const parts = [schema, ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return parts.some(({ properties, enum: values }) => properties !== undefined || values !== undefined);
}

function withoutNamed(document: OpenApiDocument, schema: SchemaObject = {}): SchemaObject {
  const named = Object.values(document.components?.schemas ?? {});
  return named.some(({ enum: values }) => values !== undefined && values === schema.enum) ? {} : schema;
}

/** Inline schemas in a request body or in responses. */
function schemasIn(value: unknown): SchemaObject[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'schema' ? [part as SchemaObject] : key === 'example' ? [] : schemasIn(part),
  );
}

function reachedByResponses(document: OpenApiDocument): Set<string> {
  const reached = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    const name = typeof $ref === 'string' ? /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1] : undefined;
    if (name !== undefined && !reached.has(name)) {
      reached.add(name);
      visit(document.components?.schemas?.[name]);
    }
    for (const part of Object.values(value)) visit(part);
  };
  for (const { operation } of operationsIn(document)) visit(operation.responses);
  return reached;
}
