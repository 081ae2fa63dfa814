import { joinBytes, readVarint } from '../../../../platform/kit/values/bytes.ts';

/** A file of the publisher is invalid. The message names the file and the problem. */
export class MalformedFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedFileError';
  }
}

/** Location of the newest build of a branch. */
export interface Pointer {
  versionTag: string;
  /** URL path of the build, without the leading `content/`. */
  contentPath: string;
}

/** Files of a build. */
export interface Manifest {
  versionTag: string;
  /** Entries by path. */
  entries: Map<string, ManifestEntry>;
}

const CONTENT_PREFIX = 'content/';

/** Parses `tag|content/<path>|…|message`; throws `MalformedFileError` if tag or path is missing. */
export function parsePointer(text: string): Pointer {
  const [versionTag = '', address = ''] = text.split('|').map((field) => field.trim());
  const contentPath = trimSlashes(address.startsWith(CONTENT_PREFIX) ? address.slice(CONTENT_PREFIX.length) : address);
  if (versionTag === '' || contentPath === '') throw new MalformedFileError('pointer has no version or no URL');
  // Both become parts of a URL: reject path traversal.
  if (!isPlainPath(contentPath) || !/^[^/\\?#\s]+$/.test(versionTag)) throw new MalformedFileError('pointer is malformed');
  return { versionTag, contentPath };
}

const HEADER = /^version[ \t]+(\S.*)$/;
const MAX_TAG_LENGTH = 200;
const MAX_SIZE = Number.MAX_SAFE_INTEGER;

/** Parses a manifest. Skips invalid lines; the last line of a path wins. Throws `MalformedFileError` if the header is missing. */
export function parseManifest(text: string): Manifest {
  const lines = text.split('\n');
  const versionTag = HEADER.exec(lines[0]?.trim() ?? '')?.[1];
  if (versionTag === undefined || versionTag.length > MAX_TAG_LENGTH)
    throw new MalformedFileError('manifest does not start with its version');
  const entries = new Map<string, ManifestEntry>();
  for (let index = 1; index < lines.length; index += 1) {
    const entry = parseEntry(lines[index]?.trim() ?? '');
    if (entry) entries.set(entry.path, entry);
  }
  return { versionTag, entries };
}

/** `path:sha1:size`, split at the last two colons: paths can contain colons. */
function parseEntry(line: string): ManifestEntry | null {
  const sizeAt = line.lastIndexOf(':');
  const hashAt = line.lastIndexOf(':', sizeAt - 1);
  if (sizeAt <= 0 || hashAt <= 0) return null;
  const path = line.slice(0, hashAt).replaceAll('\\', '/');
  const sha1 = line.slice(hashAt + 1, sizeAt).trim();
  const digits = line.slice(sizeAt + 1).trim();
  const size = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!isPlainPath(path) || sha1 === '' || !(size <= MAX_SIZE)) return null;
  return { path, sha1, size };
}

/** The text of a manifest, as `parseManifest` reads it. */
export function formatManifest(versionTag: string, entries: Iterable<ManifestEntry>): string {
  const lines = Array.from(entries, ({ path, sha1, size }) => `${path}:${sha1}:${size}`);
  return [`version ${versionTag}`, ...lines, ''].join('\n');
}

/** Whether a manifest can name a file with this path. */
export function isGamePath(path: string): boolean {
  return isPlainPath(path) && path.trim() === path && !/[\\\n\r\uFFFD]/.test(path);
}

/** Whether a text can be the tag of a version. */
export function isVersionTag(text: string): boolean {
  return text.length <= MAX_TAG_LENGTH && /^[^/\\?#\s|]+$/.test(text) && isPlainPath(text);
}

/** Whether a path is relative, without empty, `.` or `..` segments or NUL. */
function isPlainPath(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..') && !path.includes('\0');
}

/** Percent-encodes each segment of a path. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function trimSlashes(text: string): string {
  return text.replace(/^\/+|\/+$/g, '');
}

/** An entry of the publisher's manifest. */
export interface ManifestEntry {
  path: string;
  /** Opaque; compared to detect changes. */
  sha1: string;
  size: number;
}

/** Location of a packed file. */
export interface PackedFile {
  path: string;
  /** Number N of `archive<N>.tfa` in the directory. */
  archiveIndex: number;
  /** Offset in the inflated archive. */
  offset: number;
  size: number;
  checksum: number;
}

const NUMBERS_PER_ENTRY = 4;

/**
 * Parses an index file: consecutive entries, each a name and four numbers. The last entry of a path wins. Entries with an
 * invalid path (empty, or outside of the directory) are skipped. Throws `MalformedFileError` with the offset.
 */
export function parseIndexFile(dir: string, bytes: Uint8Array): Map<string, PackedFile> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const files = new Map<string, PackedFile>();
  let offset = 0;
  while (offset < bytes.length) {
    const start = offset;
    const length = readNumber(bytes, offset, start);
    const nameEnd = length.next + length.value;
    if (nameEnd > bytes.length) throw malformedEntry(start, 'name is truncated');
    const name = decodeName(bytes.subarray(length.next, nameEnd), decoder, start);
    const values: number[] = [];
    offset = nameEnd;
    for (let field = 0; field < NUMBERS_PER_ENTRY; field += 1) {
      const read = readNumber(bytes, offset, start);
      values.push(read.value);
      offset = read.next;
    }
    const [archiveIndex = 0, at = 0, size = 0, checksum = 0] = values;
    const path = dir === '' ? name : `${dir}/${name}`;
    if (isPlainPath(path)) files.set(path, { path, archiveIndex, offset: at, size, checksum });
  }
  return files;
}

function readNumber(bytes: Uint8Array, offset: number, start: number) {
  const read = readVarint(bytes, offset);
  if (read === null) throw malformedEntry(start, 'number is truncated or too long');
  return read;
}

/** Names can be padded with zero bytes and use `/` or `\`. */
function decodeName(bytes: Uint8Array, decoder: TextDecoder, start: number): string {
  const end = bytes.indexOf(0);
  try {
    return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end)).replaceAll('\\', '/');
  } catch {
    throw malformedEntry(start, 'name is not UTF-8');
  }
}

function malformedEntry(offset: number, problem: string): MalformedFileError {
  return new MalformedFileError(`index entry at byte ${offset}: ${problem}`);
}

/** The publisher's builds: a pointer per branch, a manifest per build, and files. Throws `SourceFileMissingError` for a missing file. */
export interface BuildSource {
  /** Text of the pointer of the branch; null while the branch is not published. */
  readPointer(signal: AbortSignal): Promise<string | null>;
  /** The manifest that the pointer names. */
  readManifest(pointer: Pointer, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Streams a file of a build. */
  openFile(contentPath: string, entry: ManifestEntry, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** The file is not in the build, probably because a newer build replaced it. */
export class SourceFileMissingError extends Error {
  constructor(path: string) {
    super(`${path} no longer exists`);
    this.name = 'SourceFileMissingError';
  }
}

/** Yields the chunks of a file; throws `MalformedFileError` as soon as the length differs from that of the manifest. */
export async function* checkLength(entry: ManifestEntry, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > entry.size) throw new MalformedFileError(`${entry.path} is longer than the ${entry.size} bytes of the manifest`);
    yield chunk;
  }
  if (length < entry.size) throw new MalformedFileError(`${entry.path} has ${length} bytes instead of ${entry.size}`);
}

/** Reads a stream into memory. */
export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunkList: Uint8Array[] = [];
  for await (const chunk of chunks) chunkList.push(chunk);
  return joinBytes(chunkList);
}
