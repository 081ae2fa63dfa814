import { badRequest, bodyTooLarge } from '../errors/api-error.ts';
import { readUpTo } from './read-stream.ts';

/** Largest body an endpoint takes unless it states another limit, in bytes. */
export const DEFAULT_BODY_LIMIT = 8 * 1024 * 1024;

/** Throws 413 when the declared length is over the limit, before a byte is read. */
export function checkDeclaredLength(request: Request, limit: number): void {
  const declared = request.headers.get('Content-Length');
  if (declared !== null && Number(declared) > limit) throw bodyTooLarge(limit);
}

/** Reads a whole body. Throws 413 over the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  checkDeclaredLength(request, limit);
  if (!request.body) return new Uint8Array(0);
  // A declared length is kept by the transport, so the runtime may read at once: much quicker than a stream piece by piece.
  if (request.headers.has('Content-Length')) return new Uint8Array(await request.arrayBuffer());
  const { bytes, isWhole } = await readUpTo(request.body, limit);
  if (!isWhole) throw bodyTooLarge(limit);
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Throws 400 unless the body is declared to be JSON. */
export function checkJsonType(contentType: string | null): void {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw badRequest('the request body must be JSON with Content-Type: application/json');
  }
}

/** What a body that cannot be parsed is answered. */
export const malformedJson = () => badRequest('the request body is not valid JSON in UTF-8');

/** Parses a JSON body. Throws 400 for another content type, invalid UTF-8 and malformed JSON. */
export function parseJsonBody(bytes: Uint8Array, contentType: string | null): unknown {
  checkJsonType(contentType);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw malformedJson();
  }
}
