import { z } from '@hono/zod-openapi';
import { MAX_BATCH_BYTES } from './response-size.ts';

/** Maximum size of one field, by its name, where it is less than its schema allows. Bytes of JSON. */
export type FieldBytes = Readonly<Record<string, number>>;

/** A UTF-16 code unit of a visible text (`visibleText`). */
const BYTES_PER_UNIT = 3;
/** The longest number in JSON, such as `-1.7976931348623157e+308`. */
const NUMBER_BYTES = 25;
const FALSE_BYTES = 5;
const NULL_BYTES = 4;

const lengthOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Maximum of a string or array. */
function maximumOf({ checks = [] }: z.core.$ZodTypeDef, path: string): number {
  const maxima = checks.flatMap(({ _zod: { def } }) => ('maximum' in def && typeof def.maximum === 'number' ? [def.maximum] : []));
  if (maxima.length === 0) throw new TypeError(`${path} of a list has no maximum length`);
  return Math.min(...maxima);
}

/**
 * Maximum size of a value in JSON, in bytes. Throws for a string or an array without a maximum. `fields` gives the sizes of fields whose
 * total is bounded by other means.
 */
export function maxJsonBytes(schema: z.core.$ZodType, fields: FieldBytes = {}, path = 'an item'): number {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  const sizeOf = (inner: z.core.$ZodType, name = path) => maxJsonBytes(inner, fields, name);
  switch (def.type) {
    case 'string':
      return maximumOf(def, path) * BYTES_PER_UNIT + 2;
    case 'number':
      return NUMBER_BYTES;
    case 'boolean':
      return FALSE_BYTES;
    case 'null':
      return NULL_BYTES;
    case 'enum':
      return Math.max(...Object.values(def.entries).map(lengthOf));
    case 'literal':
      return Math.max(...def.values.map((value) => lengthOf(value)));
    case 'nullable':
      return Math.max(NULL_BYTES, sizeOf(def.innerType));
    case 'optional':
    case 'default':
      return sizeOf(def.innerType);
    case 'union':
      return Math.max(...def.options.map((option) => sizeOf(option)));
    case 'array':
      return maximumOf(def, path) * (sizeOf(def.element) + 1) + 2;
    case 'object':
      return Object.entries(def.shape).reduce(
        (sum, [name, value]) => sum + lengthOf(name) + 2 + (fields[name] ?? sizeOf(value, `${path}.${name}`)),
        2,
      );
    default:
      throw new TypeError(`${path} of a list has the type ${def.type}, whose size is not bounded`);
  }
}

/** Throws when the largest response would exceed the maximum size of a response. */
export function requireFitting(name: string, bytes: number): void {
  if (bytes > MAX_BATCH_BYTES) throw new TypeError(`${name} may have ${bytes} bytes, more than ${MAX_BATCH_BYTES}`);
}

/**
 * Schema of a list with at most `max` items. Throws when the largest items would exceed the maximum size of a response: a list must not fail
 * or become shorter because one of its items is large.
 */
export function boundedList<Item extends z.ZodType>(item: Item, max: number, fields: FieldBytes = {}) {
  requireFitting(`a list of ${max} items`, max * (maxJsonBytes(item, fields) + 1));
  return z.array(item).max(max);
}
