import { Buffer } from 'node:buffer';
import { badRequest, validationError } from '../../errors/api-error.ts';

/** Opaque text for the key of the last item on a page. */
export function encodeCursor(key: number): string {
  return Buffer.from(JSON.stringify([key])).toString('base64url');
}

/** Key in a cursor; 400 for text that no page gave out. */
export function decodeCursor(cursor: string): number {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const key = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : null;
    if (Number.isSafeInteger(key)) return Number(key);
  } catch {
    // Falls through: any other text is refused alike.
  }
  throw badRequest('the cursor is not one that a page of this list gave out');
}

/** Where a page starts: after so many items, or after the item with this key. */
export type PageStart = { offset: number } | { afterKey: number };

/** Reads `offset` or `cursor`; 422 when both are given. */
export function pageStart(query: { offset?: number | undefined; cursor?: string | undefined }): PageStart {
  if (query.cursor === undefined) return { offset: query.offset ?? 0 };
  if (query.offset !== undefined) {
    throw validationError([{ loc: ['query', 'cursor'], msg: 'may not be combined with offset', type: 'conflict' }]);
  }
  return { afterKey: decodeCursor(query.cursor) };
}

/** Cuts a page out of rows that were read one beyond its limit, so that it is known whether more follow. */
export function cutPage<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => number): { rows: Row[]; nextKey: number | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextKey: last !== undefined && rows.length > limit ? keyOf(last) : null };
}

/** `Link` header to the next page of a list, which the same query with this cursor gives; none on the last page. */
export function nextPageLink(requestUrl: string, nextKey: number | null): Record<string, string> {
  if (nextKey === null) return {};
  const url = new URL(requestUrl);
  url.searchParams.delete('offset');
  url.searchParams.set('cursor', encodeCursor(nextKey));
  return { Link: `<${url.pathname}${url.search}>; rel="next"` };
}
