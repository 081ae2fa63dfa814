import type { Access } from '../../access/policy/policy.ts';
import { ApiError, badRequest, bodyTooLarge } from '../../kit/errors/api-error.ts';
import { openChunks } from '../../kit/streams.ts';
import { systemMs } from '../../kit/time/clock.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const UNSUPPORTED_MEDIA_TYPE = 415;

/** Default maximum size of a body in bytes. */
const DEFAULT_MAX_BODY_BYTES = 256 * KIB;
/** Default maximum size of a JSON body in bytes on endpoints of a session. */
const DEFAULT_MAX_SESSION_BODY_BYTES = 64 * KIB;

/** Maximum size of a body that an endpoint accepts, in bytes. */
export function bodyLimitOf({ access, bodyLimit }: { access: Access; bodyLimit?: number | undefined }): number {
  return bodyLimit ?? (access.kind === 'session' ? DEFAULT_MAX_SESSION_BODY_BYTES : DEFAULT_MAX_BODY_BYTES);
}

/** A size in readable form: `256 KiB`, `20 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes % MIB === 0) return `${bytes / MIB} MiB`;
  return bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${bytes} bytes`;
}

/** Bodies of at most this declared length are read by the runtime at once: most fit into one packet. */
const SMALL_BYTES = 16 * 1024;
/** First size of the buffer of a larger body. It doubles as the body arrives, so a client cannot occupy memory by a declared length. */
const FIRST_BUFFER_BYTES = 64 * 1024;

/** Maximum time to receive a body. An incomplete body occupies memory of the isolate. */
const MAX_BODY_SECONDS = 120;
/** A body that makes no progress for this long ends with 400. */
const STALL_SECONDS = 15;

/** Called with the memory that a body is about to occupy, in bytes. Throws 503 when the isolate has too little left. */
export type Reserve = (bytes: number) => void;

/** The declared length of a body in bytes; null when it is missing or invalid. */
function declaredLength(request: Request): number | null {
  const text = request.headers.get('Content-Length');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Throws 413 if the declared length is over the limit. */
export function checkDeclaredLength(request: Request, limit: number): void {
  if ((declaredLength(request) ?? 0) > limit) throw bodyTooLarge(limit);
}

/** Throws 415 for a compressed body, which no endpoint decodes. */
export function checkContentEncoding({ headers }: Request): void {
  const encoding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new ApiError('bad_request', 'Content-Encoding must be absent or identity', {
    status: UNSUPPORTED_MEDIA_TYPE,
    hint: 'send the body uncompressed',
    headers: { 'Accept-Encoding': 'identity' },
  });
}

/** Reads a whole body. Throws 413 over the limit, 400 if the client is too slow, and the errors of `reserve`. */
export async function readBytes(request: Request, limit: number, reserve: Reserve): Promise<Uint8Array<ArrayBuffer>> {
  checkDeclaredLength(request, limit);
  if (!request.body) return new Uint8Array(0);
  const declared = declaredLength(request);
  return declared !== null && declared <= SMALL_BYTES ? readSmall(request) : readGrowing(request.body, declared, limit, reserve);
}

/**
 * Yields the chunks of a body. Each is valid until the next is read. Throws 400 if the client takes longer than `maxSeconds` in total or
 * sends nothing for 15 s.
 */
export async function* bodyChunks(body: ReadableStream<Uint8Array>, maxSeconds = MAX_BODY_SECONDS): AsyncGenerator<Uint8Array> {
  const deadline = createDeadline(maxSeconds);
  const chunks = openChunks(body, 1);
  let isComplete = false;
  try {
    for (;;) {
      const chunk = await Promise.race([chunks.next().catch(throwIncompleteBody), deadline.expired]);
      isComplete = chunk === null;
      if (chunk === null) return;
      deadline.noteProgress();
      yield chunk;
    }
  } finally {
    deadline.clear();
    // Not awaited: a client that sends nothing would delay the response.
    if (!isComplete) chunks.cancel().catch(() => {});
  }
}

async function readSmall(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const deadline = createDeadline(STALL_SECONDS);
  try {
    return new Uint8Array(await Promise.race([request.arrayBuffer().catch(throwIncompleteBody), deadline.expired]));
  } finally {
    deadline.clear();
  }
}

/** Reads a body into a buffer that doubles up to the declared length, which the transport enforces, or else up to the limit. */
async function readGrowing(
  body: ReadableStream<Uint8Array>,
  declared: number | null,
  limit: number,
  reserve: Reserve,
): Promise<Uint8Array<ArrayBuffer>> {
  const maxLength = declared ?? limit;
  let bytes = new Uint8Array(0);
  let length = 0;
  for await (const chunk of bodyChunks(body)) {
    const needed = length + chunk.length;
    if (needed > maxLength) throw bodyTooLarge(limit);
    if (needed > bytes.length) {
      const size = Math.min(maxLength, Math.max(needed, 2 * bytes.length, FIRST_BUFFER_BYTES));
      reserve(size - bytes.length);
      // Frees the old buffer at once.
      bytes = new Uint8Array(bytes.buffer.transfer(size));
    }
    bytes.set(chunk, length);
    length = needed;
  }
  return bytes.subarray(0, length);
}

/** Throws 400 for a body that could not be read: the client disconnected, which is not an error of the service. */
function throwIncompleteBody(): never {
  throw badRequest('the request body is incomplete');
}

/** `expired` rejects with 400 after `maxSeconds`, or `STALL_SECONDS` after the last progress. */
function createDeadline(maxSeconds: number): { expired: Promise<never>; noteProgress(): void; clear(): void } {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const tooSlow = () => reject(badRequest(`the request body must arrive within ${maxSeconds} seconds`));
  const stalled = () => reject(badRequest(`the request body must not pause for more than ${STALL_SECONDS} seconds`));
  const timer = setTimeout(tooSlow, maxSeconds * 1000);
  let progressAt = systemMs();
  // Checks the last progress instead of setting a timer for each chunk.
  function checkProgress(): void {
    const leftMs = STALL_SECONDS * 1000 - (systemMs() - progressAt);
    if (leftMs <= 0) stalled();
    else stallTimer = setTimeout(checkProgress, leftMs);
  }
  let stallTimer = setTimeout(checkProgress, STALL_SECONDS * 1000);
  return {
    expired,
    noteProgress() {
      progressAt = systemMs();
    },
    clear() {
      clearTimeout(timer);
      clearTimeout(stallTimer);
    },
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Throws 400 unless the Content-Type is JSON. */
export function checkJsonType(contentType: string | null): void {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw badRequest('the request body must be JSON', undefined, 'send the header Content-Type: application/json');
  }
}

/** Throws 400 for another content type than JSON, or an empty body. */
export function checkJsonBody(bytes: Uint8Array, contentType: string | null): void {
  checkJsonType(contentType);
  if (bytes.length === 0) throw badRequest('the request body must not be empty', undefined, 'send a JSON object');
}

/** Creates the error of a body that cannot be parsed. */
export const malformedJson = () =>
  badRequest('the request body is not valid JSON in UTF-8', undefined, 'serialise the body with a JSON library');

/** Parses a JSON body. Throws 400 for another content type, invalid UTF-8 and malformed JSON. */
export function parseJsonBody(bytes: Uint8Array, contentType: string | null): unknown {
  checkJsonBody(bytes, contentType);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw malformedJson();
  }
}
