import { UpstreamError } from './upstream-error.ts';

/** Text of a body in the encoding of its content type, UTF-8 when that is missing or unknown. */
export function decodedText(source: string, bytes: Uint8Array, contentType: string | null): string {
  try {
    return decoderFor(contentType).decode(bytes);
  } catch {
    throw new UpstreamError(source, 'malformed', 'response is not valid text');
  }
}

export function parsedJson(source: string, text: string): unknown {
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
