import type {
  BinArray,
  BinComponent,
  BinField,
  BinFile,
  BinObject,
  BinSection,
  BinValue,
} from '../../../src/areas/codexes/format/binfab.domain.ts';
import { wireOf } from './encode-binfab.ts';

/* Short ways to write trees: a section is a record of values by index. */

/** A field that is undefined is left out. */
export type Fields = Readonly<Record<number, BinValue | undefined>>;

export const int = (value: number): BinValue => ({ kind: 'signed', value });
export const float = (value: number): BinValue => ({ kind: 'float', value });
export const fixed = (value = 0n): BinValue => ({ kind: 'fixed', value });
export const text = (value: string): BinValue => ({ kind: 'text', value });

/** What a thing that may be missing is written as. */
export function when<T>(value: T | undefined, write: (value: T) => BinValue): BinValue | undefined {
  return value === undefined ? undefined : write(value);
}

export function section(fields: Fields): BinSection {
  return Object.entries(fields).flatMap(([index, value]): BinField[] =>
    value === undefined ? [] : [{ index: Number(index), value, at: 0 }],
  );
}

/** An object of one section for each argument. */
export function object(...sections: Fields[]): BinObject {
  return { kind: 'object', sections: sections.map(section) };
}

/** An array of values of one type, written as the game writes it: the first slot is created empty before it is filled. */
export function array(values: readonly BinValue[], element: BinValue = object({})): BinArray {
  const first = values[0] ?? element;
  return {
    kind: 'array',
    element: wireOf(first),
    count: values.length,
    items: [
      ...(first.kind === 'object' && values.length > 0 ? [{ slot: 0, value: null }] : []),
      ...values.map((value, slot) => ({ slot, value })),
    ],
  };
}

export function component(id: number, ...sections: Fields[]): BinComponent {
  return { id, object: object(...sections) };
}

export function entity(...components: BinComponent[]): BinFile {
  return { kind: 'entity', typeId: 1, number: 0, components };
}

export function bare(...sections: Fields[]): BinFile {
  return { kind: 'object', object: object(...sections) };
}
