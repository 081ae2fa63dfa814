import {
  type BinArray,
  type BinComponent,
  type BinField,
  type BinFile,
  type BinMap,
  type BinObject,
  type BinSection,
  type BinValue,
  leafSection,
  type MapKeys,
  type WholeNumber,
  WIRE,
  type WireType,
} from './binfab.domain.ts';
import {
  append,
  type Chain,
  chargeSteps,
  DOUBTFUL_READING_COST,
  Frontier,
  isNested,
  isWireType,
  type Reader,
  type Reading,
  type ReadRequest,
  readKey,
  readScalar,
  readSigned,
  type Source,
  toArray,
  toList,
  WorkLimitExceeded,
  weightOf,
} from './binfab-readings.domain.ts';
import { readSpan, readVarint64, toExactNumber, unzigzag } from './bytes.domain.ts';

/** Larger files are not decoded. */
const MAX_FILE_LENGTH = 1 << 20;
const MAX_COMPONENTS = 4096;
const MAX_SECTIONS = 8;
const MAX_FIELD_INDEX = 255;
const SECTION_COST = 1;
/** Maximum depth of nested values; the stack is on the heap. */
const MAX_DEPTH = 4096;
/** Work limit of a file: base plus steps per byte, up to a maximum. */
const BASE_STEPS = 20_000;
const STEPS_PER_BYTE = 256;
const MAX_STEPS = 2_000_000;
/** Maximum alternative readings of a value: the first is enough for regular files, the second is tried for doubtful ones. */
const MAX_READINGS = [8, 64];

/**
 * Decodes a file; null if it is neither an entity nor exactly one object.
 *
 * The number of sections of an object is not in the file. After each section, the decoder follows both readings, "last section"
 * and "another section", and selects the reading that fills the enclosing length with the fewest sections. Readers are
 * generators: they request nested values from the driver, which has its own stack and caches readings by offset.
 */
export function decodeBinfab(bytes: Uint8Array): BinFile | null {
  if (bytes.length === 0 || bytes.length > MAX_FILE_LENGTH) return null;
  return decodeEntity(bytes) ?? decodeSingleObject(bytes);
}

/** Leaf section of a table, which is one object. Throws if it cannot be decoded. */
export function decodeTable({ bytes }: { bytes: Uint8Array }): BinSection {
  const table = bytes.length > MAX_FILE_LENGTH ? null : decodeObject(bytes, 0);
  if (table === null) throw new Error('structure could not be decoded');
  return leafSection(table);
}

function decodeSingleObject(bytes: Uint8Array): BinFile | null {
  const object = decodeObject(bytes, 0);
  return object && { kind: 'object', object };
}

/** Header of an entity file; `next` is the offset of the first record. Null unless the size in the header is that of the rest of the file. */
export function readEntityHeader(bytes: Uint8Array): { typeId: number; number: number | bigint; next: number } | null {
  const typeId = readSigned(bytes, 0);
  const number = typeId && readVarint64(bytes, typeId.next);
  const size = number && readVarint64(bytes, number.next);
  if (!typeId || !number || !size || toExactNumber(size.value) !== bytes.length - size.next) return null;
  return { typeId: typeId.value, number: unzigzag(number.value), next: size.next };
}

function decodeEntity(bytes: Uint8Array): BinFile | null {
  const start = readEntityHeader(bytes);
  if (start === null) return null;
  const spans: { id: number; from: number; next: number }[] = [];
  for (let at = start.next; at < bytes.length; ) {
    const id = readSigned(bytes, at);
    const span = id && readSpan(bytes, id.next);
    if (!id || !span || spans.length >= MAX_COMPONENTS) return null;
    spans.push({ id: id.value, ...span });
    at = span.next;
  }
  const components: BinComponent[] = spans.map(({ id, from, next }) => ({ id, object: decodeObject(bytes.subarray(from, next), from) }));
  return { kind: 'entity', typeId: start.typeId, number: start.number, components };
}

