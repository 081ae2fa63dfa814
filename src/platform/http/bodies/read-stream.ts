import { bytePieces } from './byte-pieces.ts';

/**
 * Reads at most `maxBytes` of a stream, counting, as no declared length can be trusted. `isWhole` is false when there
 * was more; the rest is then not fetched.
 */
export async function readUpTo(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isWhole = true;
  for await (const piece of stream ? bytePieces(stream) : []) {
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
