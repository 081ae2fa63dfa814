import { type Node, withoutUnused } from './finish.ts';

/** Keywords whose values are schemas, several or one. */
const SCHEMA_KEYS = ['items', 'additionalProperties'];
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf'];

/**
 * Converts an OpenAPI 3.1 document to 3.0.3, for tools without 3.1 support: null becomes `nullable`, annotations beside a
 * reference become an `allOf`. 3.0 does not support webhooks or a summary of the API.
 */
export function asOpenApi30(document: Node): Node {
  const { webhooks: _webhooks, info, ...rest } = document;
  const { summary: _summary, ...about } = info as Node;
  const used = withoutUnused({ ...rest, openapi: '3.0.3', info: about });
  const { schemas } = used.components as { schemas: Record<string, Node> };
  return new Conversion(schemas).ofDocument(used) as Node;
}

/** The conversion of one document; its named schemas provide the types of references. */
class Conversion {
  readonly #schemas: Readonly<Record<string, Node>>;

  constructor(schemas: Readonly<Record<string, Node>>) {
    this.#schemas = schemas;
  }

  /** Converts every `schema` of the document and every named schema. */
  ofDocument(value: unknown, key = ''): unknown {
    if (typeof value !== 'object' || value === null || key === 'example' || key === 'examples') return value;
    if (Array.isArray(value)) return value.map((item) => this.ofDocument(item));
    if (key === 'schema') return this.#ofSchema(value as Node);
    if (key === 'schemas') return this.#ofMap(value as Node);
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.ofDocument(part, name)]));
  }

  #ofMap(map: Node): Node {
    return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, this.#ofSchema(schema as Node)]));
  }

  #ofSchema(schema: Node): Node {
    const result: Node = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') result[key] = this.#ofMap(value as Node);
      else if (SCHEMA_LISTS.includes(key)) result[key] = (value as Node[]).map((part) => this.#ofSchema(part));
      else if (typeof value === 'object' && SCHEMA_KEYS.includes(key)) result[key] = this.#ofSchema(value as Node);
      else if (key === 'prefixItems') Object.assign(result, this.#ofTuple(value as Node[]));
      else if (key === 'const') result.enum = [value];
      else if (key === 'exclusiveMinimum') Object.assign(result, { minimum: value, exclusiveMinimum: true });
      else if (key === 'exclusiveMaximum') Object.assign(result, { maximum: value, exclusiveMaximum: true });
      else result[key] = value;
    }
    return this.#nullable(wrappedReference(result));
  }

  /** 3.0 has no tuples: items of any of the types, as many as there are. */
  #ofTuple(items: readonly Node[]): Node {
    const alternatives = [...new Map(items.map((item) => [JSON.stringify(item), this.#ofSchema(item)])).values()];
    const [only] = alternatives;
    return { items: alternatives.length === 1 ? only : { anyOf: alternatives }, minItems: items.length, maxItems: items.length };
  }

  /** Null as one of the alternatives becomes `nullable`, which is for schemas with a type alone. */
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
    // `nullable` does not add null to a set of values.
    if (Array.isArray(named.enum)) return { anyOf: [schema, { type: named.type, nullable: true, enum: [null] }] };
    return $ref === undefined ? { ...schema, nullable: true } : { type: named.type ?? 'object', allOf: [schema], nullable: true };
  }
}

/** 3.0 ignores everything beside a reference. */
function wrappedReference(schema: Node): Node {
  const { $ref, ...rest } = schema;
  return $ref === undefined || Object.keys(rest).length === 0 ? schema : { allOf: [{ $ref }], ...rest };
}

/** True when a schema, of either version, allows only null. */
function isNull(part: unknown): boolean {
  const { type, enum: values } = part as Node;
  return type === 'null' || (Array.isArray(values) && values.length === 1 && values[0] === null);
}
