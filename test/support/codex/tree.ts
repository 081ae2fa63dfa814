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

/* Builders of trees. A section is a record of values by index. */

/** Fields that are undefined are omitted. */
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

/** An object with one section per argument. */
export function object(...sections: Fields[]): BinObject {
  return { kind: 'object', sections: sections.map(section) };
}

/** Encodings of arrays in the game: with an empty first slot that is filled later, or without. */
export const ARRAY_FORMS = ['opened', 'plain'] as const;
export type ArrayForm = (typeof ARRAY_FORMS)[number];

let currentForm: ArrayForm = 'opened';

/** Runs `make` with one form for all arrays. */
export function withArrayForm<Result>(form: ArrayForm, make: () => Result): Result {
  const before = useArrayForm(form);
  try {
    return make();
  } finally {
    currentForm = before;
  }
}

/** Sets the form of all arrays and returns the previous form. The unit tests of the codexes run once per form. */
export function useArrayForm(form: ArrayForm): ArrayForm {
  const before = currentForm;
  currentForm = form;
  return before;
}

/** An array of values of one type; `element` is the element type of an empty array. */
export function array(values: readonly BinValue[], element: BinValue = object({})): BinArray {
  return {
    kind: 'array',
    element: wireOf(values[0] ?? element),
    count: values.length,
    items: [...(currentForm === 'opened' ? [{ slot: 0, value: null }] : []), ...values.map((value, slot) => ({ slot, value }))],
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
