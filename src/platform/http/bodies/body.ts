import { badRequest, bodyTooLarge } from '../../errors/api-error.ts';
import { bytePieces } from './byte-pieces.ts';
import { readUpTo } from './read-stream.ts';

/** Largest body an endpoint takes unless it states another limit, in bytes. */
export const DEFAULT_BODY_LIMIT = 8 * 1024 * 1024;

/** From here on it pays to read into memory of the right size: the runtime takes twice as much when it gathers a body. */
const LONG_BYTES = 1024 * 1024;

/** Throws 413 when the declared length is over the limit, before a byte is read. */
export function checkDeclaredLength(request: Request, limit: number): void {
  const declared = request.headers.get('Content-Length');
  if (declared !== null && Number(declared) > limit) throw bodyTooLarge(limit);
}

/** Reads a whole body. Throws 413 over the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  checkDeclaredLength(request, limit);
  if (!request.body) return new Uint8Array(0);
  const declared = Number(request.headers.get('Content-Length') ?? Number.NaN);
  if (declared < LONG_BYTES) return new Uint8Array(await request.arrayBuffer());
  if (Number.isSafeInteger(declared)) return readDeclared(request.body, declared);
  const { bytes, isWhole } = await readUpTo(request.body, limit);
  if (!isWhole) throw bodyTooLarge(limit);
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Reads a body into memory of its declared length, which the transport keeps. */
async function readDeclared(body: ReadableStream<Uint8Array>, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let read = 0;
  for await (const piece of bytePieces(body)) {
    bytes.set(piece.subarray(0, length - read), read);
    read = Math.min(length, read + piece.length);
  }
  return bytes.subarray(0, read);
}

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
