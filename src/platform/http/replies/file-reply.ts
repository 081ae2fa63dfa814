import { ApiError, notFound } from '../../kit/errors/api-error.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { ByteRange, Sha256 } from '../../storage/content-store.ts';
import { isNotModified } from './preconditions.ts';
import type { RawReply } from './reply.ts';

/** A stored file with the headers of its download. */
export interface DownloadableFile {
  sha256: Sha256;
  /** Size in bytes. */
  size: number;
  contentType: string;
  /** File name for saving. Absent: browsers display the file. */
  filename?: string;
  /** Value of `Last-Modified`. Absent: no header. */
  lastModified?: UnixSeconds;
  /** Value of `Cache-Control`, which depends on whether the content of the URL may change. */
  cacheControl: string;
  /** Opens the file or a range of the file; null if the bytes are missing. */
  open(range?: ByteRange): Promise<ReadableStream | null>;
}

const PARTIAL_CONTENT = 206;
const NOT_MODIFIED = 304;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Responds to GET or HEAD with a stored file. Its hash is the strong ETag. Conditional requests and single ranges follow RFC 9110:
 * `If-Range` with another version returns the whole file. Throws 404 if the bytes are missing, 412 for a failed precondition and 416
 * for a range outside the file. Does not open the file for 304, 412 and HEAD.
 */
export async function fileReply(request: Request, file: DownloadableFile): Promise<RawReply> {
  const etag = `"${file.sha256}"`;
  const base = { kind: 'raw', contentType: file.contentType, etag, headers: fileHeaders(file) } as const;
  if (isNotModified(request, { etag, lastModified: file.lastModified })) return { ...base, body: null, status: NOT_MODIFIED };
  if (request.method === 'HEAD') return { ...base, body: null, headers: { ...base.headers, 'Content-Length': String(file.size) } };

  const range = rangeApplies(request, etag, file.lastModified) ? parseRange(request.headers.get('Range'), file.size) : 'whole';
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

/** `If-Range` asks for the range only if the client has this version of the file. */
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

/** `Content-Disposition` with an ASCII name, `plain` if given, and with the exact name if it differs (RFC 6266). */
export function attachment(filename: string, plain = filename): string {
  const asciiName = plain.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const quoted = `attachment; filename="${asciiName}"`;
  return asciiName === filename ? quoted : `${quoted}; filename*=UTF-8''${extendedValue(filename)}`;
}

/** Percent-encoding of RFC 8187, which encodes more characters than `encodeURIComponent`. */
function extendedValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Result of parsing a `Range` header. */
export type RequestedRange = 'whole' | 'unsatisfiable' | ByteRange;

/** The unit is case-insensitive (RFC 9110 14.1). Positions have any length: a last position past the end is clipped. */
const SINGLE_RANGE = /^bytes=\s*(\d*)-(\d*)\s*$/i;

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
