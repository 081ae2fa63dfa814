import { joinBytes } from './values/bytes.ts';

/** Requested chunk size. Each chunk has a fixed cost, and the runtime's default chunks have 4 KiB. */
const CHUNK_BYTES = 256 * 1024;

/** The chunks of a stream, read one at a time. */
interface ChunkReader {
  /** The next chunk, valid until the next call; null at the end. */
  next(): Promise<Uint8Array | null>;
  /** Stops reading, even while `next` waits. */
  cancel(): Promise<void>;
}

/**
 * Reads a stream in chunks. Where the runtime allows it, chunks share one buffer, which avoids garbage. `minBytes`: bytes to wait for
 * before a chunk is returned; 1 shows each progress of a slow sender.
 */
export function openChunks(stream: ReadableStream<Uint8Array>, minBytes = CHUNK_BYTES): ChunkReader {
  const byobReader = openByobReader(stream);
  if (!byobReader) {
    const reader = stream.getReader();
    return { next: async () => (await reader.read()).value ?? null, cancel: () => reader.cancel() };
  }
  let buffer = new ArrayBuffer(CHUNK_BYTES);
  return {
    async next() {
      const { done, value } = await byobReader.readAtLeast(minBytes, new Uint8Array(buffer));
      if (done) return null;
      buffer = value.buffer as ArrayBuffer;
      return value;
    },
    cancel: () => byobReader.cancel(),
  };
}

/** Yields the bytes of a stream in chunks. Each chunk is valid until the next one is read. */
export async function* byteChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = openChunks(stream);
  let isConsumed = true;
  try {
    for (let chunk = await chunks.next(); chunk; chunk = await chunks.next()) {
      isConsumed = false;
      yield chunk;
      isConsumed = true;
    }
  } finally {
    // A failed stream cannot be cancelled.
    if (!isConsumed) await chunks.cancel();
  }
}

/** Returns null for a stream created by JavaScript, and outside workerd. */
function openByobReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  if (!('readAtLeast' in ReadableStreamBYOBReader.prototype)) return null;
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}

interface BoundedBytes {
  bytes: Uint8Array<ArrayBuffer>;
  isComplete: boolean;
}

/**
 * Reads at most `maxBytes` of a stream. Counts the bytes, because the declared length is not trustworthy. `isComplete` is false if the
 * stream has more bytes, which are not fetched.
 */
export function readUpTo(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<BoundedBytes> {
  return collectUpTo(stream ? byteChunks(stream) : [], maxBytes);
}

/** Like `readUpTo`, for chunks that are valid until the next is read. */
async function collectUpTo(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<BoundedBytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isComplete = true;
  for await (const chunk of source) {
    isComplete = length + chunk.byteLength <= maxBytes;
    chunks.push(chunk.slice(0, maxBytes - length));
    length = Math.min(maxBytes, length + chunk.byteLength);
    if (!isComplete) break;
  }
  return { bytes: joinBytes(chunks), isComplete };
}
