import { ArtifactFault } from '../../game/artifact.ts';
import { isUtf8, readVarint, utf8Text } from '../../platform/kit/values/bytes.ts';
import { FIXED_HEADER_BYTES, MAX_DECODED_BYTES, MAX_FILES, MAX_HEADER_BYTES } from './tmod.data.ts';
import { LENGTH_UNITS, type LengthUnit, maxDecodedBytes, textEnd } from './tmod-text.domain.ts';

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
  /** Whether its lengths count characters, as an older writer did. */
  isRepaired: boolean;
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

/** Maximum characters of a property's name in a message. */
const MAX_SHOWN_LENGTH = 60;

/**
 * Reads and checks the header of a `.tmod` file. `bytes` must contain at least the header and, if the file is longer,
 * `STREAM_START_BYTES` of the stream; `fileLength` is the length of the whole file. Throws `TmodFault`.
 */
export function readHeader(bytes: Uint8Array, fileLength = bytes.length): TmodHeader {
  const headerSize = readHeaderSize(bytes, fileLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, FIXED_HEADER_BYTES);
  const header = bytes.subarray(0, headerSize);
  const propertyCount = view.getUint16(10, true);
  const streamBytes = maxDecodedBytes(bytes.subarray(headerSize), fileLength - headerSize);
  const { properties, units, next, fileCount, isRepaired } = readTables(header, propertyCount, streamBytes);
  const version = view.getUint16(8, true);
  return { version, headerSize, properties, fileCount, isRepaired, entries: () => entriesFrom(header, next, units.paths) };
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

/** What the lengths of the two parts of a header count. */
interface Units {
  properties: LengthUnit;
  paths: LengthUnit;
}

/** A header that was read to its end. */
interface Reading {
  units: Units;
  properties: Map<string, Uint8Array>;
  /** Offset of the table. */
  next: number;
  fileCount: number;
  /** Whether the index of every entry is 0, as in every known file. */
  hasKnownIndexes: boolean;
}

const FORMAT_UNITS: Units = { properties: 'bytes', paths: 'bytes' };
const REPAIR_UNITS: readonly Units[] = LENGTH_UNITS.flatMap((properties) => LENGTH_UNITS.map((paths) => ({ properties, paths }))).slice(1);

/**
 * Reads the properties and the table. A header that cannot be read with lengths in bytes is repaired if exactly one reading with
 * lengths in characters ends at its end and places every file inside the stream. Throws `TmodFault`.
 */
function readTables(header: Uint8Array, propertyCount: number, streamBytes: number): Reading & { isRepaired: boolean } {
  const written = attempt(() => readWith(FORMAT_UNITS, header, propertyCount));
  // A path that is cut between two characters leaves the others to its index, whose number then ends where it should.
  if (!(written instanceof TmodFault) && written.hasKnownIndexes) return { ...written, isRepaired: false };
  const repaired = soleRepair(header, propertyCount, streamBytes);
  if (repaired && !(repaired instanceof TmodFault)) return { ...repaired, isRepaired: true };
  if (!(written instanceof TmodFault)) return { ...written, isRepaired: false };
  throw repaired ?? written;
}

/** The only reading with lengths in characters; null without one, the difference of the first two if there are several. */
function soleRepair(header: Uint8Array, propertyCount: number, streamBytes: number): Reading | TmodFault | null {
  let found: Reading | null = null;
  for (const units of REPAIR_UNITS) {
    const reading = attempt(() => readWith(units, header, propertyCount));
    if (reading instanceof TmodFault || !reading.hasKnownIndexes || !areFilesInside(header, reading, streamBytes)) continue;
    const difference = found && firstDifference(header, found, reading);
    if (difference) return new TmodFault(difference.offset, difference.field, 'can be read in several ways; its length must count bytes');
    found ??= reading;
  }
  return found;
}

function attempt(read: () => Reading): Reading | TmodFault {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof TmodFault) return fault;
    throw fault;
  }
}

function readWith(units: Units, header: Uint8Array, propertyCount: number): Reading {
  const { properties, next } = readProperties(header, propertyCount, units.properties);
  return { units, properties, next, ...checkEntries(header, next, units.paths) };
}

function areFilesInside(header: Uint8Array, { next, units }: Reading, streamBytes: number): boolean {
  for (const { offset, size } of entriesFrom(header, next, units.paths)) if (size > 0 && offset + size > streamBytes) return false;
  return true;
}

