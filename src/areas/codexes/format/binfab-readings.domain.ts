import { type BinValue, type PackedType, WIRE, type WireType } from './binfab.domain.ts';
import { readSpan, readVarint64, unzigzag } from './bytes.domain.ts';

/** Key of a field or array: its number (or count) and the type of the following value. */
interface BinKey {
  index: number;
  type: number;
  next: number;
}

/** Bytes to decode, with the remaining work limit. */
export interface Source {
  bytes: Uint8Array;
  view: DataView;
  decoder: TextDecoder;
  /** Offset of the bytes in the file. */
  base: number;
  /** Maximum number of alternative readings of a value. */
  maxReadings: number;
  steps: number;
}

/** Request of a reader to the driver: read a value at an offset in all possible ways. */
export interface ReadRequest {
  type: 'section' | WireType;
  at: number;
}

/** Yields requests for nested values, receives their readings, and returns its own readings. */
export type Reader<T> = Generator<ReadRequest, Reading<T>[], Reading<unknown>[]>;

/** The work limit is exceeded: too many readings of the same bytes, or too deep. */
export class WorkLimitExceeded extends Error {}

/** Charges work; throws `WorkLimitExceeded` if the limit is exceeded. */
export function chargeSteps(source: Source, steps: number): void {
  source.steps -= steps;
  if (source.steps < 0) throw new WorkLimitExceeded();
}

/** One way to read the bytes; the reading with the lowest `cost` is used. */
export interface Reading<T> {
  value: T;
  next: number;
  cost: number;
}

/**
 * Cost of an unlikely reading: a text with control bytes, or an array whose number of values differs from its header. Exceeds the
 * cost of all sections of a file.
 */
export const DOUBTFUL_READING_COST = 1_000_000;
/** Bytes of text charged as one step. */
const BYTES_PER_STEP = 16;
const WIRE_TYPES: ReadonlySet<number> = new Set(Object.values(WIRE));
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control bytes
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/;

/** Whether values of the type can contain other values. */
export function isNested(type: WireType): boolean {
  return type === WIRE.object || type === WIRE.array || type === WIRE.intMap || type === WIRE.longMap || type === WIRE.textMap;
}

export function isWireType(type: number): type is WireType {
  return WIRE_TYPES.has(type);
}

export function readKey(bytes: Uint8Array, offset: number): BinKey | null {
  const raw = readVarint64(bytes, offset);
  if (raw === null) return null;
  const key = unzigzag(raw.value);
  if (typeof key !== 'number' || key < 0) return null;
  const isWide = key % 8 === 7;
  return { index: Math.floor(key / (isWide ? 64 : 8)), type: isWide ? key % 64 : key % 8, next: raw.next };
}

export function readSigned(bytes: Uint8Array, offset: number): { value: number; next: number } | null {
  const raw = readVarint64(bytes, offset);
  if (raw === null) return null;
  const value = unzigzag(raw.value);
  return typeof value === 'number' ? { value, next: raw.next } : null;
}

/** Reads a value without nested values; null if the bytes do not match the type. */
export function readScalar(source: Source, offset: number, type: WireType): Reading<BinValue> | null {
  const { bytes, view } = source;
  switch (type) {
    case WIRE.signed:
    case WIRE.unsigned: {
      const raw = readVarint64(bytes, offset);
      if (raw === null) return null;
      const value = type === WIRE.signed ? unzigzag(raw.value) : raw.value;
      return { value: { kind: type === WIRE.signed ? 'signed' : 'unsigned', value }, next: raw.next, cost: 0 };
    }
    case WIRE.float:
      return offset + 4 > bytes.length ? null : certainReading({ kind: 'float', value: view.getFloat32(offset, true) }, offset + 4);
    case WIRE.fixed:
      return offset + 8 > bytes.length ? null : certainReading({ kind: 'fixed', value: view.getBigUint64(offset, true) }, offset + 8);
    case WIRE.text: {
      const span = readSpan(bytes, offset);
      if (span === null) return null;
      chargeSteps(source, Math.ceil((span.next - span.from) / BYTES_PER_STEP));
      const value = source.decoder.decode(bytes.subarray(span.from, span.next));
      return { value: { kind: 'text', value }, next: span.next, cost: CONTROL.test(value) ? DOUBTFUL_READING_COST : 0 };
    }
    case WIRE.custom: {
      const span = readSpan(bytes, offset);
      if (span === null) return null;
      chargeSteps(source, Math.ceil((span.next - span.from) / BYTES_PER_STEP));
      return certainReading({ kind: 'custom', bytes: bytes.slice(span.from, span.next) }, span.next);
    }
    case WIRE.packed:
      return readPacked(source, offset);
    default:
      return null;
  }
}

