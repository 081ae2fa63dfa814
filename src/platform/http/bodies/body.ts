import { badRequest, bodyTooLarge } from '../../errors/api-error.ts';
import { bytePieces } from './byte-pieces.ts';
import { collectUpTo } from './read-stream.ts';

/** From here on it pays to read into memory of the right size: the runtime takes twice as much when it gathers a body. */
const LONG_BYTES = 1024 * 1024;

/** Maximum time for sending a body, because a body in progress holds memory of the isolate. */
const MAX_BODY_SECONDS = 120;

/** The declared length of a body in bytes; null when it is missing or invalid. */
export function declaredLength(request: Request): number | null {
  const text = request.headers.get('Content-Length');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Throws 413 when the declared length is over the limit, before a byte is read. */
export function checkDeclaredLength(request: Request, limit: number): void {
  if ((declaredLength(request) ?? 0) > limit) throw bodyTooLarge(limit);
}

/** Reads a whole body. Throws 413 over the limit and 400 for a client that takes longer than two minutes. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  checkDeclaredLength(request, limit);
  if (!request.body) return new Uint8Array(0);
  const declared = declaredLength(request);
  if (declared !== null && declared < LONG_BYTES) return readShort(request);
  return declared === null ? readUndeclared(request.body, limit) : readDeclared(request.body, declared);
}

/**
 * The chunks of a request body, each valid until the next is read. Throws 400 for a client that takes longer than `maxSeconds`
 * in total.
 */
export async function* bodyPieces(body: ReadableStream<Uint8Array>, maxSeconds = MAX_BODY_SECONDS): AsyncGenerator<Uint8Array> {
  const deadline = createDeadline(maxSeconds);
  const pieces = bytePieces(body);
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await Promise.race([pieces.next().catch(rejectUnfinished), deadline.passed]);
      isWaiting = false;
      if (done) return;
      yield value;
    }
  } finally {
    deadline.clear();
    // Closing a generator that waits for the client would block until the client sends.
    if (!isWaiting) await pieces.return(undefined);
  }
}

async function readShort(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const deadline = createDeadline(MAX_BODY_SECONDS);
  try {
    return new Uint8Array(await Promise.race([request.arrayBuffer().catch(rejectUnfinished), deadline.passed]));
  } finally {
    deadline.clear();
  }
}

/** Reads a body into memory of its declared length, which the transport keeps. */
async function readDeclared(body: ReadableStream<Uint8Array>, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let read = 0;
  for await (const piece of bodyPieces(body)) {
    bytes.set(piece.subarray(0, length - read), read);
    read = Math.min(length, read + piece.length);
  }
  return bytes.subarray(0, read);
}

async function readUndeclared(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, isWhole } = await collectUpTo(bodyPieces(body), limit);
  if (!isWhole) throw bodyTooLarge(limit);
  return bytes;
}

/** For a body that could not be read: its client has left, which is no failure of the service. */
export function rejectUnfinished(): never {
  throw badRequest('the request body is incomplete');
}

/** `passed` rejects with 400 when the client has had its time. */
function createDeadline(seconds: number): { passed: Promise<never>; clear(): void } {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const tooSlow = () => reject(badRequest(`the request body took longer than ${seconds} seconds`));
  const timer = setTimeout(tooSlow, seconds * 1000);
  return { passed, clear: () => clearTimeout(timer) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Throws 400 unless the body is declared to be JSON. */
export function checkJsonType(contentType: string | null): void {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw badRequest('the request body must be JSON', undefined, 'send the header Content-Type: application/json');
  }
}

/** Error of a body that cannot be parsed. */
export const malformedJson = () =>
  badRequest('the request body is not valid JSON in UTF-8', undefined, 'serialise the body with a JSON library');

/** Parses a JSON body. Throws 400 for another content type, invalid UTF-8 and malformed JSON. */
export function parseJsonBody(bytes: Uint8Array, contentType: string | null): unknown {
  checkJsonType(contentType);
  if (bytes.length === 0) throw badRequest('the request body must not be empty', undefined, 'send a JSON object');
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw malformedJson();
  }
}
