/** A body that has more bytes than it may. */
export class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`the answer is larger than ${maxBytes} bytes`);
    this.name = 'BodyTooLarge';
  }
}

/**
 * Reads a whole body, counting: neither the declared length nor a compressed one can be trusted. Over the limit the rest
 * is not fetched.
 */
export async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(response.headers.get('Content-Length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw new BodyTooLarge(maxBytes);
  }
  const { bytes, isWhole } = await readUpTo(response, maxBytes);
  if (!isWhole) throw new BodyTooLarge(maxBytes);
  return bytes;
}

/** The first bytes of a body as text, for messages; the rest is not fetched. */
export async function readExcerpt(response: Response, maxBytes: number): Promise<string> {
  try {
    const { bytes } = await readUpTo(response, maxBytes);
    return new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}

async function readUpTo(response: Response, maxBytes: number): Promise<{ bytes: Uint8Array<ArrayBuffer>; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isWhole = true;
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
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
