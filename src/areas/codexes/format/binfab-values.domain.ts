import { type BinValue, type PackedType, WIRE, type WireType } from './binfab.domain.ts';
import { readWhole, unzigzag } from './bytes.domain.ts';

/** A field's or an array's key: its number (or count) and the type of what follows. */
export interface BinKey {
  index: number;
  type: number;
  next: number;
}

/** The bytes being decoded, and the work still allowed on them. */
export interface Source {
  bytes: Uint8Array;
  view: DataView;
  decoder: TextDecoder;
  /** Where the bytes begin in their file. */
  base: number;
  /** How many readings of one thing are followed at once. */
  width: number;
  steps: number;
}

/** Request of a reader to the driver: all readings of a value at an offset. */
export interface Ask {
  what: 'section' | WireType;
  at: number;
}

/** A reader yields requests for nested values and returns all its readings. */
export type Reader<T> = Generator<Ask, Reading<T>[], Reading<unknown>[]>;

/** Too much work: many readings of the same bytes, or too deep. */
export class Exhausted extends Error {}

/** Charges work; throws `Exhausted` when none is left. */
export function spend(source: Source, steps: number): void {
  source.steps -= steps;
  if (source.steps < 0) throw new Exhausted();
}

/** One way to read bytes; of several the one with the lowest `cost` is right. */
export interface Reading<T> {
  value: T;
  next: number;
  cost: number;
}

/**
 * Of what hardly is as it reads: texts with control bytes, arrays that do not hold as many values as they say. More than
 * all sections of a file together.
 */
export const DOUBTFUL_COST = 1_000_000;
/** Bytes of text that are as much work as one field. */
const BYTES_PER_STEP = 16;
const WIRE_TYPES: ReadonlySet<number> = new Set(Object.values(WIRE));
// biome-ignore lint/suspicious/noControlCharactersInRegex: control bytes are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/;

/** Whether a value of the type may hold others. */
export function isNested(type: WireType): boolean {
  return type === WIRE.object || type === WIRE.array || type === WIRE.intMap || type === WIRE.longMap || type === WIRE.textMap;
}

export function isWireType(type: number): type is WireType {
  return WIRE_TYPES.has(type);
}

export function readKey(bytes: Uint8Array, offset: number): BinKey | null {
  const raw = readWhole(bytes, offset);
  if (raw === null) return null;
  const key = unzigzag(raw.value);
  if (typeof key !== 'number' || key < 0) return null;
  const isWide = key % 8 === 7;
  return { index: Math.floor(key / (isWide ? 64 : 8)), type: isWide ? key % 64 : key % 8, next: raw.next };
}

export function readSigned(bytes: Uint8Array, offset: number): { value: number; next: number } | null {
  const raw = readWhole(bytes, offset);
  if (raw === null) return null;
  const value = unzigzag(raw.value);
  return typeof value === 'number' ? { value, next: raw.next } : null;
}

/** Reads a value that holds no others; null when the bytes are none of that type. */
export function readScalar(source: Source, offset: number, type: WireType): Reading<BinValue> | null {
  const { bytes, view } = source;
  switch (type) {
    case WIRE.signed:
    case WIRE.unsigned: {
      const raw = readWhole(bytes, offset);
      if (raw === null) return null;
      const value = type === WIRE.signed ? unzigzag(raw.value) : raw.value;
      return { value: { kind: type === WIRE.signed ? 'signed' : 'unsigned', value }, next: raw.next, cost: 0 };
    }
    case WIRE.float:
      return offset + 4 > bytes.length ? null : plain({ kind: 'float', value: view.getFloat32(offset, true) }, offset + 4);
    case WIRE.fixed:
      return offset + 8 > bytes.length ? null : plain({ kind: 'fixed', value: view.getBigUint64(offset, true) }, offset + 8);
    case WIRE.text: {
      const span = readSpan(bytes, offset);
      if (span === null) return null;
      spend(source, Math.ceil((span.next - span.from) / BYTES_PER_STEP));
      const value = source.decoder.decode(bytes.subarray(span.from, span.next));
      return { value: { kind: 'text', value }, next: span.next, cost: CONTROL.test(value) ? DOUBTFUL_COST : 0 };
    }
    case WIRE.custom: {
      const span = readSpan(bytes, offset);
      if (span === null) return null;
      spend(source, Math.ceil((span.next - span.from) / BYTES_PER_STEP));
      return plain({ kind: 'custom', bytes: bytes.slice(span.from, span.next) }, span.next);
    }
    case WIRE.packed:
      return readPacked(source, offset);
    default:
      return null;
  }
}

function plain(value: BinValue, next: number): Reading<BinValue> {
  return { value, next, cost: 0 };
}

/** Where the bytes behind a length stand. */
export function readSpan(bytes: Uint8Array, offset: number): { from: number; next: number } | null {
  const length = readWhole(bytes, offset);
  if (length === null || typeof length.value !== 'number' || length.next + length.value > bytes.length) return null;
  return { from: length.next, next: length.next + length.value };
}

function readPacked(source: Source, offset: number): Reading<BinValue> | null {
  const key = readKey(source.bytes, offset);
  if (key === null || key.type > WIRE.fixed || key.index > source.bytes.length - key.next) return null;
  spend(source, key.index);
  const element = key.type as PackedType;
  const values: (number | bigint)[] = [];
  let next = key.next;
  for (let count = 0; count < key.index; count += 1) {
    const item = readScalar(source, next, element);
    if (item === null) return null;
    values.push((item.value as { value: number | bigint }).value);
    next = item.next;
  }
  return plain({ kind: 'packed', element, values }, next);
}

export function listed<T>(item: T | null): T[] {
  return item === null ? [] : [item];
}
