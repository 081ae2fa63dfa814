import { badRequest, bodyTooLarge } from '../../errors/api-error.ts';
import { byteChunks } from './byte-chunks.ts';
import { collectUpTo } from './read-stream.ts';

/** Minimum declared length in bytes for preallocating the buffer. The runtime takes twice the memory to collect a body. */
const MIN_PREALLOCATED_BYTES = 1024 * 1024;

/** Maximum time to receive a body. An incomplete body occupies memory of the isolate. */
const MAX_BODY_SECONDS = 120;

/** The declared length of a body in bytes; null when it is missing or invalid. */
export function declaredLength(request: Request): number | null {
  const text = request.headers.get('Content-Length');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Throws 413 if the declared length is over the limit. */
export function checkDeclaredLength(request: Request, limit: number): void {
  if ((declaredLength(request) ?? 0) > limit) throw bodyTooLarge(limit);
}

/** Reads a whole body. Throws 413 over the limit, and 400 if the client takes longer than two minutes. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  checkDeclaredLength(request, limit);
  if (!request.body) return new Uint8Array(0);
  const declared = declaredLength(request);
  if (declared !== null && declared < MIN_PREALLOCATED_BYTES) return readSmall(request);
  return declared === null ? readUndeclared(request.body, limit) : readDeclared(request.body, declared);
}

/** Yields the chunks of a body. Each is valid until the next is read. Throws 400 if the client takes longer than `maxSeconds` in total. */
export async function* bodyChunks(body: ReadableStream<Uint8Array>, maxSeconds = MAX_BODY_SECONDS): AsyncGenerator<Uint8Array> {
  const deadline = createDeadline(maxSeconds);
  const chunks = byteChunks(body);
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await Promise.race([chunks.next().catch(throwIncompleteBody), deadline.expired]);
      isWaiting = false;
      if (done) return;
      yield value;
    }
  } finally {
    deadline.clear();
    // Closing a generator that waits for a chunk blocks until the client sends the chunk.
    if (!isWaiting) await chunks.return(undefined);
  }
}

async function readSmall(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const deadline = createDeadline(MAX_BODY_SECONDS);
  try {
    return new Uint8Array(await Promise.race([request.arrayBuffer().catch(throwIncompleteBody), deadline.expired]));
  } finally {
    deadline.clear();
  }
}

/** Reads a body into a buffer of its declared length. The transport enforces the length. */
async function readDeclared(body: ReadableStream<Uint8Array>, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let read = 0;
  for await (const chunk of bodyChunks(body)) {
    bytes.set(chunk.subarray(0, length - read), read);
    read = Math.min(length, read + chunk.length);
  }
  return bytes.subarray(0, read);
}

async function readUndeclared(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, isComplete } = await collectUpTo(bodyChunks(body), limit);
  if (!isComplete) throw bodyTooLarge(limit);
  return bytes;
}

/** Throws 400 for a body that could not be read: the client disconnected, which is not an error of the service. */
export function throwIncompleteBody(): never {
  throw badRequest('the request body is incomplete');
}

/** `expired` rejects with 400 after `seconds`. */
function createDeadline(seconds: number): { expired: Promise<never>; clear(): void } {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const tooSlow = () => reject(badRequest(`the request body must arrive within ${seconds} seconds`));
  const timer = setTimeout(tooSlow, seconds * 1000);
  return { expired, clear: () => clearTimeout(timer) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Throws 400 unless the Content-Type is JSON. */
export function checkJsonType(contentType: string | null): void {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw badRequest('the request body must be JSON', undefined, 'send the header Content-Type: application/json');
  }
}

/** Creates the error of a body that cannot be parsed. */
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
