import type { WholeNumber } from './binfab.domain.ts';

const CHUNK = 8192;

/** One character per byte: regular expressions match bytes, and indexes are byte offsets. */
export function toLatin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  for (let at = start; at < end; at += CHUNK) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(at + CHUNK, end)) as unknown as number[]);
  }
  return text;
}

/** Reads an unsigned LEB128 number of up to 64 bits; null if truncated or longer. */
export function readVarint64(bytes: Uint8Array, offset: number): { value: WholeNumber; next: number } | null {
  let low = 0;
  for (let group = 0; group < 10; group += 1) {
    const byte = bytes[offset + group];
    if (byte === undefined) return null;
    // Seven groups have 49 bits: exact as a double.
    if (group === 7) return readLong(bytes, offset);
    low += (byte & 0x7f) * 2 ** (7 * group);
    if (byte < 0x80) return { value: low, next: offset + group + 1 };
  }
  return null;
}

function readLong(bytes: Uint8Array, offset: number): { value: WholeNumber; next: number } | null {
  let value = 0n;
  for (let group = 0; group < 10; group += 1) {
    const byte = bytes[offset + group];
    if (byte === undefined) return null;
    value |= BigInt(byte & 0x7f) << BigInt(7 * group);
    if (byte < 0x80) return { value: toWholeNumber(BigInt.asUintN(64, value)), next: offset + group + 1 };
  }
  return null;
}

/** Decodes a zigzag number. */
export function unzigzag(value: WholeNumber): WholeNumber {
  if (typeof value === 'number') return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  return toWholeNumber((value >> 1n) ^ -(value & 1n));
}

function toWholeNumber(value: bigint): WholeNumber {
  const exact = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return exact ? Number(value) : value;
}

/** The number if it is exact as a double; null otherwise. */
export function toExactNumber(value: WholeNumber): number | null {
  return typeof value === 'number' ? value : null;
}

/** Range of length-prefixed bytes; null if it exceeds the end. */
export function readSpan(bytes: Uint8Array, offset: number): { from: number; next: number } | null {
  const length = readVarint64(bytes, offset);
  if (length === null || typeof length.value !== 'number' || length.next + length.value > bytes.length) return null;
  return { from: length.next, next: length.next + length.value };
}

/** Bytes of a file, and the same as a string with one character per byte. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly latin1: string;
}

/** `latin1` is decoded on first use. */
export function fileBytes(bytes: Uint8Array): FileBytes {
  let latin1: string | null = null;
  return {
    bytes,
    get latin1() {
      latin1 ??= toLatin1(bytes);
      return latin1;
    },
  };
}

/** A byte sequence that has the form of a text field: key, length, text. */
export interface ScannedText {
  /** Offset of the key. */
  at: number;
  field: number;
  text: string;
  /** Start and end of the text. */
  from: number;
  next: number;
}

const MIN_TEXT_LENGTH = 2;
const MAX_SCANNED_TEXT_LENGTH = 512;
const TEXT_NIBBLE = 8;

/** Scans every offset for text fields. Includes false matches that start inside real texts. In order of the keys. */
export function* scanTexts(file: FileBytes): Generator<ScannedText> {
  const { bytes, latin1 } = file;
  for (let at = 0; at < bytes.length; at += 1) {
    // The low nibble of a key is in its first byte.
    if (((bytes[at] ?? 0) & 15) !== TEXT_NIBBLE) continue;
    const key = readVarint64(bytes, at);
    const length = key && readVarint64(bytes, key.next);
    if (!key || !length || typeof key.value !== 'number' || typeof length.value !== 'number') continue;
    if (length.value < MIN_TEXT_LENGTH || length.value > MAX_SCANNED_TEXT_LENGTH) continue;
    const next = length.next + length.value;
    if (next > bytes.length || !isPrintable(bytes, length.next, next)) continue;
    yield { at, field: Math.floor(key.value / 16), text: latin1.slice(length.next, next), from: length.next, next };
  }
}

/** Scanned texts without those that start inside a previous text. */
export function* scanRealTexts(file: FileBytes): Generator<ScannedText> {
  let end = 0;
  for (const found of scanTexts(file)) {
    if (found.from < end) continue;
    end = found.next;
    yield found;
  }
}

export function isPrintable(bytes: Uint8Array, from: number, next: number): boolean {
  for (let at = from; at < next; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte > 0x7e) return false;
  }
  return true;
}

/** Reads a length-prefixed text as Latin-1; null if truncated. */
export function readLatin1(file: FileBytes, at: number): { text: string; next: number } | null {
  const span = readSpan(file.bytes, at);
  return span && { text: file.latin1.slice(span.from, span.next), next: span.next };
}

/** Array operations in the file format: 16 times the slot plus the operation. */
const OPERATION_STEP = 16;
const SLOT_CREATED = 0;
const SLOT_SET = 4;

/**
 * Offset of the next value of an array. Skips operations that create empty slots, which some arrays have before the first value.
 * Null if no value follows.
 */
export function findSlotValue(bytes: Uint8Array, at: number): number | null {
  let operation = readVarint64(bytes, at);
  while (operation !== null && Number(operation.value) % OPERATION_STEP === SLOT_CREATED) operation = readVarint64(bytes, operation.next);
  return operation !== null && Number(operation.value) % OPERATION_STEP === SLOT_SET ? operation.next : null;
}

/** Encoded operation before the value of slot `row` of an array, from 1. */
export function encodeRowMark(row: number): string {
  let rest = 16 * row - 12;
  let mark = '';
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) mark += String.fromCharCode((rest % 0x80) | 0x80);
  return mark + String.fromCharCode(rest);
}
