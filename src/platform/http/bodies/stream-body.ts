import { logError } from '../../logging.ts';

/** A client that takes no chunk for so long has gone, or holds memory for nothing. */
const STALL_MILLISECONDS = 30_000;

export interface StreamBodyOptions {
  /** Bytes of the whole, when they are known: the answer then states its length. */
  length?: number;
  /** Called once, when the last chunk is taken or nobody wants more. */
  onEnd?: () => void;
}

/**
 * A body made while it is sent. The next chunk is asked for when the last one was taken, so that the chunks may share
 * their memory. A failure on the way cuts the answer off: its status is sent already.
 */
export function streamBody(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, options: StreamBodyOptions = {}): ReadableStream {
  const { length, onEnd } = options;
  const { readable, writable } = length === undefined ? new IdentityTransformStream() : new FixedLengthStream(length);
  void pump(chunks, writable.getWriter()).finally(onEnd);
  return readable;
}

async function pump(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  let isTaken = true;
  try {
    for await (const chunk of chunks) {
      isTaken = false;
      await inTime(writer.write(chunk));
      isTaken = true;
    }
    await writer.close();
  } catch (error) {
    // A chunk that was not taken means that the client has gone, which is no fault of ours.
    if (isTaken) logError('an answer was cut off', error);
    await writer.abort(error).catch(() => {});
  }
}

async function inTime(write: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the client takes nothing')), STALL_MILLISECONDS);
  });
  try {
    await Promise.race([write, stalled]);
  } finally {
    clearTimeout(timer);
  }
}
