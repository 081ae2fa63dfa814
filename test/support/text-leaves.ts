import { z } from '@hono/zod-openapi';

/** A text of a request schema: its path, and an input that has nothing but a text there. */
export interface TextLeaf {
  path: (string | number)[];
  inputWith(text: string): unknown;
}

/** All texts of a schema. Of a recursive schema only the first level. Enumerations and formats refuse hidden characters by themselves, and count too. */
export function textLeavesOf(schema: unknown, path: readonly (string | number)[] = [], seen: readonly unknown[] = []): TextLeaf[] {
  if (!(schema instanceof z.ZodType) || seen.includes(schema)) return [];
  const within = (inner: unknown, part?: string | number) =>
    textLeavesOf(inner, part === undefined ? path : [...path, part], [...seen, schema]);
  const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } };
  switch (def.type) {
    case 'string':
      return [{ path: [...path], inputWith: (text) => nested(path, text) }];
    case 'object':
      return [...Object.entries(def.shape as object).flatMap(([name, field]) => within(field, name)), ...within(def.catchall, 'extra')];
    case 'array':
      return within(def.element, 0);
    case 'record':
      return within(def.valueType, 'key');
    case 'union':
      return (def.options as unknown[]).flatMap((option) => within(option));
    case 'pipe':
      return within((def.in as z.ZodType).def.type === 'transform' ? def.out : def.in);
    case 'lazy':
      return within((def.getter as () => unknown)());
    default:
      return within(def.innerType);
  }
}

function nested(path: readonly (string | number)[], text: string): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return text;
  const inner = nested(rest, text);
  return typeof part === 'number' ? [inner] : { [part]: inner };
}
