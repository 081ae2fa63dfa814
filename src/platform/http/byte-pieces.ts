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
  let isDone = false;
  try {
    let buffer = new ArrayBuffer(PIECE_BYTES);
    while (!isDone) {
      const { done, value } = await reader.readAtLeast(PIECE_BYTES, new Uint8Array(buffer));
      isDone = done;
      if (!value || done) continue;
      buffer = value.buffer as ArrayBuffer;
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel();
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
