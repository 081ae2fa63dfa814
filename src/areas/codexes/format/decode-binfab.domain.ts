import { type BinComponent, type BinField, type BinFile, type BinObject, type BinSection, type BinValue, WIRE } from './binfab.domain.ts';
import { readSequence } from './binfab-sequences.domain.ts';
import {
  type Ask,
  DOUBTFUL_COST,
  Exhausted,
  isNested,
  isWireType,
  listed,
  type Reader,
  type Reading,
  readKey,
  readScalar,
  readSigned,
  readSpan,
  type Source,
  spend,
} from './binfab-values.domain.ts';
import { exactNumber, readWhole, unzigzag } from './bytes.domain.ts';
import { type Chain, chained, Frontier, unchained, weightOf } from './reading-frontier.domain.ts';

/** Files beyond this are not read structurally. */
const MAX_FILE_LENGTH = 1 << 18;
const MAX_COMPONENTS = 4096;
const MAX_SECTIONS = 8;
const MAX_FIELD_INDEX = 255;
const SECTION_COST = 1;
/** Nesting of half-read values; each level is one entry of a heap-allocated stack. */
const DEEPEST = 4096;
/** Work allowed for a file: a base and so much for each byte. */
const BASE_STEPS = 20_000;
const STEPS_PER_BYTE = 256;
const MAX_STEPS = 500_000;
/** Readings followed at once: few are enough for files as the game writes them. */
const WIDTHS = [8, 64];

/**
 * Decodes a file; null when its bytes are neither an entity nor an object that fills it.
 *
 * The number of an object's sections is not on the wire. After each section both "that was all" and "one more" are read,
 * and the reading stands that fills the enclosing length with the fewest sections. Readers are generators: what they need
 * from deeper in the file they ask of the driver, which keeps the half-read on a stack of its own and every answer by its
 * offset.
 */
export function decodeBinfab(bytes: Uint8Array): BinFile | null {
  if (bytes.length === 0 || bytes.length > MAX_FILE_LENGTH) return null;
  return decodeEntity(bytes) ?? decodeBare(bytes);
}

function decodeBare(bytes: Uint8Array): BinFile | null {
  const object = decodeObject(bytes, 0);
  return object && { kind: 'object', object };
}

/** Where the records of an entity file begin: after a header whose size is exactly that of the rest; null without one. */
export function entityStart(bytes: Uint8Array): { typeId: number; number: number | bigint; next: number } | null {
  const typeId = readSigned(bytes, 0);
  const number = typeId && readWhole(bytes, typeId.next);
  const size = number && readWhole(bytes, number.next);
  if (!typeId || !number || !size || exactNumber(size.value) !== bytes.length - size.next) return null;
  return { typeId: typeId.value, number: unzigzag(number.value), next: size.next };
}

function decodeEntity(bytes: Uint8Array): BinFile | null {
  const start = entityStart(bytes);
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

/** The object that fills the bytes; `base` is their place in the file. A doubtful reading is looked at again, more widely. */
function decodeObject(bytes: Uint8Array, base: number): BinObject | null {
  let best: Reading<BinObject> | null = null;
  for (const width of WIDTHS) {
    const reading = readWith(width, bytes, base);
    if (reading !== null && (best === null || reading.cost < best.cost)) best = reading;
    if (best !== null && best.cost < DOUBTFUL_COST) break;
  }
  return best?.value ?? null;
}

function readWith(width: number, bytes: Uint8Array, base: number): Reading<BinObject> | null {
  const source: Source = {
    bytes,
    base,
    width,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    decoder: new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }),
    steps: Math.min(MAX_STEPS, BASE_STEPS + STEPS_PER_BYTE * bytes.length),
  };
  try {
    const readings = drive(source, { what: WIRE.object, at: 0 }) as Reading<BinObject>[];
    return readings.find((reading) => reading.next === bytes.length) ?? null;
  } catch (error) {
    if (error instanceof Exhausted) return null;
    throw error;
  }
}

