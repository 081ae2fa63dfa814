import type { z } from '@hono/zod-openapi';

/** Arguments are nested at most this deep in the tools. */
const MAX_DEPTH = 4;

/**
 * Converts arguments of a tool as clients send them to the types of its schema: numbers and booleans in text, numbers for text, lists in
 * JSON, and null, or an empty text in place of a list, for an optional argument. Returns other values unchanged: the schema refuses them with its own message.
 */
export function lenientArguments(schema: z.ZodObject, given: unknown): unknown {
  return given === null || given === undefined || isBlank(given) ? {} : lenientValue(schema, given, 0);
}

function lenientValue(schema: z.ZodType, given: unknown, depth: number): unknown {
  const { type, isOptional } = describe(schema);
  if (given === null && isOptional) return undefined;
  if (depth > MAX_DEPTH) return given;
  switch (type.def.type) {
    case 'number':
      return typeof given === 'string' && isNumeric(given) ? Number(given) : given;
    case 'boolean':
      return typeof given === 'string' ? (BOOLEANS.get(given.trim().toLowerCase()) ?? given) : given;
    case 'string':
      return typeof given === 'number' ? String(given) : given;
    case 'array': {
      if (isOptional && isBlank(given)) return undefined;
      const list = parsedAs(given, '[');
      const { element } = type as z.ZodArray<z.ZodType>;
      return Array.isArray(list) ? list.map((item) => lenientValue(element, item, depth + 1)) : list;
    }
    case 'object': {
      const record = parsedAs(given, '{');
      return isRecord(record) ? lenientFields(type as z.ZodObject, record, depth) : record;
    }
    default:
      return given;
  }
}

function lenientFields({ shape }: z.ZodObject, given: Record<string, unknown>, depth: number): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
    const converted = field ? lenientValue(field, value, depth + 1) : value;
    if (converted !== undefined) fields[name] = converted;
  }
  return fields;
}

/** The schema without its defaults and options, and whether the argument may be absent. */
function describe(schema: z.ZodType): { type: z.ZodType; isOptional: boolean } {
  let type = schema;
  let isOptional = false;
  while (type.def.type === 'optional' || type.def.type === 'default') {
    type = (type as z.ZodOptional<z.ZodType>).def.innerType;
    isOptional = true;
  }
  return { type, isOptional };
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function isNumeric(text: string): boolean {
  return /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text);
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a text that starts with this bracket and is JSON; other values unchanged. */
function parsedAs(given: unknown, bracket: '[' | '{'): unknown {
  if (typeof given !== 'string' || !given.trimStart().startsWith(bracket)) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