/** First text in which two readings differ; null if they are the same. */
function firstDifference(header: Uint8Array, one: Reading, other: Reading): { offset: number; field: string } | null {
  const others = [...other.properties];
  for (const [number, [name, value]] of [...one.properties].entries()) {
    const [otherName, otherValue] = others[number] ?? [];
    const offset = value.byteOffset - header.byteOffset;
    if (name !== otherName) return { offset, field: `properties[${number}].name` };
    if (value.byteOffset !== otherValue?.byteOffset || value.length !== otherValue.length)
      return { offset, field: `properties[${number}].value` };
  }
  const otherEntries = entriesFrom(header, other.next, other.units.paths);
  let number = 0;
  for (const { at, path } of entriesFrom(header, one.next, one.units.paths)) {
    const { value: otherEntry } = otherEntries.next();
    if (otherEntry?.at !== at || otherEntry.path !== path) return { offset: at, field: `files[${number}].path` };
    number += 1;
  }
  return null;
}

function readProperties(header: Uint8Array, count: number, unit: LengthUnit): { properties: Map<string, Uint8Array>; next: number } {
  const properties = new Map<string, Uint8Array>();
  let next = FIXED_HEADER_BYTES;
  for (let number = 0; number < count; number += 1) {
    const name = readSpan(header, next, `properties[${number}].name`, unit);
    const text = utf8Text(header.subarray(name.start, name.end));
    if (text === null) throw new TmodFault(name.start, `properties[${number}].name`, 'is not UTF-8');
    const value = readSpan(header, name.end, `properties[${number}].value`, unit);
    const bytes = header.subarray(value.start, value.end);
    if (!isUtf8(bytes)) throw new TmodFault(value.start, `properties[${number}].value`, `is not UTF-8 (${quoted(text)})`);
    properties.set(text, bytes);
    next = value.end;
  }
  return { properties, next };
}

/** The name of a property for a message. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN_LENGTH));
}

/** Reads a length-prefixed text. */
function readSpan(header: Uint8Array, at: number, field: string, unit: LengthUnit): Span {
  const length = readNumber(header, at, `${field}.length`);
  const end = textEnd(header, length.next, length.value, unit);
  if (end === null) throw new TmodFault(at, field, `${length.value} ${unit} extend beyond the header`);
  return { start: length.next, end };
}

function readNumber(header: Uint8Array, at: number, field: string): { value: number; next: number } {
  const number = readVarint(header, at);
  if (number) return number;
  throw new TmodFault(at, field, at + 10 > header.length ? 'extends beyond the header' : 'is a varint longer than ten bytes');
}

function checkEntries(header: Uint8Array, start: number, unit: LengthUnit): Pick<Reading, 'fileCount' | 'hasKnownIndexes'> {
  let fileCount = 0;
  let hasKnownIndexes = true;
  for (const { at, index } of entriesFrom(header, start, unit)) {
    fileCount += 1;
    hasKnownIndexes &&= index === 0;
    if (fileCount > MAX_FILES) throw new TmodFault(at, `files[${MAX_FILES}]`, `more than ${MAX_FILES} files`);
  }
  return { fileCount, hasKnownIndexes };
}

function* entriesFrom(header: Uint8Array, start: number, unit: LengthUnit): Generator<TmodEntry> {
  let at = start;
  for (let number = 0; at < header.length; number += 1) {
    const field = `files[${number}]`;
    const pathEnd = textEnd(header, at + 1, header[at] ?? 0, unit);
    if (pathEnd === null) throw new TmodFault(at, `${field}.path`, 'extends beyond the header');
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
export function contentNeeds(header: TmodHeader, maxDecodedBytes = MAX_DECODED_BYTES): ContentNeeds {
  const needs: ContentNeeds = { files: 0, bytes: 0, isSequential: true };
  let totalSize = 0;
  let number = 0;
  for (const { at, offset, size } of header.entries()) {
    const field = `files[${number}]`;
    number += 1;
    if (size === 0) continue;
    totalSize += size;
    if (offset + size > maxDecodedBytes) throw new TmodFault(at, field, `ends after the maximum of ${maxDecodedBytes} decoded bytes`);
    if (totalSize > maxDecodedBytes) throw new TmodFault(at, field, `total size exceeds ${maxDecodedBytes} bytes`);
    needs.files += 1;
    needs.isSequential &&= offset >= needs.bytes;
    needs.bytes = Math.max(needs.bytes, offset + size);
  }
  return needs;
}