function drive(source: Source, root: Ask): Reading<unknown>[] {
  const known = new Map<number, Reading<unknown>[]>();
  const open = (ask: Ask) => ({ key: keyOf(ask), reader: readerFor(source, ask) });
  const stack = [open(root)];
  let answer: Reading<unknown>[] = [];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (stack.length > DEEPEST) throw new Exhausted();
    spend(source, 1);
    const turn = top.reader.next(answer);
    if (turn.done) {
      stack.pop();
      answer = turn.value;
      known.set(top.key, answer);
      continue;
    }
    const kept = known.get(keyOf(turn.value));
    if (kept === undefined) stack.push(open(turn.value));
    answer = kept ?? [];
  }
  return answer;
}

function keyOf(ask: Ask): number {
  return ask.at * 128 + (ask.what === 'section' ? 127 : ask.what);
}

function readerFor(source: Source, ask: Ask): Reader<unknown> {
  if (ask.what === 'section') return readSection(source, ask.at);
  if (ask.what === WIRE.object) return readObject(source, ask.at);
  return readSequence(source, ask.at, ask.what);
}

function* readObject(source: Source, at: number): Reader<BinObject> {
  const done = new Frontier<Chain<BinSection>>(source.width);
  let current = new Frontier<Chain<BinSection>>(source.width);
  current.add({ value: null, next: at, cost: 0 });
  for (let count = 1; count <= MAX_SECTIONS && !current.isEmpty(); count += 1) {
    const following = new Frontier<Chain<BinSection>>(source.width);
    for (let from = current.take(); from !== null; from = current.take()) {
      if (from.next >= source.bytes.length) continue;
      const sections = (yield { what: 'section', at: from.next }) as Reading<BinSection>[];
      for (const section of sections) {
        const whole = { value: chained(from.value, section.value), next: section.next, cost: from.cost + section.cost + SECTION_COST };
        done.add(whole);
        following.add(whole);
      }
    }
    current = following;
  }
  return done.all().map((reading) => ({ ...reading, value: { kind: 'object', sections: unchained(reading.value) } }));
}

function* readSection(source: Source, at: number): Reader<BinSection> {
  const done = new Frontier<Chain<BinField>>(source.width);
  const partial = new Frontier<Chain<BinField>>(source.width);
  partial.add({ value: null, next: at, cost: 0 });
  for (let from = partial.take(); from !== null; from = partial.take()) {
    spend(source, 1);
    const key = readKey(source.bytes, from.next);
    if (key === null || !isWireType(key.type)) continue;
    if (key.type === WIRE.end) {
      if (key.index === 0) done.add({ ...from, next: key.next });
      continue;
    }
    const use = useOf(from.value, key.index);
    if (key.index > MAX_FIELD_INDEX || use === 'taken') continue;
    const values = isNested(key.type)
      ? ((yield { what: key.type, at: key.next }) as Reading<BinValue>[])
      : listed(readScalar(source, key.next, key.type));
    for (const { value, next, cost } of values) {
      const field: BinField = { index: key.index, value, at: source.base + from.next };
      const fields = chained(from.value, field, use === 'new' ? SET_WEIGHTS[key.index] : 0);
      partial.add({ value: fields, next, cost: from.cost + cost }, weightOf(fields) * (MAX_FIELD_INDEX + 1) + key.index);
    }
  }
  return done.all().map((reading) => {
    const fields = unchained(reading.value);
    spend(source, fields.length);
    return { ...reading, value: fields };
  });
}

/** An index may repeat directly after itself only. */
function useOf(fields: Chain<BinField>, index: number): 'new' | 'repeated' | 'taken' {
  if (fields?.item.index === index) return 'repeated';
  for (let link: Chain<BinField> = fields; link !== null; link = link.before) if (link.item.index === index) return 'taken';
  return 'new';
}

/** Numbers whose sum identifies a set of used indices, which decides how a section may continue. */
const SET_WEIGHTS: readonly number[] = Array.from({ length: MAX_FIELD_INDEX + 1 }, (_, index) => Math.imul(index + 1, 0x9e3779b1) >>> 0);
