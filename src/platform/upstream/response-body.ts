import { readUpTo } from '../kit/streams.ts';
import { UpstreamError } from './upstream-error.ts';

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

/** Decodes a body with the charset of its content type, or as UTF-8 if the charset is missing or unknown. */
export function decodeText(source: string, bytes: Uint8Array, contentType: string | null): string {
  try {
    return decoderFor(contentType).decode(bytes);
  } catch {
    throw new UpstreamError(source, 'malformed', 'response is not valid text');
  }
}

export function parseJson(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UpstreamError(source, 'malformed', 'response is not JSON');
  }
}

function decoderFor(contentType: string | null): TextDecoder {
  const label = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: false });
  } catch {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  }
}
