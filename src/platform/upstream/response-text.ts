import { UpstreamError } from './upstream-error.ts';

/** Text of a body in the encoding its content type declares, UTF-8 when it declares none that is known. */
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
