import { joinBytes } from '../../values/bytes.ts';
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

/** The same for chunks that are valid until the next is read. */
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
  return { bytes: joinBytes(chunks), isWhole };
}
