import { readVarint } from '../../../../platform/values/varint.ts';
import { Malformed } from './malformed.domain.ts';
import { isPlainPath } from './manifest.domain.ts';

/** Where a packed file is. */
export interface PackedFile {
  path: string;
  /** Which `archive<N>.tfa` of the directory. */
  archiveIndex: number;
  /** Into the inflated archive. */
  offset: number;
  size: number;
  checksum: number;
}

const FIELDS = 4;

/**
 * Reads an index file: entries back to back, each a name and four numbers. Of two entries for a path the last counts.
 * An entry whose name is no path (empty, or leading out of its directory) could never be asked for and is left out.
 * Throws `Malformed` naming the offset.
 */
export function parseIndexFile(dir: string, bytes: Uint8Array): Map<string, PackedFile> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const files = new Map<string, PackedFile>();
  let offset = 0;
  while (offset < bytes.length) {
    const start = offset;
    const length = numberAt(bytes, offset, start);
    const nameEnd = length.next + length.value;
    if (nameEnd > bytes.length) throw broken(start, 'name is truncated');
    const name = nameIn(bytes.subarray(length.next, nameEnd), decoder, start);
    const values: number[] = [];
    offset = nameEnd;
    for (let field = 0; field < FIELDS; field += 1) {
      const read = numberAt(bytes, offset, start);
      values.push(read.value);
      offset = read.next;
    }
    const [archiveIndex = 0, at = 0, size = 0, checksum = 0] = values;
    const path = dir === '' ? name : `${dir}/${name}`;
    if (isPlainPath(path)) files.set(path, { path, archiveIndex, offset: at, size, checksum });
  }
  return files;
}

function numberAt(bytes: Uint8Array, offset: number, start: number) {
  const read = readVarint(bytes, offset);
  if (read === null) throw broken(start, 'number is truncated or too long');
  return read;
}

/** Names may be padded with zero bytes and come with either slash. */
function nameIn(bytes: Uint8Array, decoder: TextDecoder, start: number): string {
  const end = bytes.indexOf(0);
  try {
    return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end)).replaceAll('\\', '/');
  } catch {
    throw broken(start, 'name is not UTF-8');
  }
}

function broken(offset: number, what: string): Malformed {
  return new Malformed(`index entry at byte ${offset}: ${what}`);
}
