import { z } from '@hono/zod-openapi';
import { namedValues, nameOfValues, type ValuesName } from '../../kit/values/named-values.ts';

/** Fields of a body, with their texts in the document. */
export const integer = (description: string, example: number) => z.number().int().openapi({ description, example });
export const integerOrNull = (description: string, example: number | null) => z.number().int().nullable().openapi({ description, example });
export const number = (description: string, example: number) => z.number().openapi({ description, example });
export const numberOrNull = (description: string, example: number | null) => z.number().nullable().openapi({ description, example });
export const string = (description: string, example: string) => z.string().openapi({ description, example });

/** A named schema or null. `.nullable()` would make the named schema nullable everywhere in the OpenAPI document. */
export function orNull<Schema extends z.ZodType>(schema: Schema, description: string) {
  return z.union([schema, z.null()]).openapi({ description });
}

/** Metadata with which the OpenAPI document refers to a named set of values. */
export function documentedValues(values: readonly unknown[]): { 'x-values'?: ValuesName } {
  const name = nameOfValues(values);
  return name ? { 'x-values': name } : {};
}

/** One value of a set. */
export function enumOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values).openapi(documentedValues(values));
}

/** One value of a set that only this schema uses. `name`: name of the schema in the OpenAPI document. */
export function namedEnum<const Value extends string>(name: string, description: string, values: readonly Value[]) {
  return enumOf(namedValues(name, description, values));
}
