import { ApiError, notFound } from '../../errors/api-error.ts';
import type { ByteRange, Sha256 } from '../../storage/content-store.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import { wantedRange } from './byte-range.ts';
import { matchesEtag } from './conditional.ts';
import type { RawReply } from './reply.ts';

/** A stored file as its download offers it. */
export interface DownloadableFile {
  sha256: Sha256;
  /** Bytes. */
  size: number;
  contentType: string;
  /** Saved under this name; absent: shown in place. */
  filename?: string;
  /** Time of this content; absent: no `Last-Modified`. */
  lastModified?: UnixSeconds;
  /** Complete Cache-Control; the caller decides whether the content of the URL may change. */
  cacheControl: string;
  /** The whole file or a range; null when it is missing. */
  open(range?: ByteRange): Promise<ReadableStream | null>;
}

const PARTIAL_CONTENT = 206;
const NOT_MODIFIED = 304;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Sends a stored file for GET or HEAD: its hash is the strong ETag; conditional requests and one range follow RFC 9110
 * (`If-None-Match` before `If-Modified-Since`, `If-Range` with another version means the whole file). Throws 404 when the bytes
 * are missing and 416 for a range outside the file. Reads nothing for 304 and HEAD.
 */
export async function fileReply(request: Request, file: DownloadableFile): Promise<RawReply> {
  const etag = `"${file.sha256}"`;
  const base = { kind: 'raw', contentType: file.contentType, etag, headers: fileHeaders(file) } as const;
  if (isNotModified(request, etag, file.lastModified)) return { ...base, body: null, status: NOT_MODIFIED };
  if (request.method === 'HEAD') return { ...base, body: null, headers: { ...base.headers, 'Content-Length': String(file.size) } };

  const range = rangeApplies(request, etag, file.lastModified) ? wantedRange(request.headers.get('Range'), file.size) : 'whole';
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(file.size);
  const body = await file.open(range === 'whole' ? undefined : range);
  if (body === null) throw notFound('content is not stored');
  if (range === 'whole') return { ...base, body };
  const end = range.offset + range.length - 1;
  return {
    ...base,
    body,
    status: PARTIAL_CONTENT,
    headers: { ...base.headers, 'Content-Range': `bytes ${range.offset}-${end}/${file.size}` },
  };
}

function fileHeaders({ filename, lastModified, cacheControl }: DownloadableFile): Record<string, string> {
  const headers: Record<string, string> = { 'Accept-Ranges': 'bytes', 'Cache-Control': cacheControl };
  if (filename !== undefined) headers['Content-Disposition'] = attachment(filename);
  if (lastModified !== undefined) headers['Last-Modified'] = httpDate(lastModified);
  return headers;
}

function isNotModified({ headers }: Request, etag: string, lastModified: UnixSeconds | undefined): boolean {
  const ifNoneMatch = headers.get('If-None-Match');
  if (ifNoneMatch !== null) return matchesEtag(ifNoneMatch, etag);
  const since = Date.parse(headers.get('If-Modified-Since') ?? '');
  return lastModified !== undefined && !Number.isNaN(since) && lastModified * 1000 <= since;
}

/** A part is only of use to a client that has the rest of this very version. */
function rangeApplies({ headers }: Request, etag: string, lastModified: UnixSeconds | undefined): boolean {
  const ifRange = headers.get('If-Range');
  if (ifRange === null) return true;
  return ifRange === etag || (lastModified !== undefined && ifRange === httpDate(lastModified));
}

function rangeNotSatisfiable(size: number): ApiError {
  return new ApiError('bad_request', `Range must be within the file of ${size} bytes`, {
    status: RANGE_NOT_SATISFIABLE,
    headers: { 'Content-Range': `bytes */${size}` },
  });
}

function httpDate(instant: UnixSeconds): string {
  return new Date(instant * 1000).toUTCString();
}

/** `Content-Disposition` with a plain name for old clients and the exact one when it is not ASCII (RFC 6266). */
export function attachment(filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const quoted = `attachment; filename="${plain}"`;
  return plain === filename ? quoted : `${quoted}; filename*=UTF-8''${extendedValue(filename)}`;
}

/** Percent-encoding of RFC 8187, which allows less than `encodeURIComponent` leaves. */
function extendedValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
