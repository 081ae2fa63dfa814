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
  const reader = stream?.getReader();
  while (reader && isWhole) {
    const { done, value } = await reader.read();
    if (done) break;
    isWhole = length + value.byteLength <= maxBytes;
    chunks.push(isWhole ? value : value.subarray(0, maxBytes - length));
    length = Math.min(maxBytes, length + value.byteLength);
  }
  if (!isWhole) await reader?.cancel();
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
