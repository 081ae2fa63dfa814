import { z } from '@hono/zod-openapi';
import { schemasAt } from '../../kit/errors/schema-path.ts';
import { hasHiddenCharacters } from '../../kit/values/visible-text.ts';

const SEVERAL_LINES = new WeakSet<z.ZodType>();

/**
 * Accepts tab and line breaks in a text of a write, which otherwise is one line. The last step of a schema: later steps return another
 * schema.
 */
export function severalLines<Schema extends z.ZodType>(schema: Schema): Schema {
  SEVERAL_LINES.add(schema);
  return schema;
}

const LINE_BREAK = /[\t\n\r]/;
export const HIDDEN_MESSAGE = 'must not contain control characters or characters that change the direction of text';
export const ONE_LINE_MESSAGE = 'must be one line without tabs';

/**
 * The problem of a text that a person or a program typed into the field at `path` of a write, or null. Hidden characters change how a page
 * shows the text around them. `path`: null for the name of a field.
 */
export function typedTextProblem(schema: z.ZodType, path: readonly (string | number)[] | null, text: string): string | null {
  if (hasHiddenCharacters(text)) return HIDDEN_MESSAGE;
  return LINE_BREAK.test(text) && (path === null || isOneLine(schema, path)) ? ONE_LINE_MESSAGE : null;
}

/** Whether the field at a path is a text, and none of its schemas accepts several lines. */
function isOneLine(schema: z.ZodType, path: readonly (string | number)[]): boolean {
  const schemas = schemasAt(schema, path);
  return schemas.some(({ def }) => def.type === 'string') && !schemas.some(acceptsLines);
}

function acceptsLines(schema: z.ZodType): boolean {
  return SEVERAL_LINES.has(schema) || schema instanceof z.ZodUnknown || schema instanceof z.ZodAny || schema instanceof z.ZodCustom;
}
