import { readUpTo } from '../http/bodies/read-stream.ts';

/** A body over its size limit. */
export class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`response is larger than ${maxBytes} bytes`);
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
  const { bytes, isWhole } = await readUpTo(response.body as ReadableStream<Uint8Array> | null, maxBytes);
  if (!isWhole) throw new BodyTooLarge(maxBytes);
  return bytes;
}

/** The first bytes of a body as text, for messages; the rest is not fetched. */
export async function readExcerpt(response: Response, maxBytes: number): Promise<string> {
  try {
    const { bytes } = await readUpTo(response.body as ReadableStream<Uint8Array> | null, maxBytes);
    return new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}
