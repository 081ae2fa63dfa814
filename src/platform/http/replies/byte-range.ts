import type { ByteRange } from '../../storage/content-store.ts';

/** Result of parsing a `Range` header. */
export type RequestedRange = 'whole' | 'unsatisfiable' | ByteRange;

const SINGLE_RANGE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/;

/**
 * Parses the `Range` header for a file of `size` bytes (RFC 9110 14.2). A header that is malformed or has several ranges is ignored,
 * as the RFC permits. Every range of an empty file is unsatisfiable.
 */
export function parseRange(header: string | null, size: number): RequestedRange {
  const match = SINGLE_RANGE.exec(header ?? '');
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? 'whole' : suffixRange(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Number(last);
  if (last !== '' && end < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { offset: start, length: Math.min(end, size - 1) - start + 1 };
}

function suffixRange(suffixLength: number, size: number): RequestedRange {
  const length = Math.min(suffixLength, size);
  return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
}
