import { readVarint } from '../../../../platform/kit/values/varint.ts';
import { MalformedFileError } from './malformed.domain.ts';
import { isPlainPath } from './manifest.domain.ts';

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
