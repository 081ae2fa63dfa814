import type { ByteRange } from '../../storage/content-store.ts';

/** Result of a `Range` header: the whole file, one range, or an unsatisfiable range. */
export type WantedRange = 'whole' | 'unsatisfiable' | ByteRange;

const SINGLE_RANGE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/;

/**
 * Reads a `Range` header for a file of `size` bytes (RFC 9110 14.2). Several ranges and malformed headers yield the whole file,
 * as a server may ignore them; any single range of an empty file is unsatisfiable.
 */
export function wantedRange(header: string | null, size: number): WantedRange {
  const match = SINGLE_RANGE.exec(header ?? '');
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? 'whole' : suffixOf(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Number(last);
  if (last !== '' && end < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { offset: start, length: Math.min(end, size - 1) - start + 1 };
}

function suffixOf(wanted: number, size: number): WantedRange {
  const length = Math.min(wanted, size);
  return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
}
