import { type BinArray, type BinMap, type BinValue, type MapKeys, type WholeNumber, WIRE, type WireType } from './binfab.domain.ts';
import {
  chargeSteps,
  DOUBTFUL_READING_COST,
  isNested,
  isWireType,
  type Reader,
  type Reading,
  readKey,
  readScalar,
  readSpan,
  type Source,
  toArray,
} from './binfab-values.domain.ts';
import { readVarint64, unzigzag } from './bytes.domain.ts';
import { append, type Chain, Frontier, toList, weightOf } from './reading-frontier.domain.ts';

const MAX_SEQUENCE_COUNT = 1 << 24;
const EMPTY_SLOT = 0;
const SET_SLOT = 2;
const END = 4;

/** Operation of an array or a map; `hasValue`: whether a value follows. */
interface Operation {
  op: number;
  key: WholeNumber | string;
  hasValue: boolean;
  next: number;
}

type Item = { operation: Operation; value: BinValue | null };

/** Reads the array or map at an offset in all possible ways. */
export function* readSequence(source: Source, at: number, type: WireType): Reader<BinArray | BinMap> {
  const header = readKey(source.bytes, at);
  if (header === null || !isWireType(header.type) || header.type === WIRE.end || header.index > MAX_SEQUENCE_COUNT) return [];
  const element = header.type;
  const done = new Frontier<Chain<Item>>(source.maxReadings);
  const partial = new Frontier<Chain<Item>>(source.maxReadings);
  partial.add({ value: null, next: header.next, cost: 0 });
  for (let from = partial.removeFirst(); from !== null; from = partial.removeFirst()) {
    chargeSteps(source, 1);
    const operation = readOperation(source, from.next, type);
    if (operation === null) continue;
    if (operation.op === END) {
      done.add({ ...from, next: operation.next }, weightOf(from.value));
      continue;
    }
    if (!operation.hasValue) {
      partial.add(
        { value: append(from.value, { operation, value: null }, 0), next: operation.next, cost: from.cost },
        weightOf(from.value),
      );
      continue;
    }
    const values = isNested(element)
      ? ((yield { type: element, at: operation.next }) as Reading<BinValue>[])
      : toArray(readScalar(source, operation.next, element));
    for (const { value, next, cost } of values) {
      partial.add({ value: append(from.value, { operation, value }, 1), next, cost: from.cost + cost }, weightOf(from.value) + 1);
    }
  }
  return done.all().map((reading) => toSequence(source, reading, type, element, header.index));
}

function toSequence(
  source: Source,
  reading: Reading<Chain<Item>>,
  type: WireType,
  element: WireType,
  count: number,
): Reading<BinArray | BinMap> {
  const items = toList(reading.value);
  chargeSteps(source, items.length);
  if (type !== WIRE.array) {
    const entries = items.map(({ operation, value }) => ({ op: operation.op, key: operation.key, value }));
    return { ...reading, value: { kind: 'map', keys: mapKeys(type), element, count, entries } };
  }
  const values = weightOf(reading.value);
  return {
    value: { kind: 'array', element, count, items: items.map(({ operation, value }) => ({ slot: Number(operation.key), value })) },
    next: reading.next,
    cost: reading.cost + (values === count ? 0 : DOUBTFUL_READING_COST),
  };
}

function mapKeys(type: WireType): MapKeys {
  return type === WIRE.intMap ? 'int' : type === WIRE.longMap ? 'long' : 'text';
}

function readOperation(source: Source, at: number, type: WireType): Operation | null {
  const { bytes, decoder } = source;
  if (type === WIRE.array || type === WIRE.intMap) {
    const raw = readVarint64(bytes, at);
    const code = raw && unzigzag(raw.value);
    if (raw === null || typeof code !== 'number' || code < 0) return null;
    const op = code % 8;
    const isKnown = op === END ? code === END : type === WIRE.array ? op === EMPTY_SLOT || op === SET_SLOT : op < END;
    return isKnown ? { op, key: Math.floor(code / 8), hasValue: hasValue(op), next: raw.next } : null;
  }
  const op = bytes[at];
  if (op === undefined || op > END) return null;
  if (op === END) return { op, key: 0, hasValue: false, next: at + 1 };
  const key = type === WIRE.textMap ? readTextKey(bytes, at + 1, decoder) : readLongKey(bytes, at + 1);
  return key && { op, key: key.key, hasValue: hasValue(op), next: key.next };
}

function hasValue(op: number): boolean {
  return op === 1 || op === SET_SLOT;
}

function readTextKey(bytes: Uint8Array, at: number, decoder: TextDecoder): { key: string; next: number } | null {
  const span = readSpan(bytes, at);
  return span && { key: decoder.decode(bytes.subarray(span.from, span.next)), next: span.next };
}

function readLongKey(bytes: Uint8Array, at: number): { key: WholeNumber; next: number } | null {
  const raw = readVarint64(bytes, at);
  return raw && { key: unzigzag(raw.value), next: raw.next };
}
