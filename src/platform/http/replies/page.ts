import { Buffer } from 'node:buffer';
import { z } from '@hono/zod-openapi';
import { type ApiError, badRequest, validationError } from '../../kit/errors/api-error.ts';

/** Position of the last item of a page: its sort values and the key that breaks ties. */
export type CursorParts = readonly (string | number)[];

type PartTypes = readonly ('string' | 'number')[];

/** Start of a page: after `offset` items, or after the item with the key. */
export type PageStart = { offset: number } | { afterKey: number };

/** `next_cursor` of a page. */
export const NextCursor = z.string().nullable().openapi({ description: 'Cursor of the next page; null on the last page.', example: null });

/** Encodes the position of the last item of a page as opaque text. */
export function encodeCursor(...parts: CursorParts): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Decodes a cursor whose parts have the given types. Throws 400 for an invalid cursor. */
export function decodeCursor(cursor: string, types: PartTypes): (string | number)[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length === types.length && parsed.every((part, index) => hasType(part, types[index])))
      return parsed;
  } catch {
    // Falls through to the error of every invalid cursor.
  }
  throw invalidCursor();
}

function hasType(part: unknown, type: PartTypes[number] | undefined): boolean {
  return type === 'number' ? Number.isSafeInteger(part) : typeof part === type;
}

export function invalidCursor(): ApiError {
  return badRequest('invalid cursor', undefined, 'use the cursor of the previous page of the same query, or omit cursor');
}

/** The only part of a cursor, as a number or as text; undefined without a cursor. */
export const keyOfCursor = (cursor: string | undefined) => (cursor === undefined ? undefined : Number(decodeCursor(cursor, ['number'])[0]));
export const textOfCursor = (cursor: string | undefined) =>
  cursor === undefined ? undefined : String(decodeCursor(cursor, ['string'])[0]);

/** Reads `offset` or `cursor`. Throws 422 if both are set. */
export function pageStart({ offset, cursor }: { offset?: number | undefined; cursor?: string | undefined }): PageStart {
  if (cursor !== undefined && offset !== undefined) {
    throw validationError([{ loc: ['query', 'cursor'], msg: 'must not be combined with offset', type: 'conflict' }]);
  }
  const afterKey = keyOfCursor(cursor);
  return afterKey === undefined ? { offset: offset ?? 0 } : { afterKey };
}

/** Returns the page from `limit + 1` rows. The additional row shows whether there is a next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string | number,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: last !== undefined && rows.length > limit ? encodeCursor(keyOf(last)) : null };
}

/** `Link` header of the next page: the same query with the cursor. Empty on the last page. */
export function nextPageLink(requestUrl: string, nextCursor: string | null): Record<string, string> {
  if (nextCursor === null) return {};
  const url = new URL(requestUrl);
  url.searchParams.delete('offset');
  url.searchParams.set('cursor', nextCursor);
  return { Link: `<${url.pathname}${url.search}>; rel="next"` };
}
