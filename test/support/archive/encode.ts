import { createHash } from 'node:crypto';
import { constants, deflateSync } from 'node:zlib';
import { gameChecksum } from '../../../src/game/checksum.domain.ts';
import { pushVarint } from '../../../src/platform/kit/values/bytes.ts';

/** An entry of an index file. */
export interface IndexEntry {
  name: string;
  archiveIndex: number;
  offset: number;
  size: number;
  checksum: number;
  /** Number of zero bytes after the name. */
  padding?: number;
}

/** Encodes an index file: concatenated entries. */
export function encodeIndex(entries: readonly IndexEntry[]): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  for (const { name, archiveIndex, offset, size, checksum, padding = 0 } of entries) {
    const bytes = new TextEncoder().encode(name);
    pushVarint(out, bytes.length + padding);
    for (const byte of bytes) out.push(byte);
    for (let count = 0; count < padding; count += 1) out.push(0);
    for (const value of [archiveIndex, offset, size, checksum]) pushVarint(out, value);
  }
  return Uint8Array.from(out);
}

export interface ArchiveOptions {
  /** Compression level of zlib, 0 to 9. Default: 6. */
  level?: number;
  /** Whether the stream ends with a flush, without a final block. */
  unterminated?: boolean;
}

/** Encodes an archive: one zlib stream of the concatenated contents. */
export function encodeArchive(
  contents: readonly Uint8Array[],
  { level = 6, unterminated = false }: ArchiveOptions = {},
): Uint8Array<ArrayBuffer> {
  const options = unterminated ? { level, finishFlush: constants.Z_SYNC_FLUSH } : { level };
  return Uint8Array.from(deflateSync(joined(contents), options));
}

/** Archives of a packed directory, with their files in order. */
export type PackedArchives = readonly (readonly { name: string; bytes: Uint8Array }[])[];

/** Encodes a packed directory. Returns its files by path in the manifest. */
export function encodeDirectory(dir: string, archives: PackedArchives, options: ArchiveOptions = {}): Map<string, Uint8Array<ArrayBuffer>> {
  const prefix = dir === '' ? '' : `${dir}/`;
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const entries: IndexEntry[] = [];
  for (const [archiveIndex, contents] of archives.entries()) {
    let offset = 0;
    for (const { name, bytes } of contents) {
      entries.push({ name, archiveIndex, offset, size: bytes.length, checksum: gameChecksum(bytes) });
      offset += bytes.length;
    }
    const archive = encodeArchive(
      contents.map(({ bytes }) => bytes),
      options,
    );
    files.set(`${prefix}archive${archiveIndex}.tfa`, archive);
  }
  files.set(`${prefix}index.tfi`, encodeIndex(entries));
  return files;
}

export function manifestText(versionTag: string, files: ReadonlyMap<string, Uint8Array>, lineEnd = '\n'): string {
  const lines = [...files].map(([path, bytes]) => `${path}:${sha1Of(bytes)}:${bytes.length}`);
  return [`version ${versionTag}`, ...lines, ''].join(lineEnd);
}

export function pointerText(versionTag: string, contentPath: string): string {
  return `${versionTag}|content/${contentPath}|0|Welcome\n`;
}

export function sha1Of(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}
