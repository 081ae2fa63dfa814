/** Requested chunk size: the runtime adds a cost per chunk, and its own chunks have 4 KiB. */
const PIECE_BYTES = 256 * 1024;

/** The runtime's reader that fills a given buffer. */
type FillingReader = ReadableStreamBYOBReader;

/**
 * The bytes of a stream in chunks. A chunk is only valid until the next one is read: where the runtime allows it, chunks share
 * one buffer, which spares the garbage collector.
 */
export async function* bytePieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = fillingReader(stream);
  if (!reader) return yield* stream;
  let isTaken = true;
  try {
    let buffer = new ArrayBuffer(PIECE_BYTES);
    for (;;) {
      const { done, value } = await reader.readAtLeast(PIECE_BYTES, new Uint8Array(buffer));
      if (done) return;
      buffer = value.buffer as ArrayBuffer;
      isTaken = false;
      yield value;
      isTaken = true;
    }
  } finally {
    // A failed stream cannot be cancelled.
    if (!isTaken) await reader.cancel();
  }
}

/** Null for streams made by scripts, and outside of workerd. */
function fillingReader(stream: ReadableStream<Uint8Array>): FillingReader | null {
  if (!('readAtLeast' in ReadableStreamBYOBReader.prototype)) return null;
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}