/** Object that fills the bytes; `base` is their offset in the file. A doubtful reading is retried with more alternatives. */
function decodeObject(bytes: Uint8Array, base: number): BinObject | null {
  const plain = decodePlain(bytes, base);
  if (plain !== null) return plain;
  let best: Reading<BinObject> | null = null;
  for (const maxReadings of MAX_READINGS) {
    const reading = decodeWith(maxReadings, bytes, base);
    if (reading !== null && (best === null || reading.cost < best.cost)) best = reading;
    if (best !== null && best.cost < DOUBTFUL_READING_COST) break;
  }
  return best?.value ?? null;
}

function createSource(maxReadings: number, bytes: Uint8Array, base: number): Source {
  return {
    bytes,
    base,
    maxReadings,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    decoder: new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }),
    steps: Math.min(MAX_STEPS, BASE_STEPS + STEPS_PER_BYTE * bytes.length),
  };
}

/** Nested values of the reading without alternatives; deeper ones need the stack of the driver. */
const MAX_PLAIN_DEPTH = 64;

/**
 * Reads an object whose objects all have one section, without alternatives: no reading has fewer sections. Most files are such, and
 * this takes a fraction of the time. Null for any other object, and for a doubtful reading.
 */
function decodePlain(bytes: Uint8Array, base: number): BinObject | null {
  const source = createSource(1, bytes, base);
  try {
    const object = readPlain(source, { type: WIRE.object, at: 0 }, 0);
    return object?.next === bytes.length ? (object.value as BinObject) : null;
  } catch (error) {
    if (error instanceof WorkLimitExceeded) return null;
    throw error;
  }
}

/** Runs a reader with one section per object; null unless there is one reading without doubt. */
function readPlain(source: Source, request: ReadRequest, depth: number): Reading<unknown> | null {
  if (depth > MAX_PLAIN_DEPTH) return null;
  if (request.type === WIRE.object) {
    const section = readPlain(source, { type: 'section', at: request.at }, depth + 1) as Reading<BinSection> | null;
    return section && { ...section, value: { kind: 'object', sections: [section.value] } };
  }
  const reader = createReader(source, request);
  let readings: Reading<unknown>[] = [];
  for (let step = reader.next(readings); ; step = reader.next(readings)) {
    if (step.done) return step.value.length === 1 && step.value[0]?.cost === 0 ? step.value[0] : null;
    chargeSteps(source, 1);
    readings = toArray(readPlain(source, step.value, depth + 1));
    if (readings.length === 0) return null;
  }
}

function decodeWith(maxReadings: number, bytes: Uint8Array, base: number): Reading<BinObject> | null {
  const source = createSource(maxReadings, bytes, base);
  try {
    const readings = runReaders(source, { type: WIRE.object, at: 0 }) as Reading<BinObject>[];
    return readings.find((reading) => reading.next === bytes.length) ?? null;
  } catch (error) {
    if (error instanceof WorkLimitExceeded) return null;
    throw error;
  }
}

function runReaders(source: Source, root: ReadRequest): Reading<unknown>[] {
  const cache = new Map<number, Reading<unknown>[]>();
  const createFrame = (request: ReadRequest) => ({ key: requestKey(request), reader: createReader(source, request) });
  const stack = [createFrame(root)];
  let readings: Reading<unknown>[] = [];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (stack.length > MAX_DEPTH) throw new WorkLimitExceeded();
    chargeSteps(source, 1);
    const step = top.reader.next(readings);
    if (step.done) {
      stack.pop();
      readings = step.value;
      cache.set(top.key, readings);
      continue;
    }
    const cached = cache.get(requestKey(step.value));
    if (cached === undefined) stack.push(createFrame(step.value));
    readings = cached ?? [];
  }
  return readings;
}

function requestKey(request: ReadRequest): number {
  return request.at * 128 + (request.type === 'section' ? 127 : request.type);
}

function createReader(source: Source, request: ReadRequest): Reader<unknown> {
  if (request.type === 'section') return readSection(source, request.at);
  if (request.type === WIRE.object) return readObject(source, request.at);
  return readSequence(source, request.at, request.type);
}

