import type { DurableObject } from 'cloudflare:workers';

/** Types of the runtime that are not resolved further. */
type Opaque = Date | ArrayBuffer | ArrayBufferView | ReadableStream;

/**
 * A type without names: its declaration contains every field, so a released declaration does not depend on later code. A literal and
 * null become a tuple of one, because the compiler would write the name of a union of literals or of plain values.
 */
type Resolved<T> = T extends null
  ? [null]
  : T extends Opaque
    ? T
    : T extends string
      ? string extends T
        ? string
        : [T]
      : T extends number
        ? number extends T
          ? number
          : [T]
        : T extends readonly (infer Item)[]
          ? number extends T['length']
            ? Resolved<Item>[]
            : { [Key in keyof T]: Resolved<T[Key]> }
          : T extends ReadonlyMap<infer MapKey, infer Value>
            ? ReadonlyMap<Resolved<MapKey>, Resolved<Value>>
            : T extends ReadonlySet<infer Item>
              ? ReadonlySet<Resolved<Item>>
              : T extends (...args: infer Args) => infer Result
                ? (...args: { [Key in keyof Args]: Resolved<Args[Key]> }) => Resolved<Awaited<Result>>
                : T extends object
                  ? Fields<T>
                  : T;

/** Keys of the fields that may be missing. */
type Optional<T> = { [Key in keyof T]-?: object extends Pick<T, Key> ? Key : never }[keyof T];

/**
 * The fields of an object. Required and optional ones are mapped apart: for a field of `keyof T` the compiler may copy the name of its type
 * from the source file.
 */
type Fields<T> = { [Key in Exclude<keyof T, Optional<T> | symbol>]: Resolved<T[Key]> } & {
  [Key in Exclude<Optional<T>, symbol>]?: Resolved<Exclude<T[Key], undefined>>;
} extends infer Both
  ? { [Key in keyof Both as Key]: Both[Key] }
  : never;

/**
 * RPC methods, stored entries and repeats of a class of objects, for the check of released/objects.json. `Stored`: shape by storage key; a
 * key that ends in a colon is a prefix. Never called: only its declaration is read.
 */
export function contract<Instance, Stored, Repeats>(): {
  rpc: { [Key in Exclude<keyof Instance, keyof DurableObject> as Key]: Resolved<Instance[Key]> };
  stored: { [Key in keyof Stored as Key]: Resolved<Stored[Key]> };
  repeats: Resolved<Repeats>;
} {
  throw new Error('a contract is a type');
}
