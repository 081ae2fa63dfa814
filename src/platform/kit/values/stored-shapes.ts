import { isObject } from './json-values.ts';

/**
 * Reads a stored JSON value of this version or of a neighbour: a deployment keeps two versions live, and a rollback reads what the newer
 * one stored. Throws `UnreadableValue`.
 */
export type Shape<Value> = (value: unknown) => Value;

/** A stored value that no neighbour of this version wrote. The message names the expected type, never the value. */
export class UnreadableValue extends Error {
  override name = 'UnreadableValue';
}

export type Shaped<S> = S extends Shape<infer Value> ? Value : never;

const typed =
  <Value>(expected: string, is: (value: unknown) => boolean): Shape<Value> =>
  (value) => {
    if (!is(value)) throw new UnreadableValue(`a stored value is not ${expected}`);
    return value as Value;
  };

export const text: Shape<string> = typed('text', (value) => typeof value === 'string');
export const number: Shape<number> = typed('a number', (value) => typeof value === 'number' && Number.isFinite(value));
export const flag: Shape<boolean> = typed('a boolean', (value) => typeof value === 'boolean');
/** An object that is sent as it is stored, and never read by a field. */
export const sentAsStored =
  <Value extends object>(): Shape<Value> =>
  (value) => {
    if (!isObject(value)) throw new UnreadableValue('a stored value is not an object');
    return value as Value;
  };

/** A value of a set. Without `otherwise`, other values are unreadable. */
export function oneOf<const Value extends string | number>(values: readonly Value[], otherwise?: Value): Shape<Value> {
  return (value) => {
    const known = values.find((candidate) => candidate === value) ?? otherwise;
    if (known === undefined) throw new UnreadableValue('a stored value is not of the known set');
    return known;
  };
}

export const nullable =
  <Value>(shape: Shape<Value>): Shape<Value | null> =>
  (value) =>
    value === null || value === undefined ? null : shape(value);

/** A field that older versions do not write. An absent one stays absent. */
export const optional =
  <Value>(shape: Shape<Value>): Shape<Value | undefined> =>
  (value) =>
    value === undefined ? undefined : shape(value);

/** `otherwise` when the value is absent or unreadable. */
export const withDefault =
  <Value>(shape: Shape<Value>, otherwise: () => Value): Shape<Value> =>
  (value) => {
    const read = value === undefined ? null : attempt(shape, value);
    return read ? read.value : otherwise();
  };

type OptionalKeys<Fields> = { [Key in keyof Fields]: undefined extends Shaped<Fields[Key]> ? Key : never }[keyof Fields];
/** The object that a set of fields reads. */
type FieldsValue<Fields> = { [Key in Exclude<keyof Fields, OptionalKeys<Fields>>]: Shaped<Fields[Key]> } & {
  [Key in OptionalKeys<Fields>]?: Exclude<Shaped<Fields[Key]>, undefined>;
};

/** An object. Fields of a newer version are dropped. */
export function fields<Fields extends Record<string, Shape<unknown>>>(shapes: Fields): Shape<FieldsValue<Fields>> {
  const entries = Object.entries(shapes);
  return (value) => {
    if (!isObject(value)) throw new UnreadableValue('a stored value is not an object');
    const read: Record<string, unknown> = {};
    for (const [key, shape] of entries) {
      const field = shape(value[key]);
      if (field !== undefined) read[key] = field;
    }
    return read as FieldsValue<Fields>;
  };
}

/** A list. Elements that this version cannot read, such as those of a newer kind, are left out. */
export function listOf<Value>(shape: Shape<Value>): Shape<Value[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new UnreadableValue('a stored value is not a list');
    return value.flatMap((element) => {
      const read = attempt(shape, element);
      return read ? [read.value] : [];
    });
  };
}

/** A list whose elements must all be readable, because leaving one out would widen what the list allows. */
export function wholeListOf<Value>(shape: Shape<Value>): Shape<Value[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new UnreadableValue('a stored value is not a list');
    return value.map(shape);
  };
}

/** An object with any keys. Values that this version cannot read are left out. */
export function recordOf<Value>(shape: Shape<Value>): Shape<Record<string, Value>> {
  return (value) => {
    if (!isObject(value)) throw new UnreadableValue('a stored value is not an object');
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, element]) => {
        const read = attempt(shape, element);
        return read ? [[key, read.value]] : [];
      }),
    );
  };
}

/** The value of a JSON text. Throws `UnreadableValue` also for malformed text. */
export function parseStored<Value>(shape: Shape<Value>, json: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new UnreadableValue('a stored text is not JSON');
  }
  return shape(value);
}

/** Null for a value that this version cannot read. */
export function attempt<Value>(shape: Shape<Value>, value: unknown): { value: Value } | null {
  try {
    return { value: shape(value) };
  } catch (error) {
    if (error instanceof UnreadableValue) return null;
    throw error;
  }
}
