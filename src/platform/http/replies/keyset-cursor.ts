import { Buffer } from 'node:buffer';
import { badRequest } from '../../errors/api-error.ts';

/** What tells where a page ended: sort values and the key that settles ties. */
export type CursorParts = readonly (string | number)[];

/** Opaque text for the end of a page that one number does not describe. */
export function encodeParts(parts: CursorParts): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Parts of a cursor, of the given types in order; 400 for text that no page gave out. */
export function decodeParts(cursor: string, types: readonly ('string' | 'number')[]): (string | number)[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length === types.length && parsed.every((part, index) => isPart(part, types[index]))) return parsed;
  } catch {
    // Falls through: any other text is refused alike.
  }
  throw badRequest('the cursor is not one that a page of this list gave out');
}

function isPart(part: unknown, type: 'string' | 'number' | undefined): boolean {
  return type === 'number' ? Number.isSafeInteger(part) : typeof part === type;
}

/** `Link` header to the page after this cursor, with the same query; none without a cursor. */
export function linkToNext(requestUrl: string, cursor: string | null): Record<string, string> {
  if (cursor === null) return {};
  const url = new URL(requestUrl);
  url.searchParams.delete('offset');
  url.searchParams.set('cursor', cursor);
  return { Link: `<${url.pathname}${url.search}>; rel="next"` };
}
