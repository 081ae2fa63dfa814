import { z } from '@hono/zod-openapi';

/** Schemas that describe the value at a path of a schema, outermost first: of a union those of each option. Empty for an unknown path. */
export function schemasAt(schema: unknown, path: readonly (string | number)[]): z.ZodType[] {
  if (!(schema instanceof z.ZodType)) return [];
  const [part, ...rest] = path;
  const here = part === undefined ? [schema] : [];
  if (isWrapper(schema)) return [...here, ...schemasAt(schema.unwrap(), path)];
  if (schema instanceof z.ZodUnion) return [...here, ...schema.options.flatMap((option) => schemasAt(option, path))];
  if (schema instanceof z.ZodPipe) return [...here, ...schemasAt(schema.in instanceof z.ZodTransform ? schema.out : schema.in, path)];
  if (part === undefined) return here;
  if (schema instanceof z.ZodArray) return schemasAt(schema.element, rest);
  if (schema instanceof z.ZodRecord) return schemasAt(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return schemasAt(Object.hasOwn(schema.shape, part) ? schema.shape[part] : schema.def.catchall, rest);
}

function isWrapper(schema: z.ZodType): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodReadonly | z.ZodLazy {
  return [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodReadonly, z.ZodLazy].some((type) => schema instanceof type);
}
