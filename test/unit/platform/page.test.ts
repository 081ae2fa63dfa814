import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPage, encodeCursor, keyOfCursor, nextPageLink, pageStart } from '../../../src/platform/http/replies/page.ts';
import { ApiError } from '../../../src/platform/kit/errors/api-error.ts';
import { anyCodePoint } from '../../support/code-points.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64url');

/** The error that a function throws. */
function errorOf(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error('no ApiError was thrown');
}

describe('encodeCursor and keyOfCursor', () => {
  it('returns the encoded key after a round trip', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (key) => {
        expect(keyOfCursor(encodeCursor(key))).toBe(key);
        expect(encodeCursor(key)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  it.each([
    '',
    'x',
    '!!!',
    '17',
    base64('17'),
    base64('[]'),
    base64('["17"]'),
    base64('[1.5]'),
    base64('[1,2]'),
    base64('[null]'),
    base64('[1e300]'),
    base64('{"0":1,"length":1}'),
    base64('[17'),
    '\u0000',
    'a'.repeat(200),
  ])('rejects the invalid cursor %j with 400', (cursor) => {
    const error = errorOf(() => keyOfCursor(cursor));
    expect([error.status, error.code]).toEqual([400, 'bad_request']);
  });

  it('fails only with 400 for arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, maxLength: 200 }), (cursor) => {
        try {
          expect(Number.isSafeInteger(keyOfCursor(cursor))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});

describe('pageStart', () => {
  it('returns the offset, 0 when nothing is given, or the key of a cursor', () => {
    expect(pageStart({})).toEqual({ offset: 0 });
    expect(pageStart({ offset: 5 })).toEqual({ offset: 5 });
    expect(pageStart({ cursor: encodeCursor(17) })).toEqual({ afterKey: 17 });
  });

  it('throws 422 when both offset and cursor are given, even for offset 0', () => {
    for (const offset of [0, 5]) {
      const error = errorOf(() => pageStart({ offset, cursor: encodeCursor(17) }));
      expect([error.status, error.details]).toEqual([
        422,
        [{ loc: ['query', 'cursor'], msg: 'must not be combined with offset', type: 'conflict' }],
      ]);
    }
  });
});

describe('cutPage', () => {
  const cut = (count: number) => cutPage([9, 8, 7].slice(0, count), 2, (row) => row * 10);

  it('reports a next page only when a row beyond the limit was read', () => {
    expect(cut(3)).toEqual({ rows: [9, 8], nextCursor: encodeCursor(80) });
    expect(cut(2)).toEqual({ rows: [9, 8], nextCursor: null });
    expect(cut(1)).toEqual({ rows: [9], nextCursor: null });
    expect(cut(0)).toEqual({ rows: [], nextCursor: null });
  });
});

describe('nextPageLink', () => {
  it('keeps the other query parameters and replaces the offset or cursor', () => {
    const cursor = encodeCursor(17);
    expect(nextPageLink('https://api.test/v1/list?limit=5&offset=10&other=%20x', cursor)).toEqual({
      Link: `</v1/list?limit=5&other=+x&cursor=${cursor}>; rel="next"`,
    });
    expect(nextPageLink(`https://api.test/v1/list?cursor=${encodeCursor(99)}`, cursor)).toEqual({
      Link: `</v1/list?cursor=${cursor}>; rel="next"`,
    });
  });

  it('returns null on the last page', () => {
    expect(nextPageLink('https://api.test/v1/list', null)).toEqual({});
  });
});
