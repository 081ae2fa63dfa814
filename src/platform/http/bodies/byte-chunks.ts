/** Requested chunk size. Each chunk has a fixed cost, and the runtime's default chunks have 4 KiB. */
const CHUNK_BYTES = 256 * 1024;

type ByobReader = ReadableStreamBYOBReader;

/**
 * Yields the bytes of a stream in chunks. Each chunk is valid until the next one is read: where the runtime allows it, chunks share
 * one buffer, which avoids garbage.
 */
export async function* byteChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = openByobReader(stream);
  if (!reader) return yield* stream;
  let isConsumed = true;
  try {
    let buffer = new ArrayBuffer(CHUNK_BYTES);
    for (;;) {
      const { done, value } = await reader.readAtLeast(CHUNK_BYTES, new Uint8Array(buffer));
      if (done) return;
      buffer = value.buffer as ArrayBuffer;
      isConsumed = false;
      yield value;
      isConsumed = true;
    }
  } finally {
    // A failed stream cannot be cancelled.
    if (!isConsumed) await reader.cancel();
  }
}

/** Returns null for a stream created by JavaScript, and outside workerd. */
function openByobReader(stream: ReadableStream<Uint8Array>): ByobReader | null {
  if (!('readAtLeast' in ReadableStreamBYOBReader.prototype)) return null;
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}
