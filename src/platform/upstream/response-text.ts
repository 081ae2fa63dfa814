import { UpstreamError } from './upstream-error.ts';

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
