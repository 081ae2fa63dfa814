/** C0 and C1 control characters except tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Decodes bytes for comparison: UTF-8, otherwise Latin-1; control characters become `\xNN`. */
export function comparableText(bytes: Uint8Array): string {
  return decodeText(bytes).replaceAll(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Decodes UTF-8; null if the bytes are not UTF-8 or contain NUL. */
export function cleanText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Each byte is a code point. `TextDecoder('latin1')` decodes windows-1252 instead.
    let text = '';
    for (let start = 0; start < bytes.length; start += DECODE_CHUNK) {
      text += String.fromCharCode(...bytes.subarray(start, start + DECODE_CHUNK));
    }
    return text;
  }
}

const DECODE_CHUNK = 8192;
