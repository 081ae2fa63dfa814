/*
 * A second reader of the game's files, written for the checks of a whole version and independent of `src`: a mistake of the service's
 * decoder is not repeated here. It accepts only arrays whose slots are complete and in order, and reads no maps with other keys.
 */

/** Object: one list of fields per section. */
export type Section = { index: number; value: Value }[];
export type Value = number | bigint | string | Uint8Array | { sections: Section[] } | { items: Value[] } | { packed: Value[] };

export interface Component {
  id: number;
  /** Null if the bytes are not exactly one object. */
  sections: Section[] | null;
}

export type GameFile = { components: Component[] } | { sections: Section[] };

interface Found<T> {
  value: T;
  end: number;
  /** Sections of all nested objects: of several readings the one with the fewest is right. */
  sections: number;
}

const SIGNED = 0;
const UNSIGNED = 1;
const FLOAT = 2;
const EIGHT_BYTES = 3;
const TEXT = 4;
const PACKED = 6;
const END = 0x0f;
const OBJECT = 0x17;
const ARRAY = 0x1f;
const INT_MAP = 0x27;
const BLOB = 0x2f;
const LONG_MAP = 0x37;
const TEXT_MAP = 0x3f;
const MAX_SECTIONS = 8;
const MAX_BYTES = 1 << 21;
const MAX_ALTERNATIVES = 12;

/** Reads a file; null if it is neither an entity nor one object. */
export function readGameFile(bytes: Uint8Array): GameFile | null {
  const components = readComponents(bytes);
  if (components !== null) return { components };
  const sections = readWholeObject(bytes);
  return sections === null ? null : { sections };
}

function readComponents(bytes: Uint8Array): Component[] | null {
  const reader = new Reader(bytes);
  const type = reader.varint(0);
  const number = type && reader.varint(type.end);
  const size = number && reader.varint(number.end);
  if (!size || Number(size.value) !== bytes.length - size.end) return null;
  const components: Component[] = [];
  for (let at = size.end; at < bytes.length; ) {
    const id = reader.varint(at);
    const length = id && reader.varint(id.end);
    const end = length ? length.end + Number(length.value) : Number.POSITIVE_INFINITY;
    if (!id || !length || end > bytes.length) return null;
    components.push({ id: Number(unzigzag(id.value)), sections: readWholeObject(bytes.subarray(length.end, end)) });
    at = end;
  }
  return components;
}

function readWholeObject(bytes: Uint8Array): Section[] | null {
  if (bytes.length > MAX_BYTES) return null;
  const reader = new Reader(bytes);
  const whole = reader.objects(0).filter(({ end }) => end === bytes.length);
  whole.sort((a, b) => a.sections - b.sections);
  return whole[0]?.value.sections ?? null;
}

