import { bytePieces } from './byte-pieces.ts';

interface BoundedBytes {
  bytes: Uint8Array<ArrayBuffer>;
  isWhole: boolean;
}

/**
 * Reads at most `maxBytes` of a stream, counting, as no declared length can be trusted. `isWhole` is false when there
 * was more; the rest is then not fetched.
 */
export function readUpTo(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<BoundedBytes> {
  return collectUpTo(stream ? bytePieces(stream) : [], maxBytes);
}

/** The same for pieces of which each is valid until the next is asked for. */
export async function collectUpTo(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<BoundedBytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isWhole = true;
  for await (const piece of pieces) {
    isWhole = length + piece.byteLength <= maxBytes;
    chunks.push(piece.slice(0, maxBytes - length));
    length = Math.min(maxBytes, length + piece.byteLength);
    if (!isWhole) break;
  }
  return { bytes: joined(chunks, length), isWhole };
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
