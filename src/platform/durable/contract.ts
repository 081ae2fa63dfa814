import type { DurableObject } from 'cloudflare:workers';

/** Types of the runtime that are not resolved further. */
type Opaque = Date | ArrayBuffer | ArrayBufferView | ReadableStream | ReadonlyMap<never, unknown> | ReadonlySet<never>;

/**
 * A type without names: its declaration contains every field, so a released declaration does not depend on later code. A literal becomes a
 * tuple of one, because the compiler would write the name of a union of literals.
 */
type Resolved<T> = T extends Opaque
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
        : T extends (...args: infer Args) => infer Result
          ? (...args: { [Key in keyof Args]: Resolved<Args[Key]> }) => Resolved<Awaited<Result>>
          : T extends object
            ? { [Key in keyof T as Key]: Resolved<T[Key]> }
            : T;

/**
 * RPC methods and stored entries of a class of objects, for the check of objects.released.json. `Stored`: shape by storage key; a key that
 * ends in a colon is a prefix. Never called: only its declaration is read.
 */
export function contract<Instance, Stored>(): {
  rpc: { [Key in Exclude<keyof Instance, keyof DurableObject> as Key]: Resolved<Instance[Key]> };
  stored: { [Key in keyof Stored as Key]: Resolved<Stored[Key]> };
} {
  throw new Error('a contract is a type');
}
