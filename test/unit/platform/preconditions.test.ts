import { describe, expect, it } from 'vitest';
import { isNotModified, type Validators } from '../../../src/platform/http/replies/preconditions.ts';
import { ApiError } from '../../../src/platform/kit/errors/api-error.ts';

const ETAG = '"v2"';
const MODIFIED = 1_773_156_600;
const AT = new Date(MODIFIED * 1000).toUTCString();
const EARLIER = new Date((MODIFIED - 1) * 1000).toUTCString();

/** Status of a read of a resource with these validators. */
function statusOf(headers: Record<string, string>, validators: Validators = { etag: ETAG, lastModified: MODIFIED }): number {
  try {
    return isNotModified(new Request('https://api.test/', { headers }), validators) ? 304 : 200;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

describe('isNotModified', () => {
  it.each<[Record<string, string>, number]>([
    [{}, 200],
    [{ 'If-Match': ETAG }, 200],
    [{ 'If-Match': `"v1", ${ETAG}` }, 200],
    [{ 'If-Match': '*' }, 200],
    [{ 'If-Match': '"v1"' }, 412],
    [{ 'If-Match': `W/${ETAG}` }, 412],
    [{ 'If-Match': '' }, 412],
    [{ 'If-Unmodified-Since': AT }, 200],
    [{ 'If-Unmodified-Since': EARLIER }, 412],
    [{ 'If-Unmodified-Since': 'yesterday' }, 200],
    [{ 'If-Match': ETAG, 'If-Unmodified-Since': EARLIER }, 200],
    [{ 'If-Match': '"v1"', 'If-None-Match': ETAG }, 412],
    [{ 'If-Match': ETAG, 'If-None-Match': ETAG }, 304],
    [{ 'If-None-Match': `W/${ETAG}` }, 304],
    [{ 'If-None-Match': '"v1"', 'If-Modified-Since': AT }, 200],
    [{ 'If-Modified-Since': AT }, 304],
    [{ 'If-Modified-Since': EARLIER }, 200],
  ])('leads for %j to %i (RFC 9110 13.2.2)', (headers, status) => {
    expect(statusOf(headers)).toBe(status);
  });

  it('never matches a weak ETag strongly, and ignores dates without Last-Modified', () => {
    const weak = { etag: 'W/"v2"' };
    expect(statusOf({ 'If-Match': 'W/"v2"' }, weak)).toBe(412);
    expect(statusOf({ 'If-Match': '"v2"' }, weak)).toBe(412);
    expect(statusOf({ 'If-Match': '*' }, weak)).toBe(200);
    expect(statusOf({ 'If-Unmodified-Since': EARLIER, 'If-Modified-Since': AT }, weak)).toBe(200);
  });
});
