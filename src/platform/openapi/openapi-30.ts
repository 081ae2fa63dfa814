import { dropUnusedComponents, type Node } from './finish.ts';

/** Keywords whose value is a schema (`SCHEMA_KEYS`) or a list of schemas (`SCHEMA_LISTS`). */
const SCHEMA_KEYS = ['items', 'additionalProperties'];
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf'];

/**
 * Converts an OpenAPI 3.1 document to 3.0.3, for tools without 3.1 support. Null becomes `nullable`; annotations next to a reference
 * become an `allOf`. Webhooks and the summary of the API are dropped, because 3.0 does not support them.
 */
export function toOpenApi30(document: Node): Node {
  const { webhooks: _webhooks, info, ...rest } = document;
  const { summary: _summary, ...about } = info as Node;
  const trimmed = dropUnusedComponents({ ...rest, openapi: '3.0.3', info: about });
  const { schemas } = trimmed.components as { schemas: Record<string, Node> };
  return new Conversion(schemas).convertDocument(trimmed) as Node;
}

/** Converts one document. The types of references come from its named schemas. */
class Conversion {
  readonly #schemas: Readonly<Record<string, Node>>;

  constructor(schemas: Readonly<Record<string, Node>>) {
    this.#schemas = schemas;
  }

  /** Converts every `schema` of the document and every named schema. */
  convertDocument(value: unknown, key = ''): unknown {
    if (typeof value !== 'object' || value === null || key === 'example' || key === 'examples') return value;
    if (Array.isArray(value)) return value.map((item) => this.convertDocument(item));
    if (key === 'schema') return this.#convertSchema(value as Node);
    if (key === 'schemas') return this.#convertMap(value as Node);
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.convertDocument(part, name)]));
  }

  #convertMap(map: Node): Node {
    return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, this.#convertSchema(schema as Node)]));
  }

  #convertSchema(schema: Node): Node {
    const result: Node = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') result[key] = this.#convertMap(value as Node);
      else if (SCHEMA_LISTS.includes(key)) result[key] = (value as Node[]).map((part) => this.#convertSchema(part));
      else if (typeof value === 'object' && SCHEMA_KEYS.includes(key)) result[key] = this.#convertSchema(value as Node);
      else if (key === 'prefixItems') Object.assign(result, this.#convertTuple(value as Node[]));
      else if (key === 'const') result.enum = [value];
      else if (key === 'exclusiveMinimum') Object.assign(result, { minimum: value, exclusiveMinimum: true });
      else if (key === 'exclusiveMaximum') Object.assign(result, { maximum: value, exclusiveMaximum: true });
      else result[key] = value;
    }
    return this.#nullable(wrapReference(result));
  }

  /** Converts a tuple, which 3.0 does not support, to an array of the same length whose items have any of the types. */
  #convertTuple(items: readonly Node[]): Node {
    const alternatives = [...new Map(items.map((item) => [JSON.stringify(item), this.#convertSchema(item)])).values()];
    const [only] = alternatives;
    return { items: alternatives.length === 1 ? only : { anyOf: alternatives }, minItems: items.length, maxItems: items.length };
  }

  /** Converts null in `anyOf` to `nullable`, which 3.0 allows only on schemas with a type. */
  #nullable(schema: Node): Node {
    const { anyOf, ...rest } = schema;
    if (isNull(schema)) return { ...rest, type: 'string', nullable: true, enum: [null] };
    if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema;
    const others = anyOf.filter((part) => !isNull(part)) as Node[];
    const [only] = others;
    if (others.length !== 1 || !only) return { ...rest, anyOf: others.map((part) => this.#orNull(part)) };
    return { ...this.#orNull(only), ...rest };
  }

  #orNull(schema: Node): Node {
    const { $ref } = schema;
    const named = typeof $ref === 'string' ? (this.#schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}) : schema;
    // In 3.0, `nullable` does not add null to an `enum`.
    if (Array.isArray(named.enum)) return { anyOf: [schema, { type: named.type, nullable: true, enum: [null] }] };
    return $ref === undefined ? { ...schema, nullable: true } : { type: named.type ?? 'object', allOf: [schema], nullable: true };
  }
}

/** Wraps a reference with annotations in `allOf`, because 3.0 ignores all keys next to a reference. */
function wrapReference(schema: Node): Node {
  const { $ref, ...rest } = schema;
  return $ref === undefined || Object.keys(rest).length === 0 ? schema : { allOf: [{ $ref }], ...rest };
}

/** True for a schema, of either version, that allows only null. */
function isNull(part: unknown): boolean {
  const { type, enum: values } = part as Node;
  return type === 'null' || (Array.isArray(values) && values.length === 1 && values[0] === null);
}
