import { logError } from '../../logging.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { Reservation } from './memory-budget.ts';

/** A client that reads no chunk for this long has gone or holds memory needlessly. */
const STALL_TIMEOUT_MS = 30_000;

export interface StreamBodyOptions {
  /** Total bytes, if known; sets Content-Length. */
  length?: number;
  /** The memory that the chunks are made from: renewed with each chunk, released at the end. */
  reservation: Reservation;
  /** Called once before the release, when the last chunk was read or the stream was cancelled. */
  onEnd?: () => void;
  /** Extends the work beyond the disconnect of the client; without it the cleanup would not run. */
  waitUntil(promise: Promise<unknown>): void;
  /** Longest time a client may take for a chunk. */
  stallTimeoutMs?: number;
}

/**
 * A body created while it is sent. The next chunk is created after the last one was read, so chunks may share memory. A failure
 * cuts the response off: its status is already sent.
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
  let isTaken = true;
  try {
    for await (const chunk of chunks) {
      // Bytes of a lapsed reservation are freed, including the chunk.
      reservation.renew();
      isTaken = false;
      await withTimeout(writer.write(chunk), stallTimeoutMs, 'a chunk of the response');
      isTaken = true;
    }
    isTaken = false;
    await withTimeout(writer.close(), stallTimeoutMs, 'the end of the response');
  } catch (error) {
    // An unread chunk means that the client has disconnected, which is not an error of the service.
    if (isTaken) logError('response was truncated', error);
    // Not waited for: it may wait in turn for a chunk that the client never takes.
    writer.abort(error).catch(() => {});
  }
}
