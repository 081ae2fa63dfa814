import { logError } from '../../kit/logging.ts';
import { withTimeout } from '../../kit/tasks.ts';
import type { Reservation } from './memory-pool.ts';

/** Default time within which a client must read a chunk. A slow client would occupy memory. */
const STALL_TIMEOUT_MS = 30_000;

export interface StreamBodyOptions {
  /** Total size in bytes, if known. Sets Content-Length. */
  length?: number;
  /** Reservation of the memory of the chunks. It is renewed with each chunk and released at the end. */
  reservation: Reservation;
  /** Called once before the release, when the stream has ended or was cancelled. */
  onEnd?: () => void;
  /** Runs the cleanup even after the client disconnects. */
  waitUntil(promise: Promise<unknown>): void;
  /** Maximum time for the client to read a chunk. Default: 30 s. */
  stallTimeoutMs?: number;
}

/**
 * Creates a body that is generated while it is sent. Each chunk is created after the client has read the previous one, so chunks may
 * share memory. A failure truncates the response, because the status is already sent.
 */
export function streamBody(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, options: StreamBodyOptions): ReadableStream {
  const { length, reservation, onEnd, waitUntil, stallTimeoutMs = STALL_TIMEOUT_MS } = options;
  const { readable, writable } = length === undefined ? new IdentityTransformStream() : new FixedLengthStream(length);
  const sent = pump(chunks, writable.getWriter(), { reservation, stallTimeoutMs }).finally(() => {
    try {
      onEnd?.();
    } finally {
      reservation.release();
    }
  });
  waitUntil(sent);
  return readable;
}

async function pump(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  { reservation, stallTimeoutMs }: { reservation: Reservation; stallTimeoutMs: number },
): Promise<void> {
  let isConsumed = true;
  try {
    for await (const chunk of chunks) {
      // An expired reservation has freed the memory of the chunk.
      reservation.renew();
      isConsumed = false;
      await withTimeout(writer.write(chunk), stallTimeoutMs, 'a chunk of the response');
      isConsumed = true;
    }
    isConsumed = false;
    await withTimeout(writer.close(), stallTimeoutMs, 'the end of the response');
  } catch (error) {
    // An unread chunk means that the client has disconnected, which is not an error of the service.
    if (isConsumed) logError('response was truncated', error);
    // Not awaited: the promise stays pending if the client never reads the chunk.
    writer.abort(error).catch(() => {});
  }
}
