import { Buffer } from 'node:buffer';
import { z } from '@hono/zod-openapi';
import { type ApiError, badRequest, validationError } from '../../errors/api-error.ts';

/** Position at the end of a page: sort values and the key that breaks ties. */
export type CursorParts = readonly (string | number)[];

type PartTypes = readonly ('string' | 'number')[];

/** Where a page starts: after so many items, or after the item with this key. */
export type PageStart = { offset: number } | { afterKey: number };

/** `next_cursor` of a page. */
export const NextCursor = z.string().nullable().openapi({ description: 'Cursor of the next page; null on the last page.', example: null });

/** Opaque text for the end of a page. */
export function encodeCursor(...parts: CursorParts): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Parts of a cursor, of the given types in order; 400 for an invalid cursor. */
export function decodeCursor(cursor: string, types: PartTypes): (string | number)[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length === types.length && parsed.every((part, index) => isPart(part, types[index]))) return parsed;
  } catch {
    // Falls through: all invalid text gets the same error.
  }
  throw unknownCursor();
}

function isPart(part: unknown, type: PartTypes[number] | undefined): boolean {
  return type === 'number' ? Number.isSafeInteger(part) : typeof part === type;
}

export function unknownCursor(): ApiError {
  return badRequest('invalid cursor', undefined, 'repeat the query with the cursor of its last page, or start without a cursor');
}

/** The number in a cursor, the text in a cursor; undefined without one. */
export const keyIn = (cursor: string | undefined) => (cursor === undefined ? undefined : Number(decodeCursor(cursor, ['number'])[0]));
export const textIn = (cursor: string | undefined) => (cursor === undefined ? undefined : String(decodeCursor(cursor, ['string'])[0]));

/** Reads `offset` or `cursor`; 422 when both are given. */
export function pageStart({ offset, cursor }: { offset?: number | undefined; cursor?: string | undefined }): PageStart {
  if (cursor !== undefined && offset !== undefined) {
    throw validationError([{ loc: ['query', 'cursor'], msg: 'must not be combined with offset', type: 'conflict' }]);
  }
  const afterKey = keyIn(cursor);
  return afterKey === undefined ? { offset: offset ?? 0 } : { afterKey };
}

/** Cuts a page from rows that were read one beyond its limit, which shows whether more rows follow. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string | number,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: last !== undefined && rows.length > limit ? encodeCursor(keyOf(last)) : null };
}

/** `Link` header of the next page, with the same query and this cursor; none on the last page. */
export function nextPageLink(requestUrl: string, nextCursor: string | null): Record<string, string> {
  if (nextCursor === null) return {};
  const url = new URL(requestUrl);
  url.searchParams.delete('offset');
  url.searchParams.set('cursor', nextCursor);
  return { Link: `<${url.pathname}${url.search}>; rel="next"` };
}
