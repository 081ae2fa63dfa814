import type { BinObject, BinValue } from '../../../src/areas/codexes/format/binfab.domain.ts';
import { encodeBinfab } from './encode-binfab.ts';
import { array, bare, object } from './tree.ts';

/** A modifier of a class: number of the stat, of the operation, and the amount. */
export type ClassRow = readonly [stat: number, operation: number, amount: number];

/** Operations of a modifier. */
export const [SUM, ADD, SET, , MULTIPLY] = [0, 1, 2, 3, 4];

const signed = (value: number): BinValue => ({ kind: 'signed', value });

const modifier = ([stat, operation, amount]: ClassRow): BinObject =>
  object({ 0: signed(stat), 1: signed(operation), 2: { kind: 'float', value: amount }, 3: { kind: 'text', value: '' }, 5: signed(3) });

/** A class with modifiers at some levels, and none at the others up to `last`. */
export function encodeClass(rows: Readonly<Record<number, readonly ClassRow[]>>, last = 30): Uint8Array<ArrayBuffer> {
  const levels = Array.from({ length: last }, (_, index) => index + 1);
  const entries = levels.map((level) => ({
    op: 1,
    key: level,
    value: object({
      0: array([], { kind: 'text', value: '' }),
      2: array((rows[level] ?? []).map(modifier)),
      4: { kind: 'text', value: `lvl${level}` },
    }),
  }));
  const map: BinValue = { kind: 'map', keys: 'int', element: 23, count: last, entries: [{ op: 0, key: 0, value: null }, ...entries] };
  return encodeBinfab(bare({ 0: { kind: 'text', value: '$DisplayName_Test' }, 7: map }));
}
