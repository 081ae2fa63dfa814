import {
  type BinArray,
  type BinField,
  type BinFile,
  type BinMap,
  type BinObject,
  type BinValue,
  type WholeNumber,
  WIRE,
  type WireType,
} from '../../../src/areas/codexes/format/binfab.domain.ts';

/* Encodes the trees that the decoder reads. The positions `at` are ignored. */

const WIDE: ReadonlySet<number> = new Set([WIRE.end, WIRE.object, WIRE.array, WIRE.intMap, WIRE.custom, WIRE.longMap, WIRE.textMap]);
const MAP_WIRES = { int: WIRE.intMap, long: WIRE.longMap, text: WIRE.textMap } as const;

export class ByteWriter {
  #bytes = new Uint8Array(256);
  length = 0;

  push(...bytes: number[]): this {
    for (const byte of bytes) this.#put(byte);
    return this;
  }

  append(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  varint(value: WholeNumber): this {
    if (typeof value === 'number' && value < 2 ** 31) {
      let rest = value;
      for (; rest >= 0x80; rest >>>= 7) this.#put((rest & 0x7f) | 0x80);
      this.#put(rest);
      return this;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest >= 0x80n; rest >>= 7n) this.#put(Number(rest & 0x7fn) | 0x80);
    this.#put(Number(rest));
    return this;
  }

  zigzag(value: WholeNumber): this {
    if (typeof value === 'number' && value >= 0 && value < 2 ** 29) return this.varint(value * 2);
    const wide = BigInt(value);
    return this.varint(BigInt.asUintN(64, wide < 0n ? -wide * 2n - 1n : wide * 2n));
  }

  text(value: string): this {
    const bytes = new TextEncoder().encode(value);
    return this.varint(bytes.length).append(bytes);
  }

  float(value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.append(bytes);
  }

  fixed(value: bigint): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, value, true);
    return this.append(bytes);
  }

  key(index: number, type: number): this {
    return this.zigzag(WIDE.has(type) ? index * 64 + type : index * 8 + type);
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length);
  }

  #put(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.length] = byte;
    this.length += 1;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more));
    wider.set(this.#bytes.subarray(0, this.length));
    this.#bytes = wider;
  }
}

export function encodeBinfab(file: BinFile): Uint8Array<ArrayBuffer> {
  if (file.kind === 'object') return encodeObject(file.object);
  const records = new ByteWriter();
  for (const { id, object } of file.components) {
    const body = encodeObject(object ?? { kind: 'object', sections: [[]] });
    records.zigzag(id).varint(body.length).append(body);
  }
  const body = records.done();
  return new ByteWriter().zigzag(file.typeId).zigzag(file.number).varint(body.length).append(body).done();
}

/** Pending work, next task last. Avoids recursion to support any depth. */
type Task = (tasks: Task[]) => void;

export function encodeObject(object: BinObject): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  const tasks: Task[] = [];
  queue(tasks, objectTasks(out, object));
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) task(tasks);
  return out.done();
}

function queue(tasks: Task[], next: Task[]): void {
  for (const task of next.reverse()) tasks.push(task);
}

function objectTasks(out: ByteWriter, object: BinObject): Task[] {
  return object.sections.flatMap((section) => [...section.map((field) => fieldTask(out, field)), () => out.key(0, WIRE.end)]);
}

function fieldTask(out: ByteWriter, field: BinField): Task {
  return (tasks) => {
    out.key(field.index, wireOf(field.value));
    queue(tasks, valueTasks(out, field.value));
  };
}

function valueTasks(out: ByteWriter, value: BinValue): Task[] {
  switch (value.kind) {
    case 'object':
      return objectTasks(out, value);
    case 'array':
      return arrayTasks(out, value);
    case 'map':
      return mapTasks(out, value);
    default:
      return [() => writeScalar(out, value)];
  }
}

function writeScalar(out: ByteWriter, value: Exclude<BinValue, BinObject | BinArray | BinMap>): void {
  switch (value.kind) {
    case 'signed':
      out.zigzag(value.value);
      break;
    case 'unsigned':
      out.varint(value.value);
      break;
    case 'float':
      out.float(value.value);
      break;
    case 'fixed':
      out.fixed(value.value);
      break;
    case 'text':
      out.text(value.value);
      break;
    case 'custom':
      out.varint(value.bytes.length).append(value.bytes);
      break;
    case 'packed':
      out.key(value.values.length, value.element);
      for (const item of value.values) writePacked(out, value.element, item);
      break;
  }
}

function writePacked(out: ByteWriter, element: WireType, item: WholeNumber): void {
  if (element === WIRE.signed) out.zigzag(item);
  else if (element === WIRE.unsigned) out.varint(item);
  else if (element === WIRE.float) out.float(Number(item));
  else out.fixed(BigInt(item));
}

function arrayTasks(out: ByteWriter, array: BinArray): Task[] {
  const operation = (slot: number, op: number): Task => {
    return () => out.zigzag(slot * 8 + op);
  };
  return [
    () => out.key(array.count, array.element),
    ...array.items.flatMap(({ slot, value }) => (value === null ? [operation(slot, 0)] : [operation(slot, 2), ...valueTasks(out, value)])),
    operation(0, 4),
  ];
}

function mapTasks(out: ByteWriter, map: BinMap): Task[] {
  const operation = (op: number, key: WholeNumber | string): Task => {
    if (map.keys === 'int') return () => out.zigzag(Number(key) * 8 + op);
    return () => {
      out.push(op);
      if (typeof key === 'string') out.text(key);
      else out.zigzag(key);
    };
  };
  return [
    () => out.key(map.count, map.element),
    ...map.entries.flatMap(({ op, key, value }) => [operation(op, key), ...(value === null ? [] : valueTasks(out, value))]),
    operation(4, map.keys === 'text' ? '' : 0),
  ];
}

export function wireOf(value: BinValue): WireType {
  return value.kind === 'map' ? MAP_WIRES[value.keys] : WIRE[value.kind];
}
