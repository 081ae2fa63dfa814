/*
 * The tree of a `.binfab` file: a stream of numbered fields without names. An object is one section of fields for each
 * class of its inheritance chain, the root class first.
 */

/** Numbers beyond 2^53 keep their exactness as bigint. */
export type WholeNumber = number | bigint;

export const WIRE = {
  signed: 0,
  unsigned: 1,
  float: 2,
  fixed: 3,
  text: 4,
  packed: 6,
  end: 0x0f,
  object: 0x17,
  array: 0x1f,
  intMap: 0x27,
  custom: 0x2f,
  longMap: 0x37,
  textMap: 0x3f,
} as const;

export type WireType = (typeof WIRE)[keyof typeof WIRE];
export type PackedType = typeof WIRE.signed | typeof WIRE.unsigned | typeof WIRE.float | typeof WIRE.fixed;

export type BinValue =
  | { kind: 'signed'; value: WholeNumber }
  | { kind: 'unsigned'; value: WholeNumber }
  | { kind: 'float'; value: number }
  /** Eight bytes, a double or an integer: the format does not distinguish them. */
  | { kind: 'fixed'; value: bigint }
  | { kind: 'text'; value: string }
  | { kind: 'packed'; element: PackedType; values: (WholeNumber | bigint)[] }
  | BinObject
  | BinArray
  | BinMap
  | { kind: 'custom'; bytes: Uint8Array };

export interface BinObject {
  kind: 'object';
  sections: BinSection[];
}

export type BinSection = BinField[];

export interface BinField {
  index: number;
  value: BinValue;
  /** Byte offset of the field's key in the file. */
  at: number;
}

/** `count` is what the header says; the values are those operations that have one. */
export interface BinArray {
  kind: 'array';
  element: WireType;
  count: number;
  items: { slot: number; value: BinValue | null }[];
}

export type MapKeys = 'int' | 'long' | 'text';

/** `op` is 1 or 2 with a value, 0 or 3 without. */
export interface BinMap {
  kind: 'map';
  keys: MapKeys;
  element: WireType;
  count: number;
  entries: { op: number; key: WholeNumber | string; value: BinValue | null }[];
}

export interface BinComponent {
  id: number;
  /** Null when its bytes do not fill an object. */
  object: BinObject | null;
}

export type BinFile =
  | { kind: 'entity'; typeId: number; number: WholeNumber; components: BinComponent[] }
  | { kind: 'object'; object: BinObject };

/** The section of an object's own class: the last. */
export function leafSection(object: BinObject): BinSection {
  return object.sections.at(-1) ?? [];
}

/** The first field of a section with the index. */
export function fieldOf(section: BinSection, index: number): BinValue | null {
  return section.find((field) => field.index === index)?.value ?? null;
}

export function textOf(value: BinValue | null): string | null {
  return value?.kind === 'text' ? value.value : null;
}

/** A whole number in the range of exact doubles. */
export function numberOf(value: BinValue | null): number | null {
  return (value?.kind === 'signed' || value?.kind === 'unsigned') && typeof value.value === 'number' ? value.value : null;
}

/** Values of an array in slot order as written; none for anything else. */
export function itemsOf(value: BinValue | null): BinValue[] {
  return value?.kind === 'array' ? value.items.flatMap((item) => (item.value === null ? [] : [item.value])) : [];
}
