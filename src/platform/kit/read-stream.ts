import { byteChunks } from './byte-chunks.ts';
import { joinBytes } from './values/bytes.ts';

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
export async function collectUpTo(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<BoundedBytes> {
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