function unzigzag(value: bigint): number | bigint {
  const signed = (value >> 1n) ^ -(value & 1n);
  return BigInt(Number(signed)) === signed ? Number(signed) : signed;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #known = new Map<string, Found<Value>[]>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  varint(at: number): { value: bigint; end: number } | null {
    let value = 0n;
    for (let index = 0; index < 10; index += 1) {
      const byte = this.#bytes[at + index];
      if (byte === undefined) return null;
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return { value, end: at + index + 1 };
    }
    return null;
  }

  #key(at: number): { index: number; type: number; end: number } | null {
    const raw = this.varint(at);
    if (raw === null || (raw.value & 1n) === 1n) return null;
    const key = Number(raw.value >> 1n);
    const isWide = (key & 7) === 7;
    return { index: Math.floor(key / (isWide ? 64 : 8)), type: key % (isWide ? 64 : 8), end: raw.end };
  }

  /** All readings of an object at an offset: one for each number of sections. */
  objects(at: number): Found<{ sections: Section[] }>[] {
    const found: Found<{ sections: Section[] }>[] = [];
    let open: Found<Section[]>[] = [{ value: [], end: at, sections: 0 }];
    for (let count = 1; count <= MAX_SECTIONS && open.length > 0; count += 1) {
      open = cheapest(
        open.flatMap((before) => this.#sections(before.end).map((next) => joined(before, next, [...before.value, next.value], 1))),
      );
      for (const { value, end, sections } of open) found.push({ value: { sections: value }, end, sections });
    }
    return cheapest(found);
  }

  #sections(at: number): Found<Section>[] {
    const found: Found<Section>[] = [];
    let open: Found<Section>[] = [{ value: [], end: at, sections: 0 }];
    while (open.length > 0) {
      const next: Found<Section>[] = [];
      for (const before of open) {
        const key = this.#key(before.end);
        if (key === null || key.index > 255) continue;
        if (key.type === END) {
          if (key.index === 0) found.push({ ...before, end: key.end });
          continue;
        }
        if (before.value.some(({ index }) => index === key.index) && before.value.at(-1)?.index !== key.index) continue;
        for (const value of this.#values(key.type, key.end))
          next.push(joined(before, value, [...before.value, { index: key.index, value: value.value }]));
      }
      open = cheapest(next);
    }
    return cheapest(found);
  }

  #values(type: number, at: number): Found<Value>[] {
    const name = `${type} ${at}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const values = this.#readValues(type, at);
    this.#known.set(name, values);
    return values;
  }

  #readValues(type: number, at: number): Found<Value>[] {
    const single = (value: Value, end: number): Found<Value>[] => (end > this.#bytes.length ? [] : [{ value, end, sections: 0 }]);
    switch (type) {
      case SIGNED:
      case UNSIGNED: {
        const raw = this.varint(at);
        return raw === null ? [] : single(type === SIGNED ? unzigzag(raw.value) : Number(raw.value), raw.end);
      }
      case FLOAT:
        return at + 4 > this.#bytes.length ? [] : single(this.#view.getFloat32(at, true), at + 4);
      case EIGHT_BYTES:
        return at + 8 > this.#bytes.length ? [] : single(this.#view.getBigUint64(at, true), at + 8);
      case TEXT:
      case BLOB: {
        const length = this.varint(at);
        if (length === null || length.end + Number(length.value) > this.#bytes.length) return [];
        const end = length.end + Number(length.value);
        const part = this.#bytes.subarray(length.end, end);
        if (type === BLOB) return single(part, end);
        const text = this.#text(part);
        return text === null ? [] : single(text, end);
      }
      case PACKED: {
        const key = this.#key(at);
        if (key === null || key.type > EIGHT_BYTES) return [];
        const packed: Value[] = [];
        let end = key.end;
        for (let index = 0; index < key.index; index += 1) {
          const [item] = this.#readValues(key.type, end);
          if (item === undefined) return [];
          packed.push(item.value);
          end = item.end;
        }
        return single({ packed }, end);
      }
      case OBJECT:
        return this.objects(at);
      case ARRAY:
        return this.#arrays(at);
      case INT_MAP:
      case LONG_MAP:
      case TEXT_MAP:
        return this.#maps(at, type);
      default:
        return [];
    }
  }

  #text(bytes: Uint8Array): string | null {
    try {
      const text = this.#decoder.decode(bytes);
      return [...text].some((character) => character < ' ' && !'\n\r\t'.includes(character)) ? null : text;
    } catch {
      return null;
    }
  }

  #arrays(at: number): Found<Value>[] {
    const header = this.#key(at);
    if (header === null) return [];
    let open: Found<Value[]>[] = [{ value: [], end: header.end, sections: 0 }];
    for (let slot = 0; slot < header.index; slot += 1) {
      open = cheapest(
        open.flatMap((before) => {
          const start = this.#slotValue(before.end, slot);
          if (start === null) return [];
          return this.#values(header.type, start).map((next) => joined(before, next, [...before.value, next.value]));
        }),
      );
    }
    return open.flatMap(({ value, end, sections }) => {
      const last = this.#skipCreated(end);
      return last?.value === 8n ? [{ value: { items: value }, end: last.end, sections }] : [];
    });
  }

  /** First operation that is not the creation of an empty slot. */
  #skipCreated(at: number): { value: bigint; end: number } | null {
    let operation = this.varint(at);
    while (operation !== null && operation.value % 16n === 0n) operation = this.varint(operation.end);
    return operation;
  }

  /** Offset of the value of a slot, which may be created empty before. */
  #slotValue(at: number, slot: number): number | null {
    const operation = this.#skipCreated(at);
    return operation?.value === BigInt(16 * slot + 4) ? operation.end : null;
  }

  #maps(at: number, type: number): Found<Value>[] {
    const header = this.#key(at);
    if (header === null) return [];
    const found: Found<Value>[] = [];
    let open: Found<Value[]>[] = [{ value: [], end: header.end, sections: 0 }];
    while (open.length > 0) {
      const next: Found<Value[]>[] = [];
      for (const before of open) {
        const operation = this.#mapOperation(before.end, type);
        if (operation === null) continue;
        if (operation.op === 4) {
          if (before.value.length === header.index)
            found.push({ value: { items: before.value }, end: operation.end, sections: before.sections });
        } else if (operation.op === 1 || operation.op === 2) {
          for (const value of this.#values(header.type, operation.end)) next.push(joined(before, value, [...before.value, value.value]));
        } else next.push({ ...before, end: operation.end });
      }
      open = cheapest(next);
    }
    return cheapest(found);
  }

  #mapOperation(at: number, type: number): { op: number; end: number } | null {
    if (type === INT_MAP) {
      const raw = this.varint(at);
      if (raw === null || (raw.value & 1n) === 1n) return null;
      const op = Number((raw.value >> 1n) & 7n);
      return op > 4 ? null : { op, end: raw.end };
    }
    const op = this.#bytes[at];
    if (op === undefined || op > 4) return null;
    const key = this.varint(at + 1);
    if (key === null) return null;
    const end = type === TEXT_MAP ? key.end + Number(key.value) : key.end;
    return end > this.#bytes.length ? null : { op, end };
  }
}

function joined<T>(before: Found<unknown>, next: Found<unknown>, value: T, more = 0): Found<T> {
  return { value, end: next.end, sections: before.sections + next.sections + more };
}

/** Of readings with the same end, the one with the fewest sections; at most `MAX_ALTERNATIVES`. */
function cheapest<T>(found: Found<T>[]): Found<T>[] {
  if (found.length < 2) return found;
  const byEnd = new Map<number, Found<T>>();
  for (const reading of found) {
    const other = byEnd.get(reading.end);
    if (other === undefined || reading.sections < other.sections) byEnd.set(reading.end, reading);
  }
  return [...byEnd.values()].sort((a, b) => a.sections - b.sections).slice(0, MAX_ALTERNATIVES);
}

/** First value of a field in a section. */
export function field(section: Section | undefined, index: number): Value | undefined {
  return section?.find((one) => one.index === index)?.value;
}

export function textField(section: Section | undefined, index: number): string | null {
  const value = field(section, index);
  return typeof value === 'string' ? value : null;
}

export function numberField(section: Section | undefined, index: number): number | null {
  const value = field(section, index);
  return typeof value === 'number' ? value : null;
}

/** Objects of an array field, as their last section. */
export function rowsField(section: Section | undefined, index: number): Section[] {
  return itemsField(section, index).flatMap((item) => (typeof item === 'object' && 'sections' in item ? [item.sections.at(-1) ?? []] : []));
}

export function itemsField(section: Section | undefined, index: number): Value[] {
  const value = field(section, index);
  return typeof value === 'object' && 'items' in value ? value.items : [];
}
