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

/** Encoded form of an optional value. */
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

/** Forms in which the game writes arrays: with their first slot created empty before it is filled, or without. */
export const ARRAY_FORMS = ['opened', 'plain'] as const;
export type ArrayForm = (typeof ARRAY_FORMS)[number];

let currentForm: ArrayForm = 'opened';

/** Makes trees with every array in one form. */
export function withArrayForm<Result>(form: ArrayForm, make: () => Result): Result {
  const before = useArrayForm(form);
  try {
    return make();
  } finally {
    currentForm = before;
  }
}

/** The form of every array from now on; returns the one before. The unit tests of the codexes run once in each form. */
export function useArrayForm(form: ArrayForm): ArrayForm {
  const before = currentForm;
  currentForm = form;
  return before;
}

/** An array of values of one type, as long as the values; `element` gives the type of an empty one. */
export function array(values: readonly BinValue[], element: BinValue = object({})): BinArray {
  return {
    kind: 'array',
    element: wireOf(values[0] ?? element),
    count: values.length,
    items: [
      ...(currentForm === 'opened' && values.length > 0 ? [{ slot: 0, value: null }] : []),
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
