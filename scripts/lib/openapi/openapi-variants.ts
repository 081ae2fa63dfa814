import { type OpenApiDocument, resolved, type SchemaObject, typesOf } from './openapi-model.ts';

/**
 * One alternative of a schema, with a single type (undefined: any type) and the keywords of that type. A schema with several types,
 * or nullable, has several variants.
 */
export interface Variant {
  type: string | undefined;
  schema: SchemaObject;
  /** Allowed values; undefined: any. */
  values: readonly unknown[] | undefined;
}

const flattenedByDocument = new WeakMap<OpenApiDocument, WeakMap<SchemaObject, SchemaObject>>();

/** The schema with references resolved and `allOf` merged. Returns the same object for the same schema. */
export function flattened(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  const own = resolved(document, schema);
  if (!own.allOf?.length) return own;
  const known = flattenedByDocument.get(document) ?? new WeakMap<SchemaObject, SchemaObject>();
  flattenedByDocument.set(document, known);
  const cached = known.get(own);
  if (cached) return cached;
  const { allOf, ...rest } = own;
  const merged = allOf.map((part) => flattened(document, part)).reduce(merge, rest);
  known.set(own, merged);
  return merged;
}

/** Schema of the values that match both schemas. */
function merge(left: SchemaObject, right: SchemaObject): SchemaObject {
  const properties: Record<string, SchemaObject> = { ...left.properties };
  for (const [name, property] of Object.entries(right.properties ?? {})) {
    const other = properties[name];
    properties[name] = other ? { allOf: [other, property] } : property;
  }
  const types = typesOf(left).length > 0 && typesOf(right).length > 0 ? typesOf(left).filter((type) => typesOf(right).includes(type)) : [];
  const required = [...new Set([...(left.required ?? []), ...(right.required ?? [])])];
  return defined({
    ...left,
    ...right,
    type: types.length > 0 ? types : (right.type ?? left.type),
    properties: Object.keys(properties).length > 0 ? properties : undefined,
    required: required.length > 0 ? required : undefined,
    enum: left.enum && right.enum ? left.enum.filter((value) => right.enum?.includes(value)) : (right.enum ?? left.enum),
    minimum: tightest(Math.max, left.minimum, right.minimum),
    maximum: tightest(Math.min, left.maximum, right.maximum),
    minLength: tightest(Math.max, left.minLength, right.minLength),
    maxLength: tightest(Math.min, left.maxLength, right.maxLength),
  });
}

function tightest(pick: (...values: number[]) => number, ...values: (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined);
  return given.length === 0 ? undefined : pick(...given);
}

function defined(schema: { [Key in keyof SchemaObject]: SchemaObject[Key] | undefined }): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** The null variant, whether declared by `type` or by an alternative. Other keywords do not apply to null. */
const NULL: Variant = { type: 'null', schema: { type: 'null' }, values: undefined };

/** The alternatives of a flattened schema. */
export function variantsOf(document: OpenApiDocument, schema: SchemaObject): Variant[] {
  const union = schema.anyOf ?? schema.oneOf;
  if (union?.length) return union.flatMap((part) => variantsOf(document, flattened(document, part)));
  const values = schema.const === undefined ? schema.enum : [schema.const];
  const types = impliedTypes(schema, values);
  if (types.length === 0) return [{ type: undefined, schema, values }];
  return types.map((type) => (type === 'null' ? NULL : { type, schema, values: values?.filter((value) => isOfType(value, type)) }));
}

/** The types of a schema, declared or implied by its other keywords. */
function impliedTypes(schema: SchemaObject, values: readonly unknown[] | undefined): readonly string[] {
  const named = typesOf(schema);
  if (named.length > 0) return named;
  if (values?.length) return [...new Set(values.map(typeOfValue))];
  if (schema.properties) return ['object'];
  return schema.items || schema.prefixItems ? ['array'] : [];
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function isOfType(value: unknown, type: string): boolean {
  const own = typeOfValue(value);
  return own === type || (own === 'integer' && type === 'number');
}

/** Whether every value of the narrow type is also of the wide type. */
export function includesType(wide: string | undefined, narrow: string | undefined): boolean {
  return wide === undefined || wide === narrow || (wide === 'number' && narrow === 'integer');
}
