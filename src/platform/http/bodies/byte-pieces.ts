/** Bytes asked for at once: the runtime has a price for each piece, and its own pieces are of 4 KiB. */
const PIECE_BYTES = 256 * 1024;

/** The runtime's own reader, which fills a given buffer. */
type FillingReader = ReadableStreamBYOBReader;

/**
 * The bytes of a stream, piece by piece. A piece is only valid until the next one is asked for: where the runtime can,
 * they share one buffer, so that a long body leaves nothing to collect.
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
    // A stream that broke cannot be cancelled; only one that nobody wants more of.
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
