import { logError } from '../../logging.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { Reservation } from './memory-budget.ts';

/** A client that takes no chunk for so long has gone, or holds memory for nothing. */
const STALL_TIMEOUT_MS = 30_000;

export interface StreamBodyOptions {
  /** Bytes of the whole, when they are known: the answer then states its length. */
  length?: number;
  /** The memory that the chunks are made from: renewed with each chunk, released at the end. */
  reservation: Reservation;
  /** Called once, when the last chunk is taken or nobody wants more, before the release. */
  onEnd?: () => void;
  /** Keeps the work alive after the client has left: without it nothing would run at the end. */
  waitUntil(promise: Promise<unknown>): void;
  /** Longest time a client may take for a chunk. */
  stallTimeoutMs?: number;
}

/**
 * A body made while it is sent. The next chunk is asked for when the last one was taken, so that the chunks may share
 * their memory. A failure on the way cuts the answer off: its status is sent already.
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
      // Bytes of a reservation that has lapsed are gone, and the chunk with them.
      reservation.renew();
      isTaken = false;
      await withTimeout(writer.write(chunk), stallTimeoutMs, 'a chunk of the response');
      isTaken = true;
    }
    isTaken = false;
    await withTimeout(writer.close(), stallTimeoutMs, 'the end of the response');
  } catch (error) {
    // A chunk that was not taken means that the client has gone, which is no fault of ours.
    if (isTaken) logError('response was truncated', error);
    // Not waited for: it may wait in turn for a chunk that the client never takes.
    writer.abort(error).catch(() => {});
  }
}
