import { type Node, withoutUnused } from './finish.ts';

/** Keywords under which schemas stand, by name or one by one. */
const SCHEMA_MAPS = ['properties'];
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf'];

/**
 * An OpenAPI 3.1 document of ours as OpenAPI 3.0.3, for tools that read no 3.1: null becomes `nullable`, annotations beside a reference
 * move around an `allOf`. 3.0 has no place for webhooks and for the summary of the API.
 */
export function asOpenApi30(document: Node): Node {
  const { webhooks: _webhooks, info, ...rest } = document;
  const { summary: _summary, license, ...about } = info as Node;
  const { identifier, ...kept } = license as Node;
  const used = withoutUnused({
    ...rest,
    openapi: '3.0.3',
    info: { ...about, license: { ...kept, url: `https://spdx.org/licenses/${identifier}.html` } },
  });
  return converted(used) as Node;
}

/** Every `schema` of the document and every named schema, wherever they stand. */
function converted(value: unknown, key = ''): unknown {
  if (typeof value !== 'object' || value === null || key === 'example' || key === 'examples') return value;
  if (Array.isArray(value)) return value.map((item) => converted(item));
  if (key === 'schema') return schemaOf(value as Node);
  if (key === 'schemas') return mapped(value as Node, schemaOf);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, converted(part, name)]));
}

function mapped(map: Node, convert: (schema: Node) => Node): Node {
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, convert(schema as Node)]));
}

function schemaOf(schema: Node): Node {
  const result: Node = {};
  for (const [key, value] of Object.entries(schema)) {
    if (SCHEMA_MAPS.includes(key)) result[key] = mapped(value as Node, schemaOf);
    else if (SCHEMA_LISTS.includes(key)) result[key] = (value as Node[]).map(schemaOf);
    else if (typeof value === 'object' && (key === 'items' || key === 'additionalProperties')) result[key] = schemaOf(value as Node);
    else if (key === 'prefixItems') Object.assign(result, tupleOf(value as Node[]));
    else if (key === 'const') result.enum = [value];
    else if (key === 'exclusiveMinimum') Object.assign(result, { minimum: value, exclusiveMinimum: true });
    else if (key === 'exclusiveMaximum') Object.assign(result, { maximum: value, exclusiveMaximum: true });
    else result[key] = value;
  }
  return nullable(wrappedReference(result));
}

/** 3.0 has no tuples: items of any of the types, as many as there are. */
function tupleOf(items: readonly Node[]): Node {
  return { items: { anyOf: items.map(schemaOf) }, minItems: items.length, maxItems: items.length };
}

/** 3.0 ignores everything beside a reference. */
function wrappedReference(schema: Node): Node {
  const { $ref, ...rest } = schema;
  return $ref === undefined || Object.keys(rest).length === 0 ? schema : { allOf: [{ $ref }], ...rest };
}

/** Null as one of the alternatives becomes `nullable`. */
function nullable(schema: Node): Node {
  const { anyOf, ...rest } = schema;
  if (schema.type === 'null') return { nullable: true, enum: [null] };
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema;
  const others = anyOf.filter((part) => !isNull(part)) as Node[];
  const [only] = others;
  if (others.length !== 1 || !only) return { ...rest, anyOf: others, nullable: true };
  if (only.$ref !== undefined) return { ...rest, allOf: [only], nullable: true };
  return { ...only, ...rest, nullable: true, ...(Array.isArray(only.enum) ? { enum: [...only.enum, null] } : {}) };
}

function isNull(part: unknown): boolean {
  const { nullable: isNullable, enum: values } = part as Node;
  return isNullable === true && Array.isArray(values) && values.length === 1 && values[0] === null;
}
