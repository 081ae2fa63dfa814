import { z } from '@hono/zod-openapi';
import { namedValues, nameOfValues, type ValuesName } from '../../values/named-values.ts';

/** A named schema or null. With `.nullable()` the document would call the named schema nullable, wherever it is used. */
export function orNull<Schema extends z.ZodType>(schema: Schema, description: string) {
  return z.union([schema, z.null()]).openapi({ description });
}

/** Metadata of a schema: the OpenAPI document refers to a set of values by its name. */
export function documentedValues(values: readonly unknown[]): { 'x-values'?: ValuesName } {
  const name = nameOfValues(values);
  return name ? { 'x-values': name } : {};
}

/** One value of a set. */
export function enumOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values).openapi(documentedValues(values));
}

/** One value of a set that only this schema uses, with the name of its schema in the document. */
export function namedEnum<const Value extends string>(name: string, description: string, values: readonly Value[]) {
  return enumOf(namedValues(name, description, values));
}
