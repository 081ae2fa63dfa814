import { z } from '@hono/zod-openapi';

/** A named schema or null. With `.nullable()` the document would call the named schema nullable, wherever it is used. */
export function orNull<Schema extends z.ZodType>(schema: Schema, description: string) {
  return z.union([schema, z.null()]).openapi({ description });
}