function certainReading(value: BinValue, next: number): Reading<BinValue> {
  return { value, next, cost: 0 };
}

function readPacked(source: Source, offset: number): Reading<BinValue> | null {
  const key = readKey(source.bytes, offset);
  if (key === null || key.type > WIRE.fixed || key.index > source.bytes.length - key.next) return null;
  chargeSteps(source, key.index);
  const element = key.type as PackedType;
  const values: (number | bigint)[] = [];
  let next = key.next;
  for (let count = 0; count < key.index; count += 1) {
    const item = readScalar(source, next, element);
    if (item === null) return null;
    values.push((item.value as { value: number | bigint }).value);
    next = item.next;
  }
  return certainReading({ kind: 'packed', element, values }, next);
}

export function toArray<T>(item: T | null): T[] {
  return item === null ? [] : [item];
}

/** Linked list that shares its tail with other lists; newest item first. `weight` is the sum of the weights of its items. */
export type Chain<T> = { item: T; before: Chain<T>; weight: number } | null;

export function append<T>(before: Chain<T>, item: T, weight = 0): Chain<T> {
  return { item, before, weight: weightOf(before) + weight };
}

export function weightOf<T>(chain: Chain<T>): number {
  return chain?.weight ?? 0;
}

export function toList<T>(chain: Chain<T>): T[] {
  const items: T[] = [];
  for (let link = chain; link !== null; link = link.before) items.push(link.item);
  return items.reverse();
}

/**
 * Priority queue of readings by end offset. Of several readings with the same end and `state`, which determines the valid
 * continuations, only the cheapest stays. Above `width` readings, the most expensive is dropped.
 */
export class Frontier<T> {
  readonly #width: number;
  /** Sorted by `next`, descending: the last is removed first. */
  readonly #readings: Reading<T>[] = [];
  /** State of the reading at the same index. */
  readonly #states: number[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  add(reading: Reading<T>, state = 0): void {
    const readings = this.#readings;
    let at = readings.length;
    while (at > 0 && (readings[at - 1]?.next ?? 0) < reading.next) at -= 1;
    for (let index = at - 1; readings[index]?.next === reading.next; index -= 1) {
      if (this.#states[index] !== state) continue;
      if (reading.cost < (readings[index]?.cost ?? 0)) readings[index] = reading;
      return;
    }
    readings.splice(at, 0, reading);
    this.#states.splice(at, 0, state);
    if (readings.length <= this.#width) return;
    const worst = indexOfHighestCost(readings);
    readings.splice(worst, 1);
    this.#states.splice(worst, 1);
  }

  removeFirst(): Reading<T> | null {
    this.#states.pop();
    return this.#readings.pop() ?? null;
  }

  isEmpty(): boolean {
    return this.#readings.length === 0;
  }

  all(): readonly Reading<T>[] {
    return this.#readings;
  }
}

function indexOfHighestCost<T>(readings: readonly Reading<T>[]): number {
  let worst = 0;
  readings.forEach((reading, index) => {
    if (reading.cost > (readings[worst]?.cost ?? 0)) worst = index;
  });
  return worst;
}
