import type { z } from '@hono/zod-openapi';

/** A column of a CSV file: its name in the header line, and the keys that lead from a row to its value. */
export interface Column {
  name: string;
  path: readonly string[];
}

/**
 * The columns of a row schema in the order of the schema. Nested objects are flattened, with dots in the name. Lists, maps and
 * unions are one column, which holds JSON text.
 */
export function columnsOf(row: z.ZodObject, path: readonly string[] = []): Column[] {
  return Object.entries(row.shape).flatMap(([key, schema]) => {
    const own = [...path, key];
    const inner = unwrapped(schema as z.ZodType);
    return isObject(inner) ? columnsOf(inner, own) : [{ name: own.join('.'), path: own }];
  });
}

/** The schema without what makes it optional, nullable or read-only. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  const { type, innerType, options } = schema.def as { type: string; innerType?: z.ZodType; options?: z.ZodType[] };
  if (innerType) return unwrapped(innerType);
  const [only, ...others] = type === 'union' && options ? options.filter((option) => option.def.type !== 'null') : [];
  return only && others.length === 0 ? unwrapped(only) : schema;
}

function isObject(schema: z.ZodType): schema is z.ZodObject {
  return schema.def.type === 'object';
}
