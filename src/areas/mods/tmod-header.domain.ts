import { ArtifactFault } from '../../game/artifact.ts';
import { isUtf8, readVarint, utf8Text } from '../../platform/kit/values/bytes.ts';
import { FIXED_HEADER_BYTES, MAX_DECODED_BYTES, MAX_FILES, MAX_HEADER_BYTES } from './tmod.data.ts';

/** An invalid `.tmod` file, with the offset and the field of the error. */
export class TmodFault extends ArtifactFault {
  /** Byte offset in the file. */
  readonly offset: number;
  readonly field: string;

  constructor(offset: number, field: string, problem: string) {
    super(`offset ${offset}, ${field}: ${problem}`);
    this.offset = offset;
    this.field = field;
  }
}

/** A packed file in the table. */
export interface TmodEntry {
  /** Offset of the table entry in the `.tmod` file. */
  at: number;
  /** Stored path. */
  path: string;
  index: number;
  /** Offset and size in the decoded stream. */
  offset: number;
  size: number;
  checksum: number;
}

/** A valid header. Values and table remain bytes to limit the memory. */
export interface TmodHeader {
  version: number;
  /** Offset of the stream. */
  headerSize: number;
  /** Values by name, in order of first occurrence; of a repeated name the last value. */
  properties: ReadonlyMap<string, Uint8Array>;
  fileCount: number;
  /** The table, parsed on each iteration. */
  entries(): Generator<TmodEntry>;
}

/** Parts of the decoded stream that the entries need. */
export interface ContentNeeds {
  /** Number of entries with content. */
  files: number;
  /** Number of decoded bytes up to the end of the last entry. */
  bytes: number;
  /** Whether the table is in stream order. */
  isSequential: boolean;
}

interface Span {
  start: number;
  end: number;
}

/**
 * Reads and checks the header of a `.tmod` file. `bytes` must contain at least the header; `fileLength` is the length of the
 * whole file. Throws `TmodFault`.
 */
export function readHeader(bytes: Uint8Array, fileLength = bytes.length): TmodHeader {
  const headerSize = readHeaderSize(bytes, fileLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, FIXED_HEADER_BYTES);
  const header = bytes.subarray(0, headerSize);
  const { properties, next } = readProperties(header, view.getUint16(10, true));
  return {
    version: view.getUint16(8, true),
    headerSize,
    properties,
    fileCount: countEntries(header, next),
    entries: () => entriesFrom(header, next),
  };
}

/** Reads the length of the header. `bytes` must contain at least the fixed part. Throws `TmodFault`. */
export function readHeaderSize(bytes: Uint8Array, fileLength: number): number {
  if (fileLength === 0) throw new TmodFault(0, 'file', 'must not be empty');
  if (fileLength < FIXED_HEADER_BYTES) throw new TmodFault(0, 'file', `must have at least ${FIXED_HEADER_BYTES} bytes`);
  // Compared as 64-bit integers: a size of 2^63 must not overflow.
  const headerSize = new DataView(bytes.buffer, bytes.byteOffset, FIXED_HEADER_BYTES).getBigUint64(0, true);
  if (headerSize < BigInt(FIXED_HEADER_BYTES))
    throw new TmodFault(0, 'header_size', `${headerSize} is less than the minimum of ${FIXED_HEADER_BYTES}`);
  if (headerSize > BigInt(fileLength)) throw new TmodFault(0, 'header_size', `${headerSize} exceeds the file size of ${fileLength} bytes`);
  if (headerSize > BigInt(MAX_HEADER_BYTES))
    throw new TmodFault(0, 'header_size', `${headerSize} exceeds the maximum of ${MAX_HEADER_BYTES} bytes`);
  return Number(headerSize);
}

function readProperties(header: Uint8Array, count: number): { properties: Map<string, Uint8Array>; next: number } {
  const properties = new Map<string, Uint8Array>();
  let next = FIXED_HEADER_BYTES;
  for (let number = 0; number < count; number += 1) {
    const name = readSpan(header, next, `properties[${number}].name`);
    const text = utf8Text(header.subarray(name.start, name.end));
    if (text === null) throw new TmodFault(name.start, `properties[${number}].name`, 'is not UTF-8');
    const value = readSpan(header, name.end, `properties[${number}].value`);
    const bytes = header.subarray(value.start, value.end);
    if (!isUtf8(bytes)) throw new TmodFault(value.start, `properties[${number}].value`, 'is not UTF-8');
    properties.set(text, bytes);
    next = value.end;
  }
  return { properties, next };
}

/** Reads a length-prefixed range of bytes. */
function readSpan(header: Uint8Array, at: number, field: string): Span {
  const length = readNumber(header, at, `${field}.length`);
  const end = length.next + length.value;
  if (end > header.length) throw new TmodFault(at, field, `${length.value} bytes extend beyond the header`);
  return { start: length.next, end };
}

function readNumber(header: Uint8Array, at: number, field: string): { value: number; next: number } {
  const number = readVarint(header, at);
  if (number) return number;
  throw new TmodFault(at, field, at + 10 > header.length ? 'extends beyond the header' : 'is a varint longer than ten bytes');
}

function countEntries(header: Uint8Array, start: number): number {
  let count = 0;
  for (const { at } of entriesFrom(header, start)) {
    count += 1;
    if (count > MAX_FILES) throw new TmodFault(at, `files[${MAX_FILES}]`, `more than ${MAX_FILES} files`);
  }
  return count;
}

function* entriesFrom(header: Uint8Array, start: number): Generator<TmodEntry> {
  let at = start;
  for (let number = 0; at < header.length; number += 1) {
    const field = `files[${number}]`;
    const pathEnd = at + 1 + (header[at] ?? 0);
    if (pathEnd > header.length) throw new TmodFault(at, `${field}.path`, 'extends beyond the header');
    const path = utf8Text(header.subarray(at + 1, pathEnd));
    if (path === null) throw new TmodFault(at + 1, `${field}.path`, 'is not UTF-8');
    const index = readNumber(header, pathEnd, `${field}.index`);
    const offset = readNumber(header, index.next, `${field}.offset`);
    const size = readNumber(header, offset.next, `${field}.size`);
    const checksum = readNumber(header, size.next, `${field}.checksum`);
    yield { at, path, index: index.value, offset: offset.value, size: size.value, checksum: checksum.value };
    at = checksum.next;
  }
}

/** Computes what to decode. Throws `TmodFault` if an entry, or the total of all entries, exceeds the decode limit. */
export function contentNeeds(header: TmodHeader): ContentNeeds {
  const needs: ContentNeeds = { files: 0, bytes: 0, isSequential: true };
  let totalSize = 0;
  let number = 0;
  for (const { at, offset, size } of header.entries()) {
    const field = `files[${number}]`;
    number += 1;
    if (size === 0) continue;
    totalSize += size;
    if (offset + size > MAX_DECODED_BYTES) throw new TmodFault(at, field, `ends after the maximum of ${MAX_DECODED_BYTES} decoded bytes`);
    if (totalSize > MAX_DECODED_BYTES) throw new TmodFault(at, field, `total size exceeds ${MAX_DECODED_BYTES} bytes`);
    needs.files += 1;
    needs.isSequential &&= offset >= needs.bytes;
    needs.bytes = Math.max(needs.bytes, offset + size);
  }
  return needs;
}
