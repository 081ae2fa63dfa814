import { ApiError } from '../../kit/errors/api-error.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';

const PRECONDITION_FAILED = 412;

/** What a client can compare with the version it has. */
export interface Validators {
  /** ETag with its quotes; null without one. */
  etag: string | null;
  lastModified?: UnixSeconds | undefined;
}

/**
 * Evaluates the conditional headers of GET or HEAD in the order of RFC 9110 13.2.2, for a response that would be 2xx. True: the client
 * has the current version, so the response is 304. Throws 412 when `If-Match` or `If-Unmodified-Since` fails.
 */
export function isNotModified({ headers }: Request, { etag, lastModified }: Validators): boolean {
  const ifMatch = headers.get('If-Match');
  if (ifMatch !== null) {
    if (!matchesStrongly(ifMatch, etag)) throw preconditionFailed('If-Match', etag);
  } else if (lastModified !== undefined && lastModified > timeOf(headers.get('If-Unmodified-Since'))) {
    throw preconditionFailed('If-Unmodified-Since', etag);
  }
  const ifNoneMatch = headers.get('If-None-Match');
  if (ifNoneMatch !== null) return etag !== null && matchesEtag(ifNoneMatch, etag);
  return lastModified !== undefined && lastModified <= timeOf(headers.get('If-Modified-Since'));
}

/** A date in unix seconds; NaN, which no comparison holds for, without a valid one. */
function timeOf(date: string | null): number {
  return Date.parse(date ?? '') / 1000;
}

/** True when `If-Match` contains the ETag. Strong comparison: a weak ETag on either side never matches (RFC 9110 13.1.1). */
function matchesStrongly(ifMatch: string, etag: string | null): boolean {
  if (ifMatch.trim() === '*') return true;
  if (etag === null || etag.startsWith('W/')) return false;
  return ifMatch.split(',').some((listed) => listed.trim() === etag);
}

/** True when `If-None-Match` contains the ETag. Weak comparison (RFC 9110 13.1.2). */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tag = opaqueTag(etag);
  return ifNoneMatch.split(',').some((listed) => opaqueTag(listed.trim()) === tag);
}

function opaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

function preconditionFailed(header: string, etag: string | null): ApiError {
  return new ApiError('bad_request', `${header} does not match the current version`, {
    status: PRECONDITION_FAILED,
    hint: 'read the current version without this header; a weak ETag (W/) never matches If-Match',
    headers: etag === null ? {} : { ETag: etag },
  });
}