function* readObject(source: Source, at: number): Reader<BinObject> {
  const done = new Frontier<Chain<BinSection>>(source.maxReadings);
  let current = new Frontier<Chain<BinSection>>(source.maxReadings);
  current.add({ value: null, next: at, cost: 0 });
  for (let count = 1; count <= MAX_SECTIONS && !current.isEmpty(); count += 1) {
    const following = new Frontier<Chain<BinSection>>(source.maxReadings);
    for (let from = current.removeFirst(); from !== null; from = current.removeFirst()) {
      if (from.next >= source.bytes.length) continue;
      const sections = (yield { type: 'section', at: from.next }) as Reading<BinSection>[];
      for (const section of sections) {
        const extended = { value: append(from.value, section.value), next: section.next, cost: from.cost + section.cost + SECTION_COST };
        done.add(extended);
        following.add(extended);
      }
    }
    current = following;
  }
  return done.all().map((reading) => ({ ...reading, value: { kind: 'object', sections: toList(reading.value) } }));
}

function* readSection(source: Source, at: number): Reader<BinSection> {
  const done = new Frontier<Chain<BinField>>(source.maxReadings);
  const partial = new Frontier<Chain<BinField>>(source.maxReadings);
  partial.add({ value: null, next: at, cost: 0 });
  for (let from = partial.removeFirst(); from !== null; from = partial.removeFirst()) {
    chargeSteps(source, 1);
    const key = readKey(source.bytes, from.next);
    if (key === null || !isWireType(key.type)) continue;
    if (key.type === WIRE.end) {
      if (key.index === 0) done.add({ ...from, next: key.next });
      continue;
    }
    const use = indexUse(from.value, key.index);
    if (key.index > MAX_FIELD_INDEX || use === 'taken') continue;
    const values = isNested(key.type)
      ? ((yield { type: key.type, at: key.next }) as Reading<BinValue>[])
      : toArray(readScalar(source, key.next, key.type));
    for (const { value, next, cost } of values) {
      const field: BinField = { index: key.index, value, at: source.base + from.next };
      const fields = append(from.value, field, use === 'new' ? INDEX_WEIGHTS[key.index] : 0);
      partial.add({ value: fields, next, cost: from.cost + cost }, weightOf(fields) * (MAX_FIELD_INDEX + 1) + key.index);
    }
  }
  return done.all().map((reading) => {
    const fields = toList(reading.value);
    chargeSteps(source, fields.length);
    return { ...reading, value: fields };
  });
}

/** An index can repeat only in consecutive fields. */
function indexUse(fields: Chain<BinField>, index: number): 'new' | 'repeated' | 'taken' {
  if (fields?.item.index === index) return 'repeated';
  for (let link: Chain<BinField> = fields; link !== null; link = link.before) if (link.item.index === index) return 'taken';
  return 'new';
}

/** Pseudorandom weight of each index: the sum identifies the set of used indices, on which the valid continuations of a section depend. */
const INDEX_WEIGHTS: readonly number[] = Array.from({ length: MAX_FIELD_INDEX + 1 }, (_, index) => Math.imul(index + 1, 0x9e3779b1) >>> 0);

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
function* readSequence(source: Source, at: number, type: WireType): Reader<BinArray | BinMap> {
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
      const cost = from.cost + (weightOf(from.value) === header.index ? 0 : DOUBTFUL_READING_COST);
      done.add({ ...from, next: operation.next, cost }, weightOf(from.value));
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
    // The game numbers the values of an array without gaps. A gap shows that the object before swallowed values as its own sections.
    const cost = from.cost + (type === WIRE.array && operation.key !== weightOf(from.value) ? DOUBTFUL_READING_COST : 0);
    for (const reading of values) {
      const { value, next } = reading;
      partial.add({ value: append(from.value, { operation, value }, 1), next, cost: cost + reading.cost }, weightOf(from.value) + 1);
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
  const slots = items.map(({ operation, value }) => ({ slot: Number(operation.key), value }));
  return { ...reading, value: { kind: 'array', element, count, items: slots } };
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
