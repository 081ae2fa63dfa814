import { readWhole, toLatin1 } from './bytes.domain.ts';

/** The bytes of a file, and the same as one character a byte. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly latin1: string;
}

/** Characters are decoded lazily. */
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

/** A text with a field key and a length before it, wherever in the file. */
export interface ScannedText {
  /** Of the key. */
  at: number;
  field: number;
  text: string;
  /** Where the text itself begins and where it ends. */
  from: number;
  next: number;
}

const MIN_TEXT_LENGTH = 2;
const MAX_SCANNED_TEXT_LENGTH = 512;
const TEXT_NIBBLE = 8;

/**
 * Every run of bytes that reads as a text field, tried at every offset: also phantoms that begin inside real texts.
 * In the order of the keys.
 */
export function* scanTexts(file: FileBytes): Generator<ScannedText> {
  const { bytes, latin1 } = file;
  for (let at = 0; at < bytes.length; at += 1) {
    // The low nibble of a key is in its first byte.
    if (((bytes[at] ?? 0) & 15) !== TEXT_NIBBLE) continue;
    const key = readWhole(bytes, at);
    const length = key && readWhole(bytes, key.next);
    if (!key || !length || typeof key.value !== 'number' || typeof length.value !== 'number') continue;
    if (length.value < MIN_TEXT_LENGTH || length.value > MAX_SCANNED_TEXT_LENGTH) continue;
    const next = length.next + length.value;
    if (next > bytes.length || !isPrintable(bytes, length.next, next)) continue;
    yield { at, field: Math.floor(key.value / 16), text: latin1.slice(length.next, next), from: length.next, next };
  }
}

/** The scanned texts without those that begin inside one before. */
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

/** A length and as many bytes, as Latin-1; null when the file ends before. */
export function readLatin1(file: FileBytes, at: number): { text: string; next: number } | null {
  const length = readWhole(file.bytes, at);
  if (length === null || typeof length.value !== 'number' || length.next + length.value > file.bytes.length) return null;
  const next = length.next + length.value;
  return { text: file.latin1.slice(length.next, next), next };
}

/** Array operations in the file format: 16 times the slot plus the operation. */
const OPERATION_STEP = 16;
const SLOT_CREATED = 0;
const SLOT_SET = 4;

/**
 * Where the next value of an array begins: slots may be created empty first, as the game does with the first one of some
 * arrays. Null where no value follows.
 */
export function slotValueAt(bytes: Uint8Array, at: number): number | null {
  let operation = readWhole(bytes, at);
  while (operation !== null && Number(operation.value) % OPERATION_STEP === SLOT_CREATED) operation = readWhole(bytes, operation.next);
  return operation !== null && Number(operation.value) % OPERATION_STEP === SLOT_SET ? operation.next : null;
}

/** Operation that opens the value of the `row`th slot of an array, from 1, as it stands in the file. */
export function rowMark(row: number): string {
  let rest = 16 * row - 12;
  let mark = '';
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) mark += String.fromCharCode((rest % 0x80) | 0x80);
  return mark + String.fromCharCode(rest);
}
