import { readUpTo } from '../kit/read-stream.ts';

/** Thrown for a body over its size limit. */
export class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`response is larger than ${maxBytes} bytes`);
    this.name = 'BodyTooLarge';
  }
}

/**
 * Reads a whole body. Counts the decompressed bytes, because the declared length is not trustworthy. Throws `BodyTooLarge` over the
 * limit, without fetching the rest.
 */
export async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(response.headers.get('Content-Length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw new BodyTooLarge(maxBytes);
  }
  const { bytes, isComplete } = await readUpTo(response.body as ReadableStream<Uint8Array> | null, maxBytes);
  if (!isComplete) throw new BodyTooLarge(maxBytes);
  return bytes;
}

/** The first bytes of a body as text, for error messages. The rest is not fetched. */
export async function readExcerpt(response: Response, maxBytes: number): Promise<string> {
  try {
    const { bytes } = await readUpTo(response.body as ReadableStream<Uint8Array> | null, maxBytes);
    return new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}
