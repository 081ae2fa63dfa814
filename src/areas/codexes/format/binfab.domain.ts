/*
 * Tree of a `.binfab` file: numbered fields without names. An object has one section of fields per class of its inheritance
 * chain, root class first.
 */

/** bigint for numbers above 2^53. */
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
  /** Eight bytes, a double or an integer: the format does not distinguish between them. */
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

/** `count` is the count of the header, which can differ from the number of values. */
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
  /** Null if the bytes are not exactly one object. */
  object: BinObject | null;
}

export type BinFile =
  | { kind: 'entity'; typeId: number; number: WholeNumber; components: BinComponent[] }
  | { kind: 'object'; object: BinObject };

/** Section of the class of the object itself: the last. */
export function leafSection(object: BinObject): BinSection {
  return object.sections.at(-1) ?? [];
}

/** First field of a section with the index. */
export function fieldOf(section: BinSection, index: number): BinValue | null {
  return section.find((field) => field.index === index)?.value ?? null;
}

export function textOf(value: BinValue | null): string | null {
  return value?.kind === 'text' ? value.value : null;
}

/** An integer that is exact as a double; null for any other value. */
export function numberOf(value: BinValue | null): number | null {
  return (value?.kind === 'signed' || value?.kind === 'unsigned') && typeof value.value === 'number' ? value.value : null;
}

/** Integer as on the wire, before zigzag decoding; null for any other value. */
export function rawNumberOf(value: BinValue | null): number | null {
  if (value?.kind === 'unsigned') return Number(value.value);
  if (value?.kind !== 'signed') return null;
  const number = Number(value.value);
  return number >= 0 ? number * 2 : -number * 2 - 1;
}

/** Values of an array in the order of the file; empty for any other value. */
export function itemsOf(value: BinValue | null): BinValue[] {
  return value?.kind === 'array' ? value.items.flatMap((item) => (item.value === null ? [] : [item.value])) : [];
}

/** Leaf sections of the objects of an array, in the order of the file. */
export function rowsOf(value: BinValue | null): BinSection[] {
  return itemsOf(value).flatMap((item) => (item.kind === 'object' ? [leafSection(item)] : []));
}

/** Leaf section of an object; empty for any other value. */
export function sectionOf(value: BinValue | null): BinSection {
  return value?.kind === 'object' ? leafSection(value) : [];
}

/** Objects of a file that were decoded, in the order of the file. */
export function objectsOf(file: BinFile): BinObject[] {
  return file.kind === 'object' ? [file.object] : file.components.flatMap(({ object }) => (object === null ? [] : [object]));
}

/** Values directly inside another, in the order of the file. */
export function valuesIn(value: BinValue): BinValue[] {
  if (value.kind === 'object') return value.sections.flatMap((section) => section.map((field) => field.value));
  if (value.kind === 'map') return value.entries.flatMap((entry) => (entry.value === null ? [] : [entry.value]));
  return itemsOf(value);
}

/** All texts of a file that are not empty, in the order of the file. */
export function textsIn(file: BinFile): string[] {
  const texts: string[] = [];
  const open: BinValue[] = objectsOf(file).reverse();
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value.kind === 'text' && value.value !== '') texts.push(value.value);
    for (const inner of valuesIn(value).reverse()) open.push(inner);
  }
  return texts;
}

/** Whether all components of a file were decoded. */
export function isComplete(file: BinFile): boolean {
  return file.kind === 'object' || file.components.every(({ object }) => object !== null);
}
