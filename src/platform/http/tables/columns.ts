import type { z } from '@hono/zod-openapi';

/** A column of a CSV file. `path`: keys from the row to the value. */
export interface Column {
  name: string;
  path: readonly string[];
}

/**
 * The columns of a row schema, in the order of the schema. Nested objects are flattened, with dots in the column name. A list, map or
 * union is one column of JSON text.
 */
export function columnsOf(row: z.ZodObject, path: readonly string[] = []): Column[] {
  return Object.entries(row.shape).flatMap(([key, schema]) => {
    const columnPath = [...path, key];
    const inner = unwrapSchema(schema as z.ZodType);
    return isObject(inner) ? columnsOf(inner, columnPath) : [{ name: columnPath.join('.'), path: columnPath }];
  });
}

/** The schema without optional, nullable and read-only wrappers. */
export function unwrapSchema(schema: z.ZodType): z.ZodType {
  const { type, innerType, options } = schema.def as { type: string; innerType?: z.ZodType; options?: z.ZodType[] };
  if (innerType) return unwrapSchema(innerType);
  const [only, ...others] = type === 'union' && options ? options.filter((option) => option.def.type !== 'null') : [];
  return only && others.length === 0 ? unwrapSchema(only) : schema;
}

function isObject(schema: z.ZodType): schema is z.ZodObject {
  return schema.def.type === 'object';
}
